// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/history.h"
#include "core/engine/seams.h"

namespace gks {

// What a scientist may know: the population, the problem, and questions to the campaign file that may be asked on any
// thread.
class Briefings {
public:
    Briefings(std::function<Result<ProblemPack>(const std::string&)> loadProblem, History& history)
        : m_loadProblem(std::move(loadProblem)), m_history(history) {}

    Result<Briefing> of(const PopulationPtr& population);

private:
    std::function<Result<ProblemPack>(const std::string&)> m_loadProblem;
    History& m_history;
    std::shared_ptr<const ProblemPack> m_problem; // of a campaign it does not change
};

} // namespace gks
