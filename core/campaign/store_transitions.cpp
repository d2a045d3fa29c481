// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store_transitions.h"

#include "core/campaign/names.h"
#include "core/campaign/rules.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr const char* kernelStateQuestion = "SELECT state FROM kernel WHERE id = ?";
constexpr const char* experimentStateQuestion = "SELECT state FROM experiment WHERE id = ?";
constexpr const char* findingStateQuestion = "SELECT state FROM finding WHERE id = ?";

template<class State>
Result<void> checkStored(const Database& database, const char* question, std::int64_t id, State to,
                         Result<State> (*fromName)(std::string_view), const std::string& subject) {
    return database.each(question, {id}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(const State from, fromName(row.text(0)));
        return mayBecome(from, to)
                   ? Result<void>()
                   : infrastructureError(fmt::format("{} is {} and cannot become {}", subject, name(from), name(to)));
    });
}

// Everything in one state goes to another; how many that were.
template<class State>
Result<int> moveAll(Database& database, const char* change, State from, State to) {
    if (!mayBecome(from, to)) {
        return infrastructureError(fmt::format("{} cannot become {}", name(from), name(to)));
    }
    GKS_TRY(database.run(change, {name(to), name(from)}));
    return static_cast<int>(database.changes());
}

} // namespace

Result<void> checkTransition(const Database& database, ExperimentId id, ExperimentState to) {
    return checkStored(database, experimentStateQuestion, id, to, experimentStateFromName,
                       fmt::format("experiment {}", id));
}

Result<void> checkTransition(const Database& database, std::int64_t finding, FindingState to) {
    return checkStored(database, findingStateQuestion, finding, to, findingStateFromName,
                       fmt::format("finding {}", finding));
}

Result<void> enterState(Database& database, KernelId id, KernelState to) {
    GKS_TRY(checkStored(database, kernelStateQuestion, id, to, kernelStateFromName,
                        fmt::format("kernel {}", kernelLabel(id))));
    GKS_TRY(database.run("UPDATE kernel SET state = ? WHERE id = ?", {name(to), id}));
    return database.changes() == 1 ? Result<void>() : usageError(fmt::format("kernel {} not found", kernelLabel(id)));
}

Result<ExperimentState> storedState(const Database& database, ExperimentId id) {
    ExperimentState state = ExperimentState::proposed;
    GKS_TRY(database.each(experimentStateQuestion, {id}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(state, experimentStateFromName(row.text(0)));
        return {};
    }));
    return state;
}

Result<ExperimentState> stateAfterVerdict(const Database& database, ExperimentId id, ExperimentState wanted) {
    GKS_TRY_ASSIGN(const ExperimentState from, storedState(database, id));
    return from != ExperimentState::rejected && mayBecome(from, wanted) ? wanted : from;
}

Result<int> takeBackWork(Database& database) {
    int kernels = 0;
    for (const KernelState inFlight : {KernelState::evaluating, KernelState::screening}) {
        GKS_TRY_ASSIGN(const int moved, moveAll(database, "UPDATE kernel SET state = ? WHERE state = ?", inFlight,
                                                KernelState::waiting));
        kernels += moved;
    }
    GKS_TRY_ASSIGN(const int experiments, moveAll(database, "UPDATE experiment SET state = ? WHERE state = ?",
                                                  ExperimentState::writing, ExperimentState::approved));
    return kernels + experiments;
}

} // namespace gks
