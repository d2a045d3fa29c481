// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/target/target.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// One folder per build: FOLDER/ab/abcdef.../{host.so, ..., manifest}. It is filled under a name of its own and
// renamed, so it is there whole or not at all; of several processes that store the same build one wins. It is removed
// the other way round: renamed first, so that a reader either still finds everything or notices that something is
// missing. The manifest holds the hash of every file: what a full disk or a power failure left behind is recognised,
// removed, and built again.
namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr const char* manifestName = "manifest";
constexpr const char* logName = "log.txt";
constexpr std::size_t fileLimitBytes = std::size_t{256} << 20;
constexpr std::chrono::hours leftoverAge(1); // half-filled folders of processes that were killed

struct CachedFile {
    std::string name;
    fs::path place;
    bool isModule = false; // without it the entry is of no use
};

std::vector<CachedFile> filesOf(const BuildPlan& plan) {
    std::vector<CachedFile> files;
    const std::vector<fs::path> modules = plan.modules();
    const std::array<std::pair<const char*, const fs::path*>, 7> all = {{{"host.so", &plan.hostModule},
                                                                         {"device.so", &plan.deviceModule},
                                                                         {"checked.so", &plan.checkedModule},
                                                                         {"facts.json", &plan.moduleFacts},
                                                                         {"kernel.co", &plan.codeObject},
                                                                         {"notes.txt", &plan.notesText},
                                                                         {"disassembly.txt", &plan.disassembly}}};
    for (const auto& [fileName, place] : all) {
        if (!place->empty()) {
            files.push_back({fileName, *place, std::find(modules.begin(), modules.end(), *place) != modules.end()});
        }
    }
    return files;
}

// The key becomes a path, so it must be what planBuild makes.
bool isKey(std::string_view key) {
    return key.size() == 64 && key.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

fs::path entryFolder(const fs::path& folder, const std::string& key) {
    return folder / key.substr(0, 2) / key;
}

fs::path uniqueName(const fs::path& folder) {
    const Seed seed = randomSeed();
    std::string digits;
    for (std::size_t i = 0; i < 8; ++i) {
        digits += fmt::format("{:02x}", seed.at(i));
    }
    return folder / ("tmp-" + digits);
}

void discard(const fs::path& folder, const fs::path& entry) {
    const fs::path aside = uniqueName(folder);
    std::error_code code;
    fs::rename(entry, aside, code);
    if (!code) {
        fs::remove_all(aside, code);
    }
}

std::map<std::string, std::string> readManifest(const fs::path& entry) {
    std::map<std::string, std::string> hashes;
    const auto text = readFile(entry / manifestName, 65536);
    for (const std::string_view line : lines(text ? std::string_view(*text) : std::string_view())) {
        if (const std::size_t space = line.find(' '); space != std::string_view::npos) {
            hashes.emplace(line.substr(space + 1), line.substr(0, space));
        }
    }
    return hashes;
}

class FolderLock {
public:
    explicit FolderLock(const fs::path& folder)
        : m_descriptor(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {}
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock() {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
        }
    }
    bool taken() const { return m_descriptor >= 0 && ::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0; }

private:
    int m_descriptor;
};

struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t sizeBytes = 0;
};

std::vector<Entry> entriesOf(const fs::path& folder) {
    std::vector<Entry> entries;
    std::error_code code;
    for (fs::directory_iterator shard(folder, code), end; !code && shard != end; shard.increment(code)) {
        std::error_code inner;
        for (fs::directory_iterator at(shard->path(), inner); !inner && at != end; at.increment(inner)) {
            if (!isKey(at->path().filename().string())) {
                continue;
            }
            std::error_code ignored;
            Entry entry{at->path(), fs::last_write_time(at->path(), ignored), 0};
            for (fs::directory_iterator file(at->path(), ignored); !ignored && file != end; file.increment(ignored)) {
                std::error_code gone;
                const std::uintmax_t size = file->file_size(gone);
                entry.sizeBytes += gone ? 0 : size;
            }
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

void removeLeftovers(const fs::path& folder) {
    const auto oldest = fs::file_time_type::clock::now() - leftoverAge;
    std::error_code code;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
        std::error_code ignored;
        if (at->path().filename().string().starts_with("tmp-") && fs::last_write_time(at->path(), ignored) < oldest &&
            !ignored) {
            fs::remove_all(at->path(), ignored);
        }
    }
}

// One process at a time tidies up; who finds another at it has nothing to do.
void shrink(const fs::path& folder, std::uint64_t limitBytes) {
    const FolderLock lock(folder);
    if (!lock.taken()) {
        return;
    }
    removeLeftovers(folder);
    std::vector<Entry> entries = entriesOf(folder);
    std::uint64_t total = 0;
    for (const Entry& entry : entries) {
        total += entry.sizeBytes;
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (total <= limitBytes) {
            break;
        }
        discard(folder, entry.path);
        total -= entry.sizeBytes;
    }
}

} // namespace

BuildCache::BuildCache(fs::path folder, std::uint64_t limitBytes)
    : m_folder(std::move(folder)), m_limitBytes(limitBytes) {}

bool BuildCache::restore(const BuildPlan& plan, std::string& log) const {
    if (!isKey(plan.key)) {
        return false;
    }
    const fs::path entry = entryFolder(m_folder, plan.key);
    const auto hashes = readManifest(entry);
    const auto isMissing = [&](const CachedFile& file) { return file.isModule && !hashes.contains(file.name); };
    if (const auto all = filesOf(plan); !hashes.contains(logName) || std::any_of(all.begin(), all.end(), isMissing)) {
        return false;
    }
    // All is read before anything is written: the entry may be removed at any moment.
    std::vector<CachedFile> files = filesOf(plan);
    files.push_back({logName, {}});
    std::vector<std::pair<fs::path, std::string>> contents;
    for (const CachedFile& file : files) {
        const auto known = hashes.find(file.name);
        if (known == hashes.end()) {
            continue; // that build had no report
        }
        auto content = readFile(entry / file.name, fileLimitBytes);
        if (!content || sha256Hex(*content) != known->second) {
            discard(m_folder, entry);
            return false;
        }
        contents.emplace_back(file.place, std::move(*content));
    }
    log = std::move(contents.back().second);
    contents.pop_back();
    for (const auto& [place, content] : contents) {
        if (!writeFileAtomically(place, content)) {
            return false;
        }
    }
    ::utimensat(AT_FDCWD, entry.c_str(), nullptr, 0); // used now
    return true;
}

void BuildCache::store(const BuildPlan& plan, std::string_view log) const {
    std::error_code code;
    const std::vector<fs::path> modules = plan.modules();
    const auto isThere = [&](const fs::path& module) { return fs::exists(module, code); };
    if (!isKey(plan.key) || modules.empty() || !std::all_of(modules.begin(), modules.end(), isThere)) {
        return;
    }
    const fs::path entry = entryFolder(m_folder, plan.key);
    const fs::path filled = uniqueName(m_folder);
    if (!makeDirectories(filled) || !makeDirectories(entry.parent_path())) {
        return;
    }
    std::string manifest;
    bool complete = true;
    for (const CachedFile& file : filesOf(plan)) {
        const auto content = readFile(file.place, fileLimitBytes);
        if (content) {
            complete = complete && writeFileAtomically(filled / file.name, *content);
            manifest += fmt::format("{} {}\n", sha256Hex(*content), file.name);
        }
    }
    manifest += fmt::format("{} {}\n", sha256Hex(log), logName);
    complete =
        complete && writeFileAtomically(filled / logName, log) && writeFileAtomically(filled / manifestName, manifest);
    if (complete) {
        fs::rename(filled, entry, code); // fails when another process was faster: then the entry is the same
    }
    fs::remove_all(filled, code);
    shrink(m_folder, m_limitBytes);
}

} // namespace gks
