// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run.h"

namespace gks {

Structures& Run::structures() {
    m_structures.follow(m_campaign.population());
    return m_structures;
}

void Run::ask(KernelId kernel) {
    notes.askedKernels.insert(kernel);
    notes.askedNow = true;
}

void Run::dropAsked() {
    notes.standing.reset();
    notes.askedKernels.clear();
    notes.askedByAgents.clear();
    notes.askedJudged.clear();
}

void Run::enter(EngineState state, std::string reason) {
    m_campaign.setRunning(state == EngineState::running);
    m_campaign.storeWallTime(true);
    m_state = state;
    if (!isRunning()) {
        dropAsked();
    }
    refresh();
    m_campaign.publish(true);
    m_outlet.setState(state, std::move(reason));
}

void Run::warn(const Error& error, const std::string& stage, std::optional<KernelId> kernel,
               std::optional<ExperimentId> experiment) {
    m_lastWarning = error;
    m_outlet.emit(WarningRaised{error, stage, kernel, experiment});
}

void Run::halt(const Error& error, const std::string& stage, std::optional<KernelId> kernel,
               std::optional<ExperimentId> experiment) {
    warn(error, stage, kernel, experiment);
    if (isRunning()) {
        m_campaign.setRunning(false); // nothing is written here: that may be what failed
        m_state = EngineState::paused;
        dropAsked();
        m_outlet.setState(m_state, error.message());
    }
}

void Run::refresh() {
    stored(m_campaign.refresh());
}

} // namespace gks
