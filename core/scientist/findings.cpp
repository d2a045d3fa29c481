// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/findings.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/store.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/held_out.h"
#include "core/scientist/tunables.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

// A finding is found again by its subject, reduced to a set of words: lower case, without words that carry no meaning,
// without endings. Two subjects are the same when their sets share at least 60 % (Jaccard's index) and their numbers
// are equal: padding by 8 is not padding by 16.
//
// A gain is the ratio of a paired comparison, before over after. Intervals of repeated tries are combined on its
// logarithm, where they are nearly symmetric, with weights 1 / s^2, s a quarter of the interval's width over 0.98
// (inverse variance, fixed effect: Cochran, "The Combination of Estimates from Different Experiments", 1954). Combining
// one after the other gives the same as all at once, so a finding needs no more than its interval. What helped one
// kernel may not help another; intervals that do not overlap are therefore not averaged but joined.
//
// A result helps, hurts or makes no difference when its whole interval lies above, below or inside the margin of a tie;
// otherwise it is undecided, and contradicts nothing. A decided result that differs from a decided finding contradicts
// it. Cost: the words of every finding for each evaluation.
namespace gks {
namespace {

constexpr double sameShare = 0.6;
constexpr std::size_t subjectWordLimit = 12;
constexpr std::size_t subjectLimitBytes = 96;
constexpr std::size_t reasonLimitBytes = 200;
constexpr std::size_t quotedReportLimitBytes = 240;
constexpr std::size_t lessonLimitBytes = 600;
constexpr std::size_t shownChanges = 4;
constexpr double noticedChange = 0.1; // of a static fact, relative

enum class Effect { helps, hurts, none, undecided };

// As the judge decides: see statistics.h.
Effect effectOf(const Interval& gain, double marginPercent) {
    const double margin = 1 + marginPercent / 100;
    if (gain.low > margin) {
        return Effect::helps;
    }
    if (gain.high < 1 / margin) {
        return Effect::hurts;
    }
    return gain.low >= 1 / margin && gain.high <= margin ? Effect::none : Effect::undecided;
}

const std::set<std::string>& emptyWords() {
    static const std::set<std::string> words = {
        "a",    "an",   "and",  "are", "as",  "at",      "be",  "by",   "each", "for",   "from", "in",
        "into", "is",   "it",   "its", "of",  "on",      "one", "or",   "per",  "set",   "so",   "that",
        "the",  "then", "this", "to",  "try", "instead", "use", "with", "when", "where", "via",  "kernel"};
    return words;
}

std::string stem(std::string word) {
    for (const std::string_view ending : {"ing", "ed", "es", "s", "e"}) {
        if (word.size() > ending.size() + 2 && word.ends_with(ending)) {
            word.resize(word.size() - ending.size());
            break;
        }
    }
    // "padd" and "unroll": a doubled last letter is an ending's doing or does not matter
    if (word.size() > 3 && word[word.size() - 1] == word[word.size() - 2]) {
        word.pop_back();
    }
    return word;
}

struct Words {
    std::set<std::string> words;
    std::multiset<std::string> numbers;
};

Words wordsOf(const std::string& subject) {
    Words found;
    const std::string text = lowered(subject);
    for (const std::string_view part : words(text)) {
        std::string word(part);
        if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
            found.numbers.insert(std::move(word));
        } else if (!emptyWords().contains(word)) {
            found.words.insert(stem(word));
        }
    }
    return found;
}

// What a model called its kernel; otherwise the first clause of the experiment, at most a dozen words.
std::string subjectOf(const Experiment& experiment, const Kernel& kernel) {
    const std::string title = oneLine(sanitizedUtf8(trimmed(kernel.title)), subjectLimitBytes);
    if (kernel.author == Author::model && !title.empty()) {
        return title;
    }
    return subjectFrom(experiment.description);
}

// Figures of the machine are no lessons, and what a model said without a gain cannot be measured again.
bool mayBeTriedAgain(const Finding& finding) {
    return !finding.subject.empty() && !finding.probe && (finding.author != Author::model || finding.gain);
}

// Several values at once teach nothing of any of them.
bool changesOneTunable(const Population& population, const Experiment& experiment) {
    const Kernel* parent = population.kernel(experiment.parent);
    int changed = 0;
    const std::string source = parent == nullptr ? std::string() : parent->source.orNothing();
    for (const Tunable& tunable : findTunables(source)) {
        const auto value = experiment.tunables.find(tunable.name);
        changed += value != experiment.tunables.end() && value->second != tunable.current ? 1 : 0;
    }
    return changed == 1;
}

std::string gainText(const Interval& gain, double marginPercent) {
    const std::string text = formatRatio(std::sqrt(gain.low * gain.high), gain);
    switch (effectOf(gain, marginPercent)) {
    case Effect::helps:
        return text + " faster";
    case Effect::hurts:
        return text + " slower";
    case Effect::none:
        return text + " no difference";
    case Effect::undecided:
        break;
    }
    return text + " not decided";
}

// What came with the result. Not why: nobody has proven that.
std::string circumstances(const Kernel& kernel, const Evaluation& evaluation, const FindingContext& context) {
    std::string text;
    const bool isOfMeasured =
        evaluation.verdict.target == name(TargetKind::amd); // else it is of another machine's build
    if (isOfMeasured && context.parentReport && evaluation.verdict.staticReport) {
        const std::string changes = staticChanges(*context.parentReport, *evaluation.verdict.staticReport);
        text += changes.empty() ? "" : "; changed: " + changes;
    }
    const std::vector<RubricItem> rubric = kernel.rubric.orNothing();
    const auto list = [&](const char* what, const auto& belongs) {
        std::vector<std::string> items;
        for (const RubricItem& item : rubric) {
            if (belongs(item)) {
                items.push_back(abbreviated(sanitizedUtf8(item.item), reasonLimitBytes));
            }
        }
        text += items.empty() ? "" : fmt::format("; {}: {}", what, join(items, ", "));
    };
    list("not done", [](const RubricItem& item) { return !item.claimed; });
    list("reported but not found in the code",
         [](const RubricItem& item) { return item.claimed && item.confirmed == false; });
    const std::string report = rubric.empty() && kernel.author == Author::model ? kernel.report.orNothing() : "";
    if (!trimmed(report).empty()) {
        text += "; Writer's report: " +
                replaceAll(abbreviated(sanitizedUtf8(trimmed(report)), quotedReportLimitBytes), "\n", " ");
    }
    if (!trimmed(context.lesson).empty()) {
        text += "\n" + abbreviated(sanitizedUtf8(trimmed(context.lesson)), lessonLimitBytes);
    }
    return text;
}

bool contains(const std::vector<std::int64_t>& ids, std::int64_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// One try of a subject, ready to be told.
struct Try {
    std::string subject;
    std::string parent;
    std::optional<Interval> gain;
    std::string failure;
    std::string circumstances;
};

std::string textOf(const Finding& finding, const Try& newest, double marginPercent) {
    const std::size_t tries = finding.evaluations.size();
    const std::string what = tries > 1
                                 ? fmt::format("{}, tried {} times, last on {}", finding.subject, tries, newest.parent)
                                 : fmt::format("{}, tried on {}", finding.subject, newest.parent);
    const std::string result = finding.gain
                                   ? gainText(*finding.gain, marginPercent) + (tries > 1 ? " (all tries combined)" : "")
                                   : newest.failure;
    return what + ": " + result + newest.circumstances;
}

FindingChange contradicted(Finding finding, const Try& newest, const Evaluation& evaluation, double marginPercent) {
    finding.contradicting.push_back(evaluation.id);
    if (finding.state == FindingState::standing) {
        finding.state = FindingState::contradicted;
    }
    if (!finding.editedByPerson) {
        finding.text += fmt::format("\nContradicted on {}: {}{}", newest.parent, gainText(*newest.gain, marginPercent),
                                    newest.circumstances);
    }
    return {std::move(finding), false, true};
}

} // namespace

std::string subjectFrom(std::string_view given) {
    std::string text = replaceAll(sanitizedUtf8(trimmed(given)), "\n", " ");
    for (const std::string_view end : {". ", "; ", ": "}) {
        text = text.substr(0, text.find(end));
    }
    std::string subject;
    std::size_t count = 0;
    for (const std::string& word : split(text, ' ')) {
        if (word.empty() || count == subjectWordLimit || subject.size() + word.size() > subjectLimitBytes) {
            continue;
        }
        subject += (subject.empty() ? "" : " ") + word;
        ++count;
    }
    while (!subject.empty() && (subject.back() == '.' || subject.back() == ',')) {
        subject.pop_back();
    }
    return subject;
}

bool sameSubject(const std::string& a, const std::string& b) {
    const Words first = wordsOf(a);
    const Words second = wordsOf(b);
    if (first.numbers != second.numbers || first.words.empty()) {
        return first.numbers == second.numbers && first.words == second.words && !first.numbers.empty();
    }
    std::size_t shared = 0;
    for (const std::string& word : first.words) {
        shared += second.words.contains(word) ? 1 : 0;
    }
    const std::size_t all = first.words.size() + second.words.size() - shared;
    return static_cast<double>(shared) >= sameShare * static_cast<double>(all);
}

Interval combined(const Interval& a, const Interval& b) {
    if (a.high < b.low || b.high < a.low) {
        return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    double weights = 0;
    double sum = 0;
    for (const Interval& one : {a, b}) {
        const double low = std::log(one.low);
        const double high = std::log(one.high);
        const double deviation = std::max((high - low) / (2 * z95), 1e-6);
        weights += 1 / (deviation * deviation);
        sum += (low + high) / 2 / (deviation * deviation);
    }
    const double half = z95 / std::sqrt(weights);
    return {std::exp(sum / weights - half), std::exp(sum / weights + half)};
}

std::string staticChanges(const StaticReport& before, const StaticReport& after) {
    struct Fact {
        const char* label;
        double before = 0;
        double after = 0;
        bool bytes = false;
    };
    const auto largest = [](const StaticReport& report, int KernelResources::* member) {
        int most = 0;
        for (const KernelResources& kernel : report.kernels) {
            most = std::max(most, kernel.*member);
        }
        return static_cast<double>(most);
    };
    const auto waves = [](const StaticReport& report) {
        int least = 0;
        for (const KernelResources& kernel : report.kernels) {
            least = least == 0 ? kernel.occupancyWavesPerSimd : std::min(least, kernel.occupancyWavesPerSimd);
        }
        return static_cast<double>(least);
    };
    const auto instructions = [](const StaticReport& report, const char* kind) {
        int sum = 0;
        for (const KernelResources& kernel : report.kernels) {
            const auto found = kernel.instructions.find(kind);
            sum += found == kernel.instructions.end() ? 0 : found->second;
        }
        return static_cast<double>(sum);
    };
    std::vector<Fact> facts = {{"waves per SIMD", waves(before), waves(after)}};
    const std::pair<const char*, int KernelResources::*> members[] = {{"VGPR spills", &KernelResources::vgprSpills},
                                                                      {"VGPR", &KernelResources::vgprs},
                                                                      {"AGPR", &KernelResources::agprs}};
    for (const auto& [label, member] : members) {
        facts.push_back({label, largest(before, member), largest(after, member)});
    }
    facts.push_back(
        {"LDS", largest(before, &KernelResources::ldsBytes), largest(after, &KernelResources::ldsBytes), true});
    facts.push_back({"scratch", largest(before, &KernelResources::scratchBytes),
                     largest(after, &KernelResources::scratchBytes), true});
    const std::pair<const char*, const char*> kinds[] = {
        {"matrix instructions", "mfma"}, {"loads", "vmem_load"},  {"stores", "vmem_store"},
        {"LDS instructions", "lds"},     {"barriers", "barrier"}, {"vector instructions", "valu"}};
    for (const auto& [label, kind] : kinds) {
        facts.push_back({label, instructions(before, kind), instructions(after, kind)});
    }
    const auto change = [](const Fact& fact) {
        return std::abs(fact.after - fact.before) / std::max({fact.before, fact.after, 1.0});
    };
    std::erase_if(facts, [&](const Fact& fact) { return change(fact) < noticedChange; });
    std::stable_sort(facts.begin(), facts.end(), [&](const Fact& a, const Fact& b) { return change(a) > change(b); });
    facts.resize(std::min(facts.size(), shownChanges));
    std::vector<std::string> parts;
    for (const Fact& fact : facts) {
        const auto shown = [&](double value) {
            return fact.bytes ? formatBytes(static_cast<std::uint64_t>(value)) : fmt::format("{:.0f}", value);
        };
        parts.push_back(fmt::format("{} {} to {}", fact.label, shown(fact.before), shown(fact.after)));
    }
    return join(parts, ", ");
}

std::optional<FindingChange> updateFindings(const Population& population, const Experiment& experiment,
                                            const Kernel& kernel, const Evaluation& evaluation,
                                            const FindingContext& context) {
    const Verdict& verdict = evaluation.verdict;
    const bool tuned = evaluation.purpose == tunedPurpose;
    const bool accepted = isAccepted(verdict.kind);
    const bool compared = accepted && verdict.comparison && verdict.comparison->ci95.low > 0 &&
                          (tuned || evaluation.baseline == experiment.parent);
    const bool failed =
        !accepted && verdict.kind != VerdictKind::infrastructureFailed && experiment.state == ExperimentState::failed;
    const bool teaches = experiment.author != Author::tuner || changesOneTunable(population, experiment);
    Try newest = {
        subjectOf(experiment, kernel), kernelLabel(evaluation.baseline.value_or(experiment.parent)), {}, {}, {}};
    if (isBesideTheLoop(evaluation.purpose) || (!compared && !failed) || !teaches || newest.subject.empty()) {
        return {};
    }
    newest.circumstances = circumstances(kernel, evaluation, context);
    if (compared) {
        newest.gain = verdict.comparison->ci95;
    } else {
        newest.failure =
            fmt::format("failed ({}: {})", name(verdict.kind),
                        abbreviated(sanitizedUtf8(withoutHeldOutShapes(verdict.reason)), reasonLimitBytes));
    }
    const double margin = population.settings.tieMarginPercent;
    const auto known =
        std::find_if(population.findings.begin(), population.findings.end(), [&](const Finding& finding) {
            return mayBeTriedAgain(finding) && sameSubject(finding.subject, newest.subject);
        });
    if (known == population.findings.end()) {
        Finding finding;
        finding.subject = newest.subject;
        finding.gain = newest.gain;
        finding.evaluations = {evaluation.id};
        finding.author = Author::engine;
        finding.text = textOf(finding, newest, margin);
        return FindingChange{std::move(finding), true, false};
    }
    if (contains(known->evaluations, evaluation.id) || contains(known->contradicting, evaluation.id)) {
        return {};
    }
    if (!newest.gain) { // what works somewhere is not worth less for a draft that failed
        return {};
    }
    Finding finding = *known;
    finding.changedAt = 0;
    std::erase_if(finding.evaluations, [&](std::int64_t id) { return contains(context.superseded, id); });
    std::erase_if(finding.contradicting, [&](std::int64_t id) { return contains(context.superseded, id); });
    if (finding.contradicting.empty() && finding.state == FindingState::contradicted) {
        finding.state = FindingState::standing;
    }
    if (finding.evaluations.empty() || !finding.gain) { // superseded, or nothing but failures so far
        finding.evaluations.clear();
        finding.gain.reset();
    }
    const Effect before = finding.gain ? effectOf(*finding.gain, margin) : Effect::undecided;
    const Effect now = effectOf(*newest.gain, margin);
    if (before != Effect::undecided && now != Effect::undecided && before != now) {
        return contradicted(std::move(finding), newest, evaluation, margin);
    }
    finding.evaluations.push_back(evaluation.id);
    finding.gain = finding.gain ? combined(*finding.gain, *newest.gain) : *newest.gain;
    if (!finding.editedByPerson && finding.author != Author::model && finding.contradicting.empty()) {
        finding.text = textOf(finding, newest, margin);
    }
    return FindingChange{std::move(finding), false, false};
}

} // namespace gks
