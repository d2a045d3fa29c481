// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/judge_rules.h"

#include "core/base/text.h"
#include "core/judge/plan/launch_plan.h"
#include "core/problem/probe_pack.h"
#include "core/scientist/briefing_text.h"
#include "core/target/kernel_language.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t commandTextBytes = 2000;

std::string compilerRule(TargetKind target, const std::string& language) {
    switch (target) {
    case TargetKind::cpu:
        return fmt::format("One file, {}, clang at -O3 for this processor. \"problem.h\", headers of HIP and of the "
                           "C++ library; no libraries to link. Inline assembly is that of gfx942.",
                           language);
    case TargetKind::amd:
        return fmt::format("One file, {}, clang at -O3. \"problem.h\", headers of HIP and of the C++ library; no "
                           "libraries to link. printf, malloc and assert in device code are refused.",
                           language);
    case TargetKind::nvidia:
        return fmt::format(
            "One file, {}, nvcc at -O3 for the architecture with its own features (sm_90a). \"problem.h\" and "
            "headers of HIP map HIP's names to CUDA's; headers of CUDA and inline PTX may be used; no libraries to "
            "link, no AMD builtins. printf, malloc and assert in device code are refused. Launches may be "
            "cooperative, with clusters or programmatic serialization; tensor maps are filled by the driver's "
            "function.",
            language);
    }
    return {};
}

std::string timeRule(TargetKind target) {
    return target == TargetKind::cpu
               ? "Timed is all that solve() asked for, as one call, with fresh inputs and swept caches: every input "
                 "comes from memory once. A launch costs 1 to 3 us."
               : "Timed is all that solve() asked for, from the first operation to the end of the last, with fresh "
                 "inputs and emptied caches. Each further launch costs a few us, and kernels of one stream do not "
                 "overlap.";
}

// The rule of the comparison in words; the formula is that of Tolerance.
std::string toleranceRule(const Tolerance& tolerance) {
    std::string allowed = fmt::format("{:g} + {:g} * |reference|", tolerance.absolute, tolerance.relative);
    if (tolerance.ofMagnitude > 0) {
        allowed += fmt::format(" + {:g} * the sum of the absolute values of its terms", tolerance.ofMagnitude);
    }
    return fmt::format("An output is right when it differs from the reference by at most {}.", allowed);
}

// "C++20"
std::string languageName(const Briefing& briefing) {
    std::string language = briefing.problem != nullptr ? briefing.problem->language : std::string();
    if (language.empty()) {
        const std::string_view usual = usualLanguageOption;
        language = usual.substr(usual.find('=') + 1);
    }
    language.front() = 'C';
    return language;
}

std::string tuneRule() {
    return "A number worth searching later is `#define TILE_M 64 // @tune TILE_M 32 64 128`: its values "
           "in one line, the present one among them. What must hold between such numbers: `// @tune-if "
           "TILE_M * TILE_N <= 4096`.";
}

std::string commandText(const std::vector<std::string>& words) {
    return quoted(join(words, " "), commandTextBytes);
}

// Nobody but the person knows more of it than its commands.
std::vector<std::string> harnessRules(const Harness& harness) {
    return {fmt::format("The kernel is one file, `{}`. {}", quoted(harness.source, commandTextBytes),
                        harness.build.empty() ? std::string("Nothing builds it before it is verified.")
                                              : fmt::format("It is built by: {}", commandText(harness.build))),
            fmt::format("It is {}: a program of the person's that draws the inputs and knows what is right. Right is "
                        "what this says: {}",
                        judgedByHarness(), commandText(harness.verify)),
            fmt::format("Its time is what this prints, in runs that take turns with those of another kernel: {}",
                        commandText(harness.measure)),
            "There is no problem.h, and the harness cannot be read here: keep every name, argument and include by "
            "which it can know the file as the parent has them.",
            "Compute what the task says at every call. Nothing else counts as a gain: no result that is kept or "
            "guessed, no file, no output of the program's own.",
            tuneRule()};
}

std::string asList(const std::vector<std::string>& rules) {
    return "- " + join(rules, "\n- ");
}

} // namespace

std::string judgeRulesText(const Briefing& briefing) {
    if (briefing.problem != nullptr && briefing.problem->harness) {
        return asList(harnessRules(*briefing.problem->harness));
    }
    const TargetKind target = briefing.population->settings.target;
    std::vector<std::string> rules = {
        compilerRule(target, languageName(briefing)),
        fmt::format(
            "solve() runs by itself, without device and data, and what it asks for is written down and executed "
            "later: launches, fills, copies, events, at most {} a stream. It may choose by the extents of the "
            "shape. It cannot read results, allocate (hipMalloc), wait, capture graphs or share memory with the "
            "host. Every call has to ask for the same, byte for byte: clear a struct that is an argument with memset "
            "before you fill it, for its padding.",
            planStreamOperationLimit),
        "Memory beside the tensors is the workspace of workspace_bytes(), 256-byte aligned, null where that is 0; it "
        "and the outputs hold garbage at every call.",
        timeRule(target),
        "Right for every shape, also for some that nobody knows before, on finite inputs of any size: no input is NaN "
        "or infinite. Reads and writes past a tensor's end and races are found; a prefetch reads nothing. Nothing may "
        "be kept from one call to the next."};
    if (briefing.problem != nullptr) {
        rules.push_back(toleranceRule(briefing.problem->tolerance));
    }
    const auto multiply = briefing.problem != nullptr ? briefing.problem->multiplyType() : std::nullopt;
    if (multiply) {
        rules.push_back(fmt::format("Products are computed in {} or a wider type, sums in float.", name(*multiply)));
    }
    if (briefing.problem == nullptr || briefing.problem->name != probePackName) {
        rules.push_back(tuneRule());
    }
    return asList(rules);
}

} // namespace gks
