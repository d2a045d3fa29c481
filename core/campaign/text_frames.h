// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Long texts in the campaign file. The verdicts of a campaign resemble each other, and so do its prompts: a text is a
// zstd frame against the newest dictionary of its kind, which is an earlier text. One that resembles the text before it
// much more than the dictionary becomes the next dictionary. A prompt and its reply also quote kernels whose sources
// the file has: these follow the dictionary. Before the frame a skippable one names the dictionary and the sources, by
// their hashes, so that any column can hold either; a file of an earlier schema has plain text in some columns and
// frames without a dictionary in others. One thread uses one at a time.
class TextFrames {
public:
    // What the column is to hold. Belongs into the caller's transaction: it may add a dictionary. `quoted`: the
    // sha256 of sources that the file has and the text may quote.
    Result<std::string> pack(Database& database, std::string_view kind, std::string_view text,
                             const std::vector<std::string>& quoted = {});
    // What a frame holds. `where` names the column in messages.
    Result<std::string> unpack(const Database& database, std::string_view frame, std::string_view where) const;
    // The text of a column that holds a frame, or text as it is.
    Result<std::string> read(const Database& database, const Row& row, int column, std::string_view where) const;

private:
    using Text = std::shared_ptr<const std::string>;
    Result<Text> dictionary(const Database& database, std::int64_t id, std::string_view where) const;
    Result<Text> source(const Database& database, std::int64_t id, std::string_view where) const;
    Result<std::string> prefix(const Database& database, const std::vector<std::int64_t>& names,
                               std::string_view where) const;
    void keep(std::int64_t id, Text text) const;

    struct Steady {
        std::size_t bytes = 0; // of a frame
        int texts = 0;         // whose frames were of that size since
    };
    static bool isSteady(Steady& known, std::size_t bytes);

    std::map<std::string, Steady> m_steady;       // by kind
    std::map<std::string, Text> m_last;           // that was packed, by kind
    mutable std::map<std::int64_t, Text> m_known; // by hash: what was rolled back is not wrong, only unused
};

} // namespace gks
