// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/held_out.h"

#include "core/judge/verdict.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <string_view>

namespace gks {
namespace {

constexpr std::string_view hiddenShape = "a shape that is not shown";
constexpr std::string_view decimalDigits = "0123456789";

// "m=64 n=128" at `at`, for the dims m and n; empty where no such label begins there.
std::string_view shapeLabelAt(std::string_view text, std::size_t at, const std::vector<std::string>& dims) {
    std::size_t end = at;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::string begin = (i == 0 ? "" : " ") + dims[i] + "=";
        if (!text.substr(end).starts_with(begin)) {
            return {};
        }
        const std::size_t digits = end + begin.size();
        end = std::min(text.find_first_not_of(decimalDigits, digits), text.size());
        if (end == digits) {
            return {};
        }
    }
    return text.substr(at, end - at);
}

std::set<std::string> shownLabels(const ProblemPack& problem) {
    std::set<std::string> labels;
    for (const ShapeSet set : {ShapeSet::test, ShapeSet::benchmark, ShapeSet::quick, ShapeSet::cpu}) {
        for (const Shape& shape : problem.shapesOf(set)) {
            labels.insert(problem.shapeLabel(shape));
        }
    }
    return labels;
}

std::string withoutUnknownShapes(std::string_view text, const ProblemPack& problem) {
    static constexpr std::array shownPhases = {phase::test,      phase::benchmark,      phase::benchmarkCut,
                                               phase::largest,   phase::largestCut,     phase::reversed,
                                               phase::timedCall, phase::everyTimedCall, phase::beforeMeasuring};
    const std::set<std::string> labels = shownLabels(problem);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view label = problem.dims.empty() ? "" : shapeLabelAt(text, at, problem.dims);
        if (label.empty()) {
            result += text[at++];
            continue;
        }
        at += label.size();
        const std::string_view behind = text.substr(at);
        const bool isOfShownPhase =
            behind.starts_with(", ") && std::any_of(shownPhases.begin(), shownPhases.end(),
                                                    [&](auto shown) { return behind.substr(2).starts_with(shown); });
        const bool isShown = isOfShownPhase || labels.contains(std::string(label));
        result += isShown ? label : hiddenShape;
    }
    return result;
}

} // namespace

// Of "983 of 3072 elements differ, first at 96: expected 1, got 2" the numbers would give the shape away.
std::string withoutExtents(std::string text) {
    constexpr std::string_view differ = " elements differ";
    constexpr std::string_view of = " of ";
    constexpr std::string_view firstAt = ", first at ";
    for (std::size_t at = text.find(differ); at != std::string::npos;) {
        const std::size_t behind = at + differ.size();
        if (text.compare(behind, firstAt.size(), firstAt) == 0) {
            const std::size_t end =
                std::min(text.find_first_not_of(decimalDigits, behind + firstAt.size()), text.size());
            text.erase(behind, end - behind);
        }
        const std::size_t all = text.find_last_not_of(decimalDigits, at - 1) + 1;
        if (all > of.size() && all < at && text.compare(all - of.size(), of.size(), of) == 0) {
            const std::size_t begin = text.find_last_not_of(decimalDigits, all - of.size() - 1) + 1;
            text.replace(begin, at - begin, "some");
            at = begin + std::string_view("some").size();
        }
        at = text.find(differ, at + differ.size());
    }
    return text;
}

// A reason begins with the shape: "wrong: m=64 n=64, held-out, as declared: c: 3 of 9 elements differ".
std::string withoutHeldOutShapes(std::string text, const ProblemPack* problem) {
    const std::string mark = fmt::format(", {}", phase::heldOut);
    const bool isOfSecret = text.find(mark) != std::string::npos;
    for (std::size_t end = text.find(mark); end != std::string::npos;) {
        const std::size_t before = text.rfind(": ", end);
        const std::size_t begin = before == std::string::npos ? 0 : before + 2;
        text.replace(begin, end - begin, hiddenShape);
        end = text.find(mark, begin + hiddenShape.size() + mark.size());
    }
    if (isOfSecret) {
        text = withoutExtents(std::move(text));
    }
    return problem == nullptr ? text : withoutUnknownShapes(text, *problem);
}

} // namespace gks
