// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/finding_use.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {

std::string findingLabel(std::int64_t finding) {
    return fmt::format("F{}", finding);
}

FindingUse useOf(const Population& population, std::int64_t finding) {
    FindingUse use;
    for (const Experiment& experiment : population.experiments) {
        if (std::ranges::find(experiment.uses, finding) == experiment.uses.end()) {
            continue;
        }
        ++use.experiments;
        const Kernel* kernel = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
        const bool gained =
            kernel != nullptr && kernel->versusParent && kernel->versusParent->verdict == VerdictKind::faster;
        use.gained += gained ? 1 : 0;
    }
    return use;
}

std::string useText(const FindingUse& use) {
    if (use.experiments == 0) {
        return {};
    }
    return use.experiments == 1
               ? fmt::format("used by 1 experiment, which {}", use.gained == 1 ? "gained" : "has not gained")
               : fmt::format("used by {} experiments, {} of them gained", use.experiments, use.gained);
}

std::string usesText(const Experiment& experiment) {
    std::vector<std::string> labels;
    for (const std::int64_t finding : experiment.uses) {
        labels.push_back(findingLabel(finding));
    }
    return join(labels, ", ");
}

} // namespace gks
