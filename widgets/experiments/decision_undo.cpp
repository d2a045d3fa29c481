// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/decision_undo.h"

#include "core/campaign/undo.h"
#include "widgets/common/engine_bridge.h"

namespace gks {

void DecisionUndo::undo(std::int64_t decision) {
    m_bridge->askSteering(this, [this, decision](const Result<std::vector<Steering>>& history) {
        const auto command = history ? undoCommand(*history, *m_bridge->population(), decision)
                                     : Result<SteeringCommand>(tl::unexpected(history.error()));
        if (command) {
            m_bridge->send(*command);
        } else {
            Q_EMIT refused(command.error());
        }
    });
}

} // namespace gks
