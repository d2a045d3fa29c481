// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/knowledge.h"

#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/machine.h"
#include "core/scientist/prompt.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace gks {
namespace {

constexpr int passageLimit = 40;                   // looked at for one prompt
constexpr std::size_t quotationLimitBytes = 40000; // more than a digest or a passage ever has
constexpr double headingWeight = 3;                // of a word there against one in the text
constexpr std::string_view alwaysMark = "<!-- always -->";

bool contains(std::string_view text, const std::string& word) {
    return text.find(word) != std::string_view::npos;
}

// How much each section has to do with the question: the words that it has, each counting the more the fewer sections
// have it.
std::vector<double> relevance(const std::vector<KnowledgeSection>& sections, const std::vector<std::string>& words) {
    std::vector<std::string> texts;
    std::vector<std::string> headings;
    for (const KnowledgeSection& section : sections) {
        texts.push_back(lowered(section.text));
        headings.push_back(lowered(section.heading));
    }
    std::vector<double> scores(sections.size(), 0);
    for (const std::string& word : words) {
        const auto having = std::count_if(texts.begin(), texts.end(), [&](const auto& t) { return contains(t, word); });
        const double weight = std::log(static_cast<double>(sections.size() + 1) / static_cast<double>(having + 1));
        for (std::size_t i = 0; i < sections.size(); ++i) {
            scores[i] += contains(headings[i], word) ? headingWeight * weight : contains(texts[i], word) ? weight : 0;
        }
    }
    return scores;
}

// What has been taken so far, and what it costs.
class Basket {
public:
    explicit Basket(std::int64_t budget) : m_left(budget), m_budget(budget) {}

    std::int64_t left() const { return m_left; }
    std::int64_t used() const { return m_budget - m_left; }
    bool take(const std::string& kind, std::string name, std::string_view text) {
        const std::int64_t tokens = estimatedTokens(text);
        if (tokens > m_left) {
            return false;
        }
        m_left -= tokens;
        m_inclusions.push_back({kind, std::move(name), tokens});
        return true;
    }
    std::vector<Inclusion> inclusions() && { return std::move(m_inclusions); }

private:
    std::int64_t m_left;
    std::int64_t m_budget;
    std::vector<Inclusion> m_inclusions;
};

class MachineSections {
public:
    static Result<MachineSections> read(const std::vector<std::string>& machines) {
        MachineSections all;
        for (const std::string& machine : machines) {
            GKS_TRY_ASSIGN(auto sections, knowledgeSections(machine));
            std::move(sections.begin(), sections.end(), std::back_inserter(all.m_sections));
        }
        all.m_taken.resize(all.m_sections.size());
        return all;
    }
    void rank(const std::vector<std::string>& words) {
        m_scores = relevance(m_sections, words);
        m_order.resize(m_sections.size());
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            m_order[i] = i;
        }
        std::stable_sort(m_order.begin(), m_order.end(),
                         [this](std::size_t a, std::size_t b) { return m_scores[a] > m_scores[b]; });
    }
    void takeAlways(Basket& basket) {
        for (std::size_t i = 0; i < m_sections.size(); ++i) {
            if (m_sections[i].always) {
                take(i, basket);
            }
        }
    }
    // The most relevant first, until `limit` tokens of the basket are used.
    void take(Basket& basket, bool onlyRelevant, std::int64_t limit) {
        for (const std::size_t i : m_order) {
            const bool wanted = !m_taken[i] && (!onlyRelevant || m_scores[i] > 0);
            if (wanted && basket.used() + estimatedTokens(m_sections[i].text) <= limit) {
                take(i, basket);
            }
        }
    }
    // In the order of the files.
    std::string text() const {
        std::string text;
        for (std::size_t i = 0; i < m_sections.size(); ++i) {
            text += m_taken[i] ? m_sections[i].text : "";
        }
        return text;
    }

private:
    void take(std::size_t i, Basket& basket) {
        const KnowledgeSection& section = m_sections[i];
        m_taken[i] = basket.take("knowledge", section.machine + ": " + section.heading, section.text);
    }

    std::vector<KnowledgeSection> m_sections;
    std::vector<bool> m_taken;
    std::vector<double> m_scores;
    std::vector<std::size_t> m_order;
};

// What is quoted of the documents. What stands round a quotation is paid for with the first one.
class DocumentExcerpts {
public:
    explicit DocumentExcerpts(const Population& population) {
        for (const Document& document : population.documents) {
            if (document.enabled) {
                m_documents.emplace(document.id, &document);
            }
        }
    }
    void takeDigests(Basket& basket) {
        for (const auto& [id, document] : m_documents) {
            if (!trimmed(document->digest).empty()) {
                const std::string digest = quoted(document->digest, quotationLimitBytes);
                take(*document, ", digest", "<digest>\n" + digest + "\n</digest>\n", basket);
            }
        }
    }
    void takePassages(const std::vector<Passage>& found, Basket& basket) {
        for (const Passage& passage : found) {
            if (const auto document = m_documents.find(passage.document); document != m_documents.end()) {
                take(*document->second, fmt::format(", passage {}", passage.number),
                     fmt::format("<passage number=\"{}\" heading=\"{}\">\n{}\n</passage>\n", passage.number,
                                 labelText(passage.heading), quoted(passage.text, quotationLimitBytes)),
                     basket);
            }
        }
    }
    std::string text() const {
        std::string text = m_quotations.empty() ? "" : std::string(introduction);
        for (const auto& [id, quotations] : m_quotations) {
            text += opening(*m_documents.at(id)) + quotations + std::string(closing);
        }
        return text;
    }

private:
    static constexpr std::string_view introduction = "From documents that the person gave to read:\n";
    static constexpr std::string_view closing = "</document>\n";

    static std::string opening(const Document& document) {
        return fmt::format("<document title=\"{}\">\n", labelText(document.title));
    }
    void take(const Document& document, const std::string& part, const std::string& quotation, Basket& basket) {
        std::string cost = quotation;
        if (!m_quotations.contains(document.id)) {
            cost += opening(document) + std::string(closing) + std::string(m_quotations.empty() ? introduction : "");
        }
        if (basket.take("document", labelText(document.title) + part, cost)) {
            m_quotations[document.id] += quotation;
        }
    }

    std::map<std::int64_t, const Document*> m_documents;
    std::map<std::int64_t, std::string> m_quotations;
};

} // namespace

Result<std::vector<KnowledgeSection>> knowledgeSections(const std::string& machine) {
    GKS_TRY_ASSIGN(const std::string text, knowledge(machine));
    std::vector<KnowledgeSection> sections;
    bool fenced = false;
    for (const std::string_view line : lines(text)) {
        fenced = fenced != line.starts_with("```");
        if (!fenced && line.starts_with("## ")) {
            KnowledgeSection section{machine, {}, {}, line.ends_with(alwaysMark)};
            section.heading =
                trimmed(line.substr(3, line.size() - 3 - (section.always ? alwaysMark.size() : std::size_t{0})));
            section.text = fmt::format("## {}: {}\n", machine, section.heading);
            sections.push_back(std::move(section));
        } else if (!sections.empty()) {
            sections.back().text += std::string(line) + "\n";
        }
    }
    for (KnowledgeSection& section : sections) {
        section.text = std::string(trimmed(section.text)) + "\n\n";
    }
    return sections;
}

std::vector<std::string> knownMachines() {
    std::vector<std::string> names;
    std::error_code code;
    for (std::filesystem::directory_iterator at(promptFolder() / "knowledge", code), end; !code && at != end;
         at.increment(code)) {
        if (at->path().extension() == ".md") {
            names.push_back(at->path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<KnowledgeChoice> chooseKnowledge(const Briefing& briefing, std::string_view question, std::int64_t tokenBudget) {
    const std::vector<std::string> words = tellingWords(question);
    const Machine about = machineOf(briefing);
    GKS_TRY_ASSIGN(auto machine, MachineSections::read(about.knowledge));
    machine.rank(words);
    DocumentExcerpts documents(*briefing.population);
    Basket basket(tokenBudget);
    std::string note;
    if (!about.note.empty() && basket.take("knowledge", about.knowledge.front() + ": of a relative", about.note)) {
        note = about.note + "\n\n";
    }
    machine.takeAlways(basket);
    machine.take(basket, true, tokenBudget / 2);
    documents.takeDigests(basket);
    if (briefing.searchPassages) {
        documents.takePassages(briefing.searchPassages(join(words, " "), passageLimit), basket);
    }
    machine.take(basket, false, tokenBudget);
    std::string text(trimmed(note + machine.text() + documents.text()));
    return KnowledgeChoice{text.empty() ? "Nothing." : std::move(text), std::move(basket).inclusions()};
}

Result<KnowledgeChoice> knowledgeFor(const Briefing& briefing, const Kernel* basis, const Experiment* experiment) {
    return chooseKnowledge(briefing, questionOf(briefing, basis, experiment),
                           briefing.population->settings.policies.knowledgeTokens);
}

} // namespace gks
