// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/decisions.h"

#include "app/cli/command.h"

namespace gks::cli {
namespace {

constexpr double patienceSeconds = 60; // for the engine to take a command: it waits for the disk alone

} // namespace

Result<std::unique_ptr<Decisions>> Decisions::open(const std::string& file) {
    std::unique_ptr<Decisions> decisions(new Decisions);
    EngineOptions options;
    options.sink = [raw = decisions.get()](const EngineEvent& event) {
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            const std::lock_guard lock(raw->m_mutex);
            raw->m_objections.push_back(warning->error);
        }
    };
    GKS_TRY_ASSIGN(decisions->m_engine, Engine::open(file, std::move(options)));
    return decisions;
}

Result<Decisions::Outcome> Decisions::carryOut(const std::vector<SteeringCommand>& commands) {
    GKS_TRY_ASSIGN(const auto before, m_engine->steering());
    for (const SteeringCommand& command : commands) {
        m_engine->send(command);
    }
    if (!m_engine->waitUntilQuiet(patienceSeconds)) {
        return infrastructureError("the campaign did not take the command", m_engine->file().string(), "Try again");
    }
    GKS_TRY_ASSIGN(const auto after, m_engine->steering());
    Outcome outcome;
    outcome.written.assign(after.begin() + static_cast<std::ptrdiff_t>(before.size()), after.end());
    const std::lock_guard lock(m_mutex);
    for (const Error& objection : std::exchange(m_objections, {})) {
        if (!outcome.refused) {
            failed(outcome.refused.error());
        }
        outcome.refused = tl::unexpected(objection);
    }
    return outcome;
}

} // namespace gks::cli
