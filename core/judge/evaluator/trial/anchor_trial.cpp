// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/anchor_trial.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/planner_session.h"

#include <fmt/format.h>

namespace gks {
namespace {

std::string problemText(const CaseLayout& layout, const SetAddresses& addresses) {
    return hexText(problemBytes(layout.shape, addresses));
}

} // namespace

RunnerResult<void> AnchorTrial::loadInto(RunnerSession& session) {
    return session.loadAnchor(setup().timeLimit, setup().stop).map([this](std::string version) {
        m_version = std::move(version);
    });
}

Judged<void> AnchorTrial::setShape(const CaseLayout& layout) {
    begin(layout);
    const SetAddresses bare = addressesOn(pack(), m_target, layout, 0);
    GKS_TRY_ASSIGN(const RunnerSession::Answer answer,
                   ask(command(runner::Verb::workspace), problemText(layout, bare)));
    const std::uint64_t bytes = answer.reply.workspaceBytes;
    if (bytes > workspaceLimitBytes(m_target)) {
        return refuse(VerdictKind::crashed,
                      fmt::format("the anchor asks for {} of workspace, the limit is {}", formatBytes(bytes),
                                  formatBytes(workspaceLimitBytes(m_target))));
    }
    const SetAddresses addresses = addressesOn(pack(), m_target, layout, bytes);
    return place(layout, addresses, problemText(layout, addresses));
}

} // namespace gks
