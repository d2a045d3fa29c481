// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/kernel_words.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace gks {
namespace {

constexpr std::size_t mostKernelWords = 16; // of one question
// Of more kernels than this the newest come first, whatever the words stand in.
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

// All of them. In quotes no word is an operator.
enum class LastWord { whole, orBeginning };
std::string matchOf(const std::vector<std::string>& words, LastWord last) {
    std::vector<std::string> quoted;
    for (const std::string& word : words) {
        quoted.push_back(fmt::format("\"{}\"", word));
    }
    if (last == LastWord::orBeginning) {
        quoted.back() += " *";
    }
    return join(quoted, " AND ");
}

Result<std::vector<KernelId>> matchingKernels(const Database& database, const std::string& match, int limit) {
    std::vector<KernelId> found;
    const auto take = [&](const Row& row) -> Result<void> {
        found.push_back(row.integer(0));
        return {};
    };
    GKS_TRY(database.each("SELECT rowid FROM kernel_words WHERE kernel_words MATCH ? ORDER BY rowid DESC LIMIT ?",
                          {match, std::max<std::int64_t>(limit, mostRanked + 1)}, take));
    if (found.size() <= mostRanked) { // those that are called so come before those that only have the words
        std::set<KernelId> named;
        const std::string ofName = "{label title} : (" + match + ")";
        GKS_TRY(database.each("SELECT rowid FROM kernel_words WHERE kernel_words MATCH ?", {ofName},
                              [&](const Row& row) -> Result<void> {
                                  named.insert(row.integer(0));
                                  return {};
                              }));
        std::stable_partition(found.begin(), found.end(), [&](KernelId id) { return named.contains(id); });
    }
    found.resize(std::min(found.size(), static_cast<std::size_t>(limit)));
    return found;
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

// Whole words first: they are what was asked for, and are found without a look at every word with that beginning.
Result<std::vector<KernelId>> indexedKernels(const Database& database, std::string_view words, int limit) {
    const std::vector<std::string> wanted = kernelWordsOf(words);
    if (wanted.empty() || limit <= 0) {
        return std::vector<KernelId>();
    }
    GKS_TRY_ASSIGN(auto found, matchingKernels(database, matchOf(wanted, LastWord::whole), limit));
    if (found.size() == static_cast<std::size_t>(limit)) {
        return found;
    }
    GKS_TRY_ASSIGN(const auto more, matchingKernels(database, matchOf(wanted, LastWord::orBeginning), limit));
    const std::set<KernelId> known(found.begin(), found.end());
    for (const KernelId id : more) {
        if (found.size() < static_cast<std::size_t>(limit) && !known.contains(id)) {
            found.push_back(id);
        }
    }
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
