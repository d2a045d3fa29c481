// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/scientist/knowledge.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

// Which words of a step are worth looking for. The index ranks by how rare a word is, so only what is in every text
// has to go.
namespace gks {
namespace {

constexpr std::size_t shortestWord = 3;
constexpr std::size_t longestWord = 40;
constexpr std::size_t experimentWordLimit = 32;
constexpr std::size_t problemWordLimit = 20;
constexpr std::size_t questionWordLimit = 64; // what CampaignStore::searchPassages takes

bool isFiller(const std::string& word) {
    static const std::set<std::string> fillers = {
        "about",    "above",   "across", "after",  "all",       "also",        "and",     "any",       "are",
        "auto",     "been",    "before", "being",  "below",     "between",     "bool",    "both",      "break",
        "but",      "can",     "case",   "change", "char",      "class",       "const",   "constexpr", "continue",
        "define",   "does",    "double", "each",   "else",      "endif",       "every",   "extern",    "false",
        "float",    "for",     "from",   "has",    "have",      "how",         "ifdef",   "ifndef",    "include",
        "inline",   "instead", "int",    "into",   "its",       "kernel",      "less",    "long",      "make",
        "may",      "more",    "most",   "must",   "namespace", "not",         "now",     "one",       "only",
        "other",    "out",     "over",   "pragma", "problem",   "return",      "same",    "short",     "should",
        "signed",   "size_t",  "sizeof", "some",   "static",    "static_cast", "struct",  "such",      "switch",
        "template", "than",    "that",   "the",    "their",     "them",        "then",    "there",     "these",
        "they",     "this",    "time",   "true",   "two",       "typename",    "typedef", "under",     "unsigned",
        "use",      "used",    "uses",   "using",  "void",      "volatile",    "was",     "were",      "what",
        "when",     "where",   "which",  "while",  "will",      "with",        "would",   "you",       "your"};
    return fillers.contains(word);
}

bool isTelling(const std::string& word) {
    return word.size() >= shortestWord && word.size() <= longestWord && !isFiller(word) &&
           std::isdigit(static_cast<unsigned char>(word.front())) == 0;
}

template<class Take>
void eachTellingWord(std::string_view text, Take take) {
    const std::string low = lowered(text);
    for (const std::string_view part : words(low)) {
        if (const std::string word(part); isTelling(word)) {
            take(word);
        }
    }
}

// The most frequent first; those of one frequency in alphabetical order.
std::vector<std::string> frequentIdentifiers(std::string_view source) {
    std::map<std::string, int> counts;
    eachTellingWord(withoutFormatting(source), [&](const std::string& word) { ++counts[word]; });
    std::vector<std::pair<std::string, int>> ranked(counts.begin(), counts.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> words;
    for (auto& [word, count] : ranked) {
        words.push_back(std::move(word));
    }
    return words;
}

} // namespace

std::vector<std::string> tellingWords(std::string_view text) {
    std::vector<std::string> words;
    std::set<std::string> seen;
    eachTellingWord(text, [&](const std::string& word) {
        if (seen.insert(word).second) {
            words.push_back(word);
        }
    });
    return words;
}

std::string questionOf(const Briefing& briefing, const Kernel* basis, const Experiment* experiment) {
    std::vector<std::string> question;
    const auto add = [&](const std::vector<std::string>& words, std::size_t limit) {
        for (const std::string& word : words) {
            if (limit == 0 || question.size() == questionWordLimit) {
                return;
            }
            if (std::find(question.begin(), question.end(), word) == question.end()) {
                question.push_back(word);
                --limit;
            }
        }
    };
    if (experiment != nullptr) {
        add(tellingWords(experiment->description + "\n" + experiment->rubric), experimentWordLimit);
    }
    if (briefing.problem != nullptr) {
        add(tellingWords(briefing.problem->title + "\n" + briefing.problem->notes), problemWordLimit);
    }
    if (basis != nullptr) {
        add(frequentIdentifiers(basis->source.orNothing()), questionWordLimit);
    }
    return join(question, " ");
}

} // namespace gks
