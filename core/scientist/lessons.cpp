// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/lessons.h"

#include "core/base/text.h"
#include "core/campaign/finding_use.h"
#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "core/scientist/briefing_text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

std::optional<std::int64_t> labelNumber(std::string_view digits) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return failure == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

Result<void> addSource(Lesson& lesson, const std::string& label, const Population& population) {
    if (label.starts_with('F')) {
        const auto finding = findingWithLabel(label, population);
        if (!finding) {
            return usageError("from: " + finding.error().what);
        }
        lesson.findings.push_back(*finding);
        return {};
    }
    const auto id = labelNumber(label);
    const Kernel* kernel = id ? population.kernel(*id) : nullptr;
    if (kernel == nullptr) {
        return usageError(fmt::format("from: kernel {} not found", quoted(label, 20)));
    }
    if (!kernel->verdict) {
        return usageError(fmt::format("from: kernel {} is not judged yet, so it teaches nothing", kernelLabel(*id)));
    }
    lesson.kernels.push_back(kernel->id);
    return {};
}

// A gain that nobody measured would be believed by every later prompt.
Result<void> checkGain(const Lesson& lesson, const Population& population) {
    if (!lesson.gain) {
        return {};
    }
    if (!(lesson.gain->low <= lesson.gain->high)) {
        return usageError("gain: the lowest is above the highest");
    }
    const bool isMeasured = std::ranges::any_of(lesson.kernels, [&](KernelId id) {
        const auto& step = population.kernel(id)->versusParent;
        return step && step->ci95.low <= lesson.gain->high && lesson.gain->low <= step->ci95.high;
    });
    return isMeasured ? Result<void>()
                      : usageError(fmt::format("gain: no kernel of `from` was measured with a gain of {}; name one "
                                               "that was, or leave it empty",
                                               gainRangeText(*lesson.gain)));
}

Result<Lesson> lessonFrom(const Json& row, const Population& population) {
    Lesson lesson;
    lesson.text = sanitizedUtf8(trimmed(row.at("text").get<std::string>()));
    if (lesson.text.empty()) {
        return usageError("text is empty");
    }
    for (const Json& label : row.at("from")) {
        GKS_TRY(addSource(lesson, label.get<std::string>(), population));
    }
    const Json& gain = row.at("gain");
    if (gain.size() == 1) {
        return usageError("gain: it is [lowest, highest], or empty");
    }
    if (!gain.empty()) {
        lesson.gain = Interval{gain.at(0).get<double>(), gain.at(1).get<double>()};
    }
    GKS_TRY(checkGain(lesson, population));
    return lesson;
}

std::vector<std::int64_t> evaluationsOf(const Population& population, const Lesson& lesson,
                                        const std::vector<EvaluationOwner>& owners) {
    std::map<KernelId, std::int64_t> newest;
    for (const EvaluationOwner& owner : owners) {
        std::int64_t& evaluation = newest[owner.kernel];
        evaluation = std::max(evaluation, owner.evaluation);
    }
    std::vector<std::int64_t> evaluations;
    for (const KernelId kernel : lesson.kernels) {
        if (const auto found = newest.find(kernel); found != newest.end()) {
            evaluations.push_back(found->second);
        }
    }
    for (const std::int64_t id : lesson.findings) {
        if (const Finding* finding = population.finding(id)) {
            evaluations.insert(evaluations.end(), finding->evaluations.begin(), finding->evaluations.end());
        }
    }
    return evaluations;
}

void addMissing(std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& more) {
    for (const std::int64_t id : more) {
        if (std::ranges::find(ids, id) == ids.end()) {
            ids.push_back(id);
        }
    }
}

} // namespace

Result<std::int64_t> findingWithLabel(const std::string& label, const Population& population) {
    const auto id = label.starts_with('F') ? labelNumber(std::string_view(label).substr(1)) : std::nullopt;
    const Finding* finding = id ? population.finding(*id) : nullptr;
    if (finding == nullptr || finding->state == FindingState::dismissed) {
        return usageError(fmt::format("finding {} not found among those that are shown", quoted(label, 20)));
    }
    return finding->id;
}

Result<std::vector<Lesson>> lessonsFromReply(const Json& rows, const Population& population) {
    std::vector<Lesson> lessons;
    for (const Json& row : rows) {
        auto lesson = lessonFrom(row, population);
        if (!lesson) {
            return usageError(fmt::format("lesson {}: {}", lessons.size() + 1, lesson.error().what));
        }
        lessons.push_back(std::move(*lesson));
    }
    return lessons;
}

std::optional<FindingChange> lessonFinding(const Population& population, const Lesson& lesson,
                                           const std::vector<EvaluationOwner>& owners) {
    const std::string subject = subjectFrom(lesson.text);
    const std::vector<std::int64_t> evaluations = evaluationsOf(population, lesson, owners);
    const auto known = std::ranges::find_if(population.findings, [&](const Finding& finding) {
        return !finding.probe && !finding.subject.empty() && sameSubject(finding.subject, subject);
    });
    const std::string text = abbreviated(lesson.text, limits::findingBytes);
    if (known == population.findings.end()) {
        Finding finding;
        finding.subject = subject;
        finding.text = text;
        finding.gain = lesson.gain;
        addMissing(finding.evaluations, evaluations);
        finding.author = Author::model;
        return FindingChange{std::move(finding), true, false};
    }
    if (known->state == FindingState::dismissed) {
        return {};
    }
    Finding finding = *known;
    finding.changedAt = 0;
    for (const std::int64_t id : evaluations) {
        if (std::ranges::find(finding.contradicting, id) == finding.contradicting.end()) {
            addMissing(finding.evaluations, {id});
        }
    }
    if (!finding.editedByPerson) {
        finding.text = text;
        finding.author = Author::model;
        finding.gain = finding.gain ? finding.gain : lesson.gain;
    }
    return FindingChange{std::move(finding), false, false};
}

} // namespace gks
