// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/command_rules.h"

#include "core/base/text.h"
#include "core/campaign/rules.h"

#include <fmt/format.h>

namespace gks {

Result<void> checkLength(std::string_view what, std::string_view text, std::size_t limitBytes) {
    if (text.size() <= limitBytes) {
        return {};
    }
    return usageError(
        fmt::format("{} is too long: {} (limit {})", what, formatBytes(text.size()), formatBytes(limitBytes)), {},
        "Shorten it");
}

Result<void> checkText(std::string_view what, std::string_view text, std::size_t limitBytes) {
    return trimmed(text).empty() ? usageError(fmt::format("{} is empty", what)) : checkLength(what, text, limitBytes);
}

Result<void> checkRange(std::string_view what, double value, double least, double most) {
    return value >= least && value <= most ? Result<void>()
                                           : usageError(fmt::format("{}: {} is out of range", what, value), {},
                                                        fmt::format("It is {} to {}", least, most));
}

Result<const Kernel*> CommandRules::kernel(KernelId id) const {
    const Kernel* known = population.kernel(id);
    return known != nullptr ? Result<const Kernel*>(known)
                            : usageError(fmt::format("kernel {} not found", kernelLabel(id)));
}

Result<const Kernel*> CommandRules::problemKernel(KernelId id) const {
    GKS_TRY_ASSIGN(const Kernel* known, kernel(id));
    return !known->probe ? Result<const Kernel*>(known)
                         : usageError(fmt::format("{} is a probe: it measures the machine and is no kernel of the "
                                                  "problem",
                                                  kernelLabel(id)),
                                      {}, "Name a kernel; the figures of probes are among the findings");
}

Result<const Experiment*> CommandRules::experiment(ExperimentId id) const {
    const Experiment* known = population.experiment(id);
    return known != nullptr ? Result<const Experiment*>(known)
                            : usageError(fmt::format("experiment {} does not exist", id));
}

Result<const Document*> CommandRules::document(std::int64_t id) const {
    const Document* known = population.document(id);
    return known != nullptr ? Result<const Document*>(known) : usageError(fmt::format("document {} not found", id));
}

Result<void> CommandRules::parent(KernelId id) const {
    GKS_TRY_ASSIGN(const Kernel* known, problemKernel(id));
    GKS_TRY(notBanned(id, "as a parent"));
    return goodEnough(*known);
}

Result<void> CommandRules::goodEnough(Kernel known) const {
    known.banned = false; // that is asked by itself
    return mayBecomeParent(known)
               ? Result<void>()
               : usageError(fmt::format("kernel {} has not passed the judge ({})", kernelLabel(known.id),
                                        known.verdict ? name(*known.verdict) : name(known.state)),
                            {}, "Choose one that has");
}

Result<void> CommandRules::notBanned(KernelId id, std::string_view as) const {
    const Kernel* known = population.kernel(id);
    return known == nullptr || !known->banned
               ? Result<void>()
               : usageError(fmt::format("kernel {} is banned {}", kernelLabel(id), as), {}, "Unban it first");
}

Result<void> CommandRules::reference(KernelId id, std::optional<KernelId> parent) const {
    GKS_TRY(problemKernel(id));
    GKS_TRY(notBanned(id, "as a reference"));
    return parent != id ? Result<void>()
                        : usageError(fmt::format("kernel {} is the parent already", kernelLabel(id)), {},
                                     "Choose another one as the reference");
}

Result<void> checkCommand(const SteeringCommand& command, const Population& population) {
    return std::visit(CommandRules{population}, command);
}

} // namespace gks
