// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_watch.h"

#include "app/cli/output.h"
#include "app/cli/population_json.h"
#include "app/cli/population_text.h"
#include "core/base/terminal_text.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/engine/event_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace gks::cli {
namespace {

constexpr std::size_t rememberedWarnings = 16; // among which is the one that the engine paused for

void tellEvaluated(const Kernel& kernel, const Population& population) {
    OrderedJson json = {{"event", "kernel"}};
    json.update(kernelJson(population, kernel));
    sayMessage(eventLine(json));
}

void printEvaluated(const Kernel& kernel, const Population& population) {
    std::string line = fmt::format("{}  {}  {}", kernelLabel(kernel.id), terminalLine(kernel.title),
                                   kernel.verdict ? name(*kernel.verdict) : "");
    if (passedJudge(kernel) && kernel.probe) {
        note("{}  probe, its figures are a finding\n", line);
        return;
    }
    if (kernel.geomeanUs > 0) {
        line += "  " + timeText(kernel, population.settings.target) + " alone";
    } else {
        line += "  " + terminalLine(kernel.reason);
    }
    if (kernel.versusParent) {
        const KernelId parent = kernel.parents.empty() ? population.baseline.value_or(0) : kernel.parents.front();
        line += fmt::format("  {} vs {}", versusParentText(kernel), kernelLabel(parent));
    }
    if (kernel.geomeanUs > 0) {
        line += "  speedup " + scaledSpeedText(population, kernel);
    }
    note("{}\n", line);
}

} // namespace

void Said::hear(const EngineEvent& event) {
    const std::lock_guard lock(m_mutex);
    if (const auto* warning = std::get_if<WarningRaised>(&event)) {
        m_warnings.push_back(warning->error);
        m_lastWarnings.push_back(warning->error);
        if (m_lastWarnings.size() > rememberedWarnings) {
            m_told.erase(m_lastWarnings.front().message());
            m_lastWarnings.pop_front();
        }
    } else if (const auto* changed = std::get_if<StateChanged>(&event)) {
        m_state = *changed;
    } else if (const auto* activity = std::get_if<ActivityChanged>(&event)) {
        m_call.hear(*activity);
        if (activity->activity == Activity::away) {
            m_away = fmt::format("{}: {}", activity->lane, activity->detail);
        }
    }
}

std::optional<std::string> Said::takeCall() {
    const std::lock_guard lock(m_mutex);
    return m_call.line(now());
}

std::optional<std::string> Said::takeAway() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_away, std::nullopt);
}

std::vector<Error> Said::takeWarnings() {
    const std::lock_guard lock(m_mutex);
    for (const Error& warning : m_warnings) {
        m_told.insert(warning.message());
    }
    return std::exchange(m_warnings, {});
}

bool Said::hasTold(const Error& warning) const {
    const std::lock_guard lock(m_mutex);
    return m_told.contains(warning.message());
}

StateChanged Said::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

std::optional<Error> Said::halt() const {
    const std::lock_guard lock(m_mutex);
    const auto reason = std::find_if(m_lastWarnings.begin(), m_lastWarnings.end(),
                                     [this](const Error& warning) { return warning.message() == m_state.reason; });
    return m_state.state == EngineState::paused && reason != m_lastWarnings.end() ? std::optional(*reason)
                                                                                  : std::nullopt;
}

void noteSaid(Said& said) {
    for (const Error& warning : said.takeWarnings()) {
        note("warning: {}\n", warning.message());
    }
    for (const auto& line : {said.takeCall(), said.takeAway()}) {
        if (line) {
            note("{}\n", terminalLine(*line));
        }
    }
}

Progress::Progress(const Population& population, bool asEvents) : m_asEvents(asEvents) {
    for (const auto* kernels : {&population.kernels, &population.probes}) {
        for (const Kernel& kernel : *kernels) {
            m_evaluated[kernel.id] = kernel.state == KernelState::evaluated;
        }
    }
}

void Progress::report(const Population& population) {
    for (const auto* kernels : {&population.kernels, &population.probes}) {
        for (const Kernel& kernel : *kernels) {
            const bool evaluated = kernel.state == KernelState::evaluated;
            if (evaluated && !m_evaluated[kernel.id]) {
                m_asEvents ? tellEvaluated(kernel, population) : printEvaluated(kernel, population);
            }
            m_evaluated[kernel.id] = evaluated;
        }
    }
}

} // namespace gks::cli
