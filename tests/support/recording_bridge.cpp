// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recording_bridge.h"

#include "tests/support/sample_campaign.h"

#include <QTest>
#include <cstring>

namespace gks {

namespace {

Commands& afterwards() {
    static Commands commands;
    return commands;
}

std::optional<EngineState> stateAfter(const SteeringCommand& command) {
    if (std::holds_alternative<command::Start>(command) || std::holds_alternative<command::Step>(command)) {
        return EngineState::running;
    }
    if (std::holds_alternative<command::Pause>(command) || std::holds_alternative<command::CancelCurrent>(command)) {
        return EngineState::paused;
    }
    return std::holds_alternative<command::Stop>(command) ? std::optional(EngineState::idle) : std::nullopt;
}

} // namespace

char* command::toString(const Commands& commands) {
    std::string text;
    for (const SteeringCommand& command : commands) {
        const Steering line = historyLine(command, {});
        text += "[" + line.action + ": " + line.detail + "]";
    }
    return qstrdup(text.c_str());
}

RecordingBridge::RecordingBridge(const QString& file)
    : EngineBridge(makeSampleCampaign().population, makeSampleCampaign().problem), m_file(file) {
    setQueries(makeSampleCampaign().queries);
}

RecordingBridge::RecordingBridge(PopulationPtr population) : EngineBridge(std::move(population)) {}

RecordingBridge::~RecordingBridge() {
    afterwards() = m_commands;
    finishQuestions();
}

Commands RecordingBridge::lastCommands() {
    return afterwards();
}

void RecordingBridge::send(const SteeringCommand& command) {
    m_commands.push_back(command);
    if (const auto next = stateAfter(command)) {
        post(StateChanged{*next, ""});
    }
}

} // namespace gks
