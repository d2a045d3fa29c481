// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/runner_trial.h"

#include <string>

namespace gks {

// A library of the problem pack in a runner of its own: everything is as for a kernel, but that its solve() is called
// where plans would be executed.
class AnchorTrial final : public RunnerTrial {
public:
    // The session was started with the library.
    AnchorTrial(std::unique_ptr<RunnerSession> session, TargetKind target, Setup setup, const CaseImages& images,
                const ProblemPack& pack, WorkClock& clock)
        : RunnerTrial(std::move(session), nullptr, std::move(setup), images, pack, clock), m_target(target) {}

    Judged<void> setShape(const CaseLayout& layout) override;
    const std::string& version() const { return m_version; } // once loaded; what it says of itself

private:
    RunnerResult<void> loadInto(RunnerSession& session) override;

    TargetKind m_target;
    std::string m_version;
};

} // namespace gks
