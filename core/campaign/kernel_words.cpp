// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/kernel_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gks {
namespace {

constexpr std::size_t mostKernelWords = 16; // of one question
// Words of more kernels than this tell nothing by how often they occur: the newest kernels come first then.
constexpr std::size_t mostRanked = 2000;

bool isWordByte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '_' || byte >= 0x80 || (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

// The same words that the index's tokenizer (ascii, with '_') sees, in lower case.
std::vector<std::string> kernelWordsOf(std::string_view text) {
    std::vector<std::string> found;
    std::string word;
    for (std::size_t i = 0; i <= text.size() && found.size() < mostKernelWords; ++i) {
        if (i < text.size() && isWordByte(text[i])) {
            word += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        } else if (!word.empty()) {
            found.push_back(std::exchange(word, {}));
        }
    }
    return found;
}

// All of them; the last one may be the beginning of a word. In quotes no word is an operator.
std::string matchOf(const std::vector<std::string>& words) {
    std::vector<std::string> quoted;
    for (const std::string& word : words) {
        quoted.push_back(fmt::format("\"{}\"", word));
    }
    quoted.back() += " *";
    return join(quoted, " AND ");
}

bool holdsAll(std::string_view text, const std::vector<std::string>& words) {
    std::vector<std::string> missing = words;
    std::string word;
    const std::string& last = words.back();
    for (std::size_t i = 0; i <= text.size() && !missing.empty(); ++i) {
        if (i < text.size() && isWordByte(text[i])) {
            word += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        } else if (!word.empty()) {
            std::erase_if(
                missing, [&](const std::string& one) { return one == word || (one == last && word.starts_with(one)); });
            word.clear();
        }
    }
    return missing.empty();
}

} // namespace

Result<void> indexKernel(Database& database, KernelId id, std::string_view title, std::string_view author,
                         std::string_view source) {
    const std::string label = kernelLabel(id);
    return database.run("INSERT INTO kernel_words (rowid, label, title, author, source) VALUES (?, ?, ?, ?, ?)",
                        {id, label, title, author, source});
}

Result<std::vector<KernelId>> indexedKernels(const Database& database, std::string_view words, int limit) {
    std::vector<KernelId> found;
    const std::vector<std::string> wanted = kernelWordsOf(words);
    if (wanted.empty() || limit <= 0) {
        return found;
    }
    const std::string match = matchOf(wanted);
    const auto take = [&](const Row& row) -> Result<void> {
        found.push_back(row.integer(0));
        return {};
    };
    GKS_TRY_ASSIGN(const auto hits, database.integer("SELECT count(*) FROM (SELECT 1 FROM kernel_words WHERE "
                                                     "kernel_words MATCH ? LIMIT ?)",
                                                     {match, static_cast<std::int64_t>(mostRanked) + 1}));
    const bool isRanked = hits.value_or(0) <= static_cast<std::int64_t>(mostRanked);
    GKS_TRY(database.each(isRanked ? "SELECT rowid FROM kernel_words WHERE kernel_words MATCH ? ORDER BY "
                                     "bm25(kernel_words, 8.0, 4.0, 2.0, 1.0), rowid LIMIT ?"
                                   : "SELECT rowid FROM kernel_words WHERE kernel_words MATCH ? ORDER BY rowid DESC "
                                     "LIMIT ?",
                          {match, std::int64_t{limit}}, take));
    return found;
}

Result<std::vector<KernelId>> scannedKernels(const Database& database, std::string_view words, int limit) {
    std::vector<KernelId> found;
    const std::vector<std::string> wanted = kernelWordsOf(words);
    KernelId last = 0;
    bool more = !wanted.empty() && limit > 0;
    while (more && found.size() < static_cast<std::size_t>(limit)) {
        more = false;
        GKS_TRY(database.each(
            "SELECT k.id, k.title, k.author, s.text FROM kernel k JOIN source s ON s.sha256 = "
            "k.source WHERE k.id > ? ORDER BY k.id LIMIT 256",
            {last}, [&](const Row& row) -> Result<void> {
                more = true;
                last = row.integer(0);
                if (found.size() < static_cast<std::size_t>(limit) &&
                    holdsAll(fmt::format("{} {} {} {}", kernelLabel(last), row.text(1), row.text(2), row.text(3)),
                             wanted)) {
                    found.push_back(last);
                }
                return {};
            }));
    }
    return found;
}

Result<void> fillKernelWords(Database& database) {
    KernelId last = 0;
    for (bool more = true; more;) {
        more = false;
        GKS_TRY(database.each("SELECT k.id, k.title, k.author, s.text FROM kernel k JOIN source s ON s.sha256 = "
                              "k.source WHERE k.id > ? ORDER BY k.id LIMIT 256",
                              {last}, [&](const Row& row) -> Result<void> {
                                  more = true;
                                  last = row.integer(0);
                                  return indexKernel(database, last, row.text(1), row.text(2), row.text(3));
                              }));
    }
    return {};
}

} // namespace gks
