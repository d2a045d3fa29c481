// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/decision_undo.h"

#include "core/campaign/undo.h"
#include "widgets/common/engine_bridge.h"

namespace gks {

void DecisionUndo::undo(std::int64_t decision) {
    m_bridge->askSteering(this, [this, decision](const Result<std::vector<Steering>>& history) {
        const auto commands = history ? undoCommands(*history, *m_bridge->population(), decision)
                                      : Result<std::vector<SteeringCommand>>(tl::unexpected(history.error()));
        if (!commands) {
            m_bridge->warn(commands.error());
            return;
        }
        for (const SteeringCommand& command : *commands) {
            m_bridge->send(command);
        }
    });
}

} // namespace gks
