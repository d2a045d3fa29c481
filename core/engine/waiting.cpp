// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/waiting.h"

#include "core/campaign/own_code.h"
#include "core/campaign/rules.h"
#include "core/engine/run_end.h"

#include <fmt/format.h>

namespace gks {
namespace {

// Empty: there is something left.
std::string budgetText(const Population& population) {
    const auto spent = spentBudget(population, {.wallSeconds = population.spend.wallSeconds});
    return spent ? "over budget: " + *spent : std::string();
}

std::string verdictAwaitedText(std::string_view what, const Kernel& kernel) {
    return fmt::format("waits for the verdict on {} {}", what, kernelLabel(kernel.id));
}

} // namespace

std::string waitText(const Kernel& kernel, const Population& population) {
    if (kernel.state == KernelState::proposed) {
        return "waits for your approval of its code";
    }
    if (kernel.state == KernelState::screening) {
        return "is built before a lane takes it";
    }
    if (kernel.state != KernelState::waiting) {
        return {};
    }
    if (std::string over = budgetText(population); !over.empty() && kernel.author != Author::person) {
        return over;
    }
    const std::optional<KernelId> before = kernel.parents.empty() ? population.baseline : kernel.parents.front();
    const Kernel* compared = before ? population.kernel(*before) : nullptr;
    if (compared != nullptr && compared->id != kernel.id && mayStillBeJudged(*compared)) {
        return verdictAwaitedText("kernel", *compared);
    }
    return "waits for a lane";
}

std::string waitText(const Experiment& experiment, const Population& population) {
    using enum ExperimentState;
    const Kernel* draft = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
    switch (experiment.state) {
    case proposed:
        return experiment.pick.empty() ? "was not picked yet; approve it if you want it run"
                                       : "waits for your approval";
    case notPicked:
        return "was not picked; approve it if you want it run";
    case approved: {
        if (needsOwnCode(experiment, population.settings)) {
            return "needs code: no model writes in this campaign; write its kernel yourself, or name a model";
        }
        if (std::string over = budgetText(population); !over.empty()) {
            const Kernel* failed = draftToRepair(experiment, population);
            return failed == nullptr
                       ? over
                       : fmt::format("{} is {}, {}", kernelLabel(failed->id), name(*failed->verdict), over);
        }
        if (const Kernel* failed = draftToRepair(experiment, population)) {
            return fmt::format("{} is {}: waits to be repaired", kernelLabel(failed->id), name(*failed->verdict));
        }
        const Kernel* parent = population.kernel(experiment.parent);
        return parent != nullptr && mayStillBeJudged(*parent)          ? verdictAwaitedText("its parent", *parent)
               : population.settings.scientist == ScientistKind::model ? "waits to be written"
                                                                       : "waits for a lane";
    }
    case writing:
    case evaluating:
        return draft != nullptr ? waitText(*draft, population) : std::string();
    case rejected:
    case done:
    case failed:
        break;
    }
    return {};
}

} // namespace gks
