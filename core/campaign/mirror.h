// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/regular_file.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A campaign of another machine as a file of this one: what is looked at, and nothing else. It goes over as the pages
// of one moment of the file, the first time those that the mirror lacks, then those that have changed; here they are
// put into the mirror in one transaction, so that whoever reads it sees one moment after the other.
namespace gks {

inline constexpr std::size_t mirrorBytes = std::size_t{4} << 30; // the largest file that is mirrored
inline constexpr std::size_t mirrorRunBytes = std::size_t{1} << 20;
inline constexpr std::size_t mirrorBlockBytes = std::size_t{1} << 16; // so much is known or unknown together at first

struct PageRun {        // pages that lie behind one another
    std::size_t at = 0; // in the file, in bytes
    std::string bytes;
};
struct ImageChange {
    std::size_t bytes = 0; // of the file now
    std::vector<PageRun> runs;
};

// The file that is mirrored, on its own machine.
class MirroredFile {
public:
    static Result<std::unique_ptr<MirroredFile>> open(const std::filesystem::path& campaign);
    ~MirroredFile();
    // What a mirror said in the beginning (Mirror::begin()): what it has of that is left out the first time. Any text.
    void otherHas(std::string digests);
    // What has changed since the last time; nothing when that is nothing. Whoever writes is not kept waiting.
    Result<std::optional<ImageChange>> look();

private:
    struct State;
    explicit MirroredFile(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

// The mirror, for one program at a time. What comes is a stranger's: it is bounded, and has to be a campaign as a file
// that is opened has to.
class Mirror {
public:
    // `address` names what it is of; `name` is what a person calls it.
    static Result<std::unique_ptr<Mirror>> open(const std::string& address, const std::string& name);
    ~Mirror();

    const std::filesystem::path& file() const;
    bool isThere() const; // something was put into it, now or an earlier time
    // A new conversation. What is here already, a digest for each block: 32 hexadecimal digits of its SHA-256.
    std::string begin();
    Result<void> resize(std::size_t bytes);
    Result<void> put(std::size_t at, std::string_view bytes);
    Result<void> commit(std::size_t bytes); // of all, which have come

private:
    struct State;
    explicit Mirror(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

// Nobody runs an engine on a mirror.
Result<void> refuseMirror(const std::filesystem::path& file);

} // namespace gks
