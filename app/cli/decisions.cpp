// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/decisions.h"

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/campaign/file_lock.h"
#include "core/campaign/names.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

constexpr double patienceSeconds = 60; // for the engine to take a command: it waits for the disk alone
constexpr std::chrono::seconds steerAnswerPatience(60);
constexpr std::chrono::seconds steerLinkPatience(3);

tl::unexpected<Error> noAnswer(const std::string& file) {
    return infrastructureError("the campaign did not respond within the time limit", file, "Try again");
}

} // namespace

Result<std::unique_ptr<Decisions>> Decisions::open(const std::string& file, bool now) {
    std::unique_ptr<Decisions> decisions(new Decisions(now));
    EngineOptions options;
    options.measuresWhenAsked = now;
    options.sink = [raw = decisions.get()](const EngineEvent& event) { raw->hear(event); };
    auto engine = Engine::open(file, options);
    if (!engine && isInUse(engine.error())) {
        auto link = RunLink::to(file, {}, steerLinkPatience, {});
        if (!link) { // another user's, elsewhere, or a command that changes the file and ends
            return tl::unexpected(engine.error());
        }
        if (now) {
            return usageError("the campaign runs already, and evaluates what you ask for in its turn", "--now",
                              "Leave --now out");
        }
        decisions->m_link = std::move(*link);
        options.access = CampaignStore::Access::read;
        engine = Engine::open(file, std::move(options));
    }
    GKS_TRY_ASSIGN(decisions->m_engine, std::move(engine));
    return decisions;
}

void Decisions::hear(const EngineEvent& event) {
    if (const auto* warning = std::get_if<WarningRaised>(&event)) {
        const std::lock_guard lock(m_mutex);
        m_objections.push_back(warning->error);
    } else if (const auto* work = std::get_if<ActivityChanged>(&event)) {
        const bool isOfKernel = m_now && work->kernel && work->activity != Activity::idle;
        std::string line =
            isOfKernel ? fmt::format("{}: {} {}\n", work->lane, name(work->activity), kernelLabel(*work->kernel))
                       : std::string();
        if (!line.empty() && line != m_progress) { // one for each stage
            note("{}", line);
            m_progress = std::move(line);
        }
    }
}

Result<Decisions::Outcome> Decisions::carryOut(const std::vector<SteeringCommand>& commands) {
    if (m_link) {
        return carryOutThere(commands);
    }
    GKS_TRY_ASSIGN(const auto before, m_engine->steering());
    for (const SteeringCommand& command : commands) {
        m_engine->send(command);
    }
    if (!m_engine->waitUntilQuiet(m_now ? std::nullopt : std::optional(patienceSeconds))) {
        return noAnswer(m_engine->file().string());
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

Result<Decisions::Outcome> Decisions::carryOutThere(const std::vector<SteeringCommand>& commands) {
    GKS_TRY_ASSIGN(const auto before, m_engine->steering());
    Outcome outcome;
    for (const SteeringCommand& command : commands) {
        if (auto done = m_link->ask(command, steerAnswerPatience, {}); !done) {
            if (!outcome.refused) {
                failed(outcome.refused.error());
            }
            outcome.refused = tl::unexpected(std::move(done).error());
        }
    }
    m_engine->look();
    if (!m_engine->waitUntilQuiet(patienceSeconds)) {
        return noAnswer(m_engine->file().string());
    }
    GKS_TRY_ASSIGN(outcome.written, m_engine->steering());
    std::erase_if(outcome.written, [&](const Steering& line) { // the run goes on deciding
        return line.who != Author::person || (!before.empty() && line.id <= before.back().id);
    });
    return outcome;
}

} // namespace gks::cli
