// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_rules.h"

#include "core/campaign/asked_comparison.h"
#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "core/campaign/source_check.h"
#include "core/judge/probe.h"

#include <fmt/format.h>

namespace gks {

Result<void> CommandRules::operator()(const command::PinParent& pin) const {
    if (pin.parent) {
        GKS_TRY(parent(*pin.parent));
    }
    return pin.reference ? reference(*pin.reference, pin.parent) : Result<void>();
}

Result<void> CommandRules::operator()(const command::SetBanned& set) const {
    GKS_TRY_ASSIGN(const Kernel* known, problemKernel(set.kernel));
    if (known->banned == set.banned) {
        return usageError(
            fmt::format("kernel {} is {}", kernelLabel(set.kernel), set.banned ? "banned already" : "not banned"));
    }
    return set.pin ? pinnedAgain(*known, *set.pin) : Result<void>();
}

Result<void> CommandRules::pinnedAgain(const Kernel& freed, const command::PinParent& pin) const {
    if (pin.parent) {
        GKS_TRY(*pin.parent == freed.id ? goodEnough(freed) : parent(*pin.parent));
    }
    return pin.reference && *pin.reference != freed.id ? reference(*pin.reference, pin.parent) : Result<void>();
}

Result<void> CommandRules::operator()(const command::EvaluateAgain& again) const {
    GKS_TRY_ASSIGN(const Kernel* known, kernel(again.kernel));
    // One that waits is evaluated now: the campaign may stand.
    return known->state == KernelState::evaluated || known->state == KernelState::waiting
               ? Result<void>()
               : usageError(fmt::format("kernel {} is already {}", kernelLabel(known->id), name(known->state)), {},
                            mayBeApproved(*known) ? "Approve its code" : "");
}

Result<void> CommandRules::operator()(const command::MeasureSideBySide& asked) const {
    GKS_TRY_ASSIGN(const Kernel* one, problemKernel(asked.kernel));
    GKS_TRY_ASSIGN(const Kernel* other, problemKernel(asked.other));
    if (one == other) {
        return usageError("a kernel is not measured beside itself", {}, "Name two kernels");
    }
    for (const Kernel* known : {one, other}) {
        if (!isAccepted(*known)) {
            return usageError(fmt::format("kernel {} has not passed the judge", kernelLabel(known->id)), {},
                              "Only kernels that have are measured side by side");
        }
    }
    if (isWaiting(population.settings, {asked.kernel, asked.other, asked.allShapes})) {
        return usageError("these two wait to be measured side by side already");
    }
    const std::size_t waiting = population.settings.askedComparisons.size();
    return waiting < limits::askedComparisons
               ? Result<void>()
               : usageError(fmt::format("{} comparisons wait already", waiting), {}, "Run the campaign");
}

Result<void> CommandRules::operator()(const command::UnaskComparison& taken) const {
    const AskedComparison asked = {taken.kernel, taken.other, taken.allShapes};
    return isWaiting(population.settings, asked)
               ? Result<void>()
               : usageError(fmt::format("{} do not wait to be measured side by side", askedText(asked)), {},
                            "show lists what waits");
}

Result<void> CommandRules::operator()(const command::AddKernel& add) const {
    GKS_TRY(problemKernel(add.basis));
    GKS_TRY(checkLength("the title", add.title, 4 * limits::kernelTitleCharacters));
    return newSource(add.source);
}

Result<void> CommandRules::newSource(const std::string& source, bool isOfProbe) const {
    GKS_TRY(checkKernelSource(source));
    if (isOfProbe) {
        GKS_TRY(probeVariants(source));
    }
    const Kernel* same = duplicateOf(source, population, isOfProbe);
    return same == nullptr
               ? Result<void>()
               : usageError(fmt::format("same as kernel {} except for comments, formatting and local names",
                                        kernelLabel(same->id)),
                            {},
                            mayBeApproved(*same) ? "Approve that one instead" : "Evaluate that kernel again instead");
}

Result<void> CommandRules::operator()(const command::ApproveCode& approve) const {
    GKS_TRY_ASSIGN(const Kernel* known, kernel(approve.kernel));
    return mayBeApproved(*known) ? Result<void>() : notAsked(*known);
}

Result<void> CommandRules::operator()(const command::RejectCode& reject) const {
    GKS_TRY(declinable(reject.kernel));
    return checkLength("the remark", reject.remark, limits::remarkBytes);
}

Result<void> CommandRules::operator()(const command::SendBackCode& send) const {
    GKS_TRY(declinable(send.kernel));
    GKS_TRY(noOtherGoesBack(*population.kernel(send.kernel)));
    return checkText("the remark", send.remark, limits::remarkBytes);
}

Result<void> CommandRules::operator()(const command::ReopenCode& reopen) const {
    GKS_TRY_ASSIGN(const Kernel* known, kernel(reopen.kernel));
    const bool mayWait =
        known->state == KernelState::declined || (known->state == KernelState::waiting && mayBeDeclined(*known));
    return mayWait ? Result<void>()
                   : usageError(fmt::format("the code of kernel {} is {} already", kernelLabel(known->id),
                                            name(known->state)));
}

Result<void> CommandRules::operator()(const command::EditCode& edit) const {
    GKS_TRY(declinable(edit.kernel));
    return newSource(edit.source, population.kernel(edit.kernel)->probe);
}

Result<void> CommandRules::noOtherGoesBack(const Kernel& draft) const {
    using enum ExperimentState;
    const Experiment* one = draft.experiment ? population.experiment(*draft.experiment) : nullptr;
    const Kernel* other = one != nullptr && one->kernel ? population.kernel(*one->kernel) : nullptr;
    return other != nullptr && other->id != draft.id && other->state == KernelState::declined &&
                   (one->state == approved || one->state == writing)
               ? usageError(fmt::format("kernel {} of the same experiment is on its way back to its writer",
                                        kernelLabel(other->id)),
                            {}, "Send this one back when that one is written anew")
               : Result<void>();
}

Result<void> CommandRules::declinable(KernelId id) const {
    GKS_TRY_ASSIGN(const Kernel* known, kernel(id));
    return mayBeDeclined(*known) ? Result<void>() : notAsked(*known);
}

Result<void> CommandRules::notAsked(const Kernel& known) const {
    return mayBeDeclined(known) ? usageError(fmt::format("the code of kernel {} is in line to be evaluated already",
                                                         kernelLabel(known.id)),
                                             {}, "Reject it, or send it back, to take it out of the line")
                                : usageError(fmt::format("the code of kernel {} does not wait for you: it is {}",
                                                         kernelLabel(known.id), name(known.state)));
}

} // namespace gks
