// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/monkey/decision_log.h"

#include "core/campaign/store.h"
#include "widgets/common/live_engine_bridge.h"

#include <algorithm>

namespace gks {

namespace {

// What starts and ends a run decides nothing about the campaign, and has no line when it changes nothing.
bool isDecision(const SteeringCommand& command) {
    return !std::holds_alternative<command::Start>(command) && !std::holds_alternative<command::Step>(command) &&
           !std::holds_alternative<command::Pause>(command) && !std::holds_alternative<command::Stop>(command) &&
           !std::holds_alternative<command::CancelCurrent>(command);
}

std::map<std::string, int> linesOf(const std::vector<Steering>& history) {
    std::map<std::string, int> lines;
    for (const Steering& line : history) {
        lines[line.action] += line.who == Author::person ? 1 : 0;
    }
    return lines;
}

bool isSame(const Population& window, const Population& file) {
    const auto sameKernel = [](const Kernel& one, const Kernel& other) {
        return one.id == other.id && one.title == other.title && one.banned == other.banned &&
               one.state == other.state && one.verdict == other.verdict;
    };
    const auto sameExperiment = [](const Experiment& one, const Experiment& other) {
        return one.id == other.id && one.state == other.state && one.description == other.description &&
               one.predicted == other.predicted && one.position == other.position;
    };
    return window.settings == file.settings && window.findings == file.findings &&
           std::ranges::equal(window.kernels, file.kernels, sameKernel) &&
           std::ranges::equal(window.experiments, file.experiments, sameExperiment);
}

} // namespace

void DecisionLog::watch(LiveEngineBridge& bridge) {
    const auto [at, isNew] = m_campaigns.try_emplace(bridge.file());
    Campaign& campaign = at->second;
    if (isNew) { // one that is opened again still has the lines of before
        campaign.before = linesOf(bridge.queries()->steering().value_or(std::vector<Steering>{}));
    }
    connect(&bridge, &LiveEngineBridge::sent, this, [&campaign, &bridge](const SteeringCommand& command) {
        if (isDecision(command)) {
            ++campaign.sent[historyLine(command, *bridge.population()).action];
        }
    });
    connect(&bridge, &EngineBridge::warningRaised, this, [&campaign, &bridge] {
        const std::string& stage = bridge.warnings().back().stage;
        campaign.refused += stage == "steering" ? 1 : 0;
    });
}

void DecisionLog::remember(const LiveEngineBridge& bridge) {
    m_campaigns[bridge.file()].last = bridge.population();
}

int DecisionLog::decisions() const {
    int count = 0;
    for (const auto& [file, campaign] : m_campaigns) {
        for (const auto& [action, sent] : campaign.sent) {
            count += sent;
        }
    }
    return count;
}

QStringList DecisionLog::lostOf(const QString& file, const Campaign& campaign) {
    const auto store = CampaignStore::open(file.toStdString(), CampaignStore::Access::read);
    const auto history = store ? (*store)->steering() : Result<std::vector<Steering>>();
    const auto population = store ? (*store)->population() : Result<PopulationPtr>();
    if (!store || !history || !population) {
        return {file + QStringLiteral(" cannot be read")};
    }
    const auto now = linesOf(*history);
    QStringList missing;
    int count = 0;
    for (const auto& [action, sent] : campaign.sent) {
        const auto countIn = [&](const std::map<std::string, int>& lines) {
            const auto found = lines.find(action);
            return found == lines.end() ? 0 : found->second;
        };
        const int without = sent - (countIn(now) - countIn(campaign.before));
        if (without > 0) {
            count += without;
            missing.append(QStringLiteral("%1 x %2").arg(without).arg(QString::fromStdString(action)));
        }
    }
    QStringList lost;
    if (count > campaign.refused) {
        lost.append(QStringLiteral("%1: decisions without a line in the history: %2; refused: %3")
                        .arg(file, missing.join(QStringLiteral(", ")))
                        .arg(campaign.refused));
    }
    if (campaign.last && !isSame(*campaign.last, **population)) {
        lost.append(file + QStringLiteral(": the file says otherwise than the window did"));
    }
    return lost;
}

QStringList DecisionLog::lost() const {
    QStringList all;
    for (const auto& [file, campaign] : m_campaigns) {
        all += lostOf(file, campaign);
    }
    return all;
}

} // namespace gks
