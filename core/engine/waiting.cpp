// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/waiting.h"

#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "core/engine/run_end.h"

#include <fmt/format.h>

namespace gks {
namespace {

// Empty: there is something left.
std::string spentText(const Population& population) {
    return spentBudget(population, {.wallSeconds = population.spend.wallSeconds}).value_or(std::string());
}

} // namespace

Wait waitOf(const Kernel& kernel, const Population& population) {
    using enum Wait::For;
    if (kernel.state == KernelState::proposed) {
        return {codeApproval};
    }
    if (kernel.state == KernelState::screening) {
        return {screening};
    }
    if (kernel.state != KernelState::waiting) {
        return {};
    }
    if (std::string spent = spentText(population); !spent.empty() && kernel.author != Author::person) {
        return {.what = budget, .spent = std::move(spent)};
    }
    const std::optional<KernelId> before = kernel.parents.empty() ? population.baseline : kernel.parents.front();
    const Kernel* compared = before ? population.kernel(*before) : nullptr;
    if (compared != nullptr && compared->id != kernel.id && mayStillBeJudged(*compared)) {
        return {verdict, compared->id};
    }
    return {lane};
}

Wait waitOf(const Experiment& experiment, const Population& population) {
    using enum ExperimentState;
    using For = Wait::For;
    const Kernel* draft = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
    switch (experiment.state) {
    case proposed:
        return {experiment.pick.empty() ? For::pick : For::approval};
    case notPicked:
        return {For::approvalOnly};
    case approved: {
        if (needsOwnCode(experiment, population.settings)) {
            return {For::ownCode};
        }
        const Kernel* failed = draftToRepair(experiment, population);
        Wait wait = failed == nullptr ? Wait{} : Wait{For::repair, failed->id, failed->verdict};
        if (std::string spent = spentText(population); !spent.empty()) {
            wait.what = For::budget;
            wait.spent = std::move(spent);
        }
        if (wait != Wait{}) {
            return wait;
        }
        const Kernel* parent = population.kernel(experiment.parent);
        return parent != nullptr && mayStillBeJudged(*parent)          ? Wait{For::parentVerdict, parent->id}
               : population.settings.scientist == ScientistKind::model ? Wait{For::writing}
                                                                       : Wait{For::lane};
    }
    case writing:
    case evaluating:
        return draft != nullptr ? waitOf(*draft, population) : Wait{};
    case rejected:
    case done:
    case failed:
        break;
    }
    return {};
}

std::string waitText(const Wait& wait) {
    using enum Wait::For;
    const std::string kernel = wait.kernel ? kernelLabel(*wait.kernel) : std::string();
    const std::string draft = wait.failed ? fmt::format("{} is {}", kernel, name(*wait.failed)) : std::string();
    switch (wait.what) {
    case nothing:
        break;
    case codeApproval:
        return "waits for your approval of its code";
    case screening:
        return "is built before a device takes it";
    case lane:
        return "waits for a device";
    case verdict:
        return "waits for the verdict on kernel " + kernel;
    case parentVerdict:
        return "waits for the verdict on its parent " + kernel;
    case budget:
        return (draft.empty() ? "" : draft + ", ") + "over budget: " + wait.spent;
    case pick:
        return "was not picked yet; approve it if you want it run";
    case approvalOnly:
        return "was not picked; approve it if you want it run";
    case approval:
        return "waits for your approval";
    case ownCode:
        return "needs code: no model writes in this campaign; write its kernel yourself, or name a model";
    case repair:
        return draft + ": waits to be repaired";
    case writing:
        return "waits to be written";
    }
    return {};
}

std::string waitText(const Kernel& kernel, const Population& population) {
    return waitText(waitOf(kernel, population));
}

std::string waitText(const Experiment& experiment, const Population& population) {
    return waitText(waitOf(experiment, population));
}

} // namespace gks
