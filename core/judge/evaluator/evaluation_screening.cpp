// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluation_run.h"

#include <chrono>
#include <fmt/format.h>

// What a draft can fail at before a device is kept busy by it: its build, and its host code on every shape. Times are
// none of it, and of results on the cpu target alone those of one small shape: what passes is not accepted by that.
namespace gks {

// Nothing of a device is asked for: neither its lock nor a runner.
Judged<void> EvaluationRun::planScreened() {
    GKS_TRY(planCases());
    GKS_TRY(m_build->waitForModule());
    GKS_TRY(inspectModule());
    return planKernel(*m_build, false);
}

Judged<void> EvaluationRun::finishScreening() {
    GKS_TRY(finishBuild());
    const std::size_t planned = m_cases->plan().cases.size() + m_cases->plan().measured.size();
    std::string looked = fmt::format("screened: built, and planned for {} cases", planned);
    if (isCpu()) {
        GKS_TRY(verifySmallest());
        looked += m_request.checked ? ", right on the smallest test shape, every access checked"
                                    : ", right on the smallest test shape";
    }
    m_verdict.kind = VerdictKind::correct;
    m_verdict.reason = looked + "; nothing was measured";
    return {};
}

Judged<void> EvaluationRun::verifySmallest() {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    tell(StageEvent{Stage::verifying});
    m_cases = m_cases->smallestTest(m_request.checked);
    GKS_TRY(loadReference());
    m_cases->begin(m_reference);
    const auto verified = verify();
    m_verdict.verifySeconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return verified;
}

} // namespace gks
