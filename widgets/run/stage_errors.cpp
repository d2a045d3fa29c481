// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/stage_errors.h"

#include "core/campaign/model_stages.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/terms.h"

namespace gks {

namespace {

// The stage where a verdict was spoken; none for one that is no failure.
std::optional<Activity> stageOf(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::buildFailed:
        return Activity::building;
    case VerdictKind::wrong:
    case VerdictKind::crashed:
    case VerdictKind::timedOut:
        return Activity::verifying;
    case VerdictKind::cheatingSuspected:
        return Activity::measuring;
    case VerdictKind::correct:
    case VerdictKind::faster:
    case VerdictKind::slower:
    case VerdictKind::tie:
    case VerdictKind::undecided:
    case VerdictKind::infrastructureFailed: // the engine warns of it
        break;
    }
    return std::nullopt;
}

// The engine's names of stages; none for a command that was refused, which is no stage.
std::optional<Activity> stageOf(const std::string& stage) {
    static const std::map<std::string, Activity> stages = {
        {"problem", Activity::selecting},
        {"scientist", Activity::selecting},
        {std::string(name(ModelStage::selector)), Activity::selecting},
        {std::string(name(ModelStage::designer)), Activity::designing},
        {std::string(name(ModelStage::writer)), Activity::writing},
        {"evaluator", Activity::building},
        {"confirmation", Activity::measuring}};
    const auto found = stages.find(stage);
    return found == stages.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

StageErrors::StageErrors(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge) {
    for (const Kernel& kernel : bridge.population()->kernels) { // what the file tells is history
        if (kernel.verdict) {
            m_known[kernel.id] = *kernel.verdict;
        }
    }
    takeWarnings();
    connect(&bridge, &EngineBridge::warningRaised, this, &StageErrors::takeWarnings);
    connect(&bridge, &EngineBridge::populationChanged, this, &StageErrors::takeVerdicts);
    connect(&bridge, &EngineBridge::stateChanged, this, &StageErrors::followState);
}

void StageErrors::dismiss(Activity stage) {
    if (m_errors.erase(stage) > 0) {
        if (!m_errors.empty() && stage == m_newest) {
            m_newest = m_errors.rbegin()->first;
        }
        Q_EMIT changed();
    }
}

void StageErrors::add(Activity stage, StageError error) {
    m_errors[stage] = std::move(error);
    m_newest = stage;
}

void StageErrors::takeWarnings() {
    const auto& warnings = m_bridge.warnings();
    // The bridge forgets its oldest when there are too many; then the newest is the only news.
    const std::size_t newest = warnings.empty() ? 0 : warnings.size() - 1;
    const std::size_t from = m_warningsSeen < warnings.size() ? m_warningsSeen : newest;
    for (std::size_t i = from; i < warnings.size(); ++i) {
        const WarningRaised& warning = warnings[i];
        const auto stage = stageOf(warning.stage);
        if (!stage) {
            continue;
        }
        const bool asked =
            *stage == Activity::designing || *stage == Activity::writing || warning.stage == name(ModelStage::selector);
        add(*stage, {toText(warning.error.message()),
                     asked && m_bridge.population()->settings.scientist == ScientistKind::model
                         ? StageError::Opens::conversation
                         : StageError::Opens::advice,
                     warning.kernel, warning.experiment});
    }
    m_warningsSeen = warnings.size();
    Q_EMIT changed();
}

void StageErrors::takeVerdicts() {
    bool news = false;
    for (const Kernel& kernel : m_bridge.population()->kernels) {
        if (!kernel.verdict) {
            continue;
        }
        const auto [known, isNew] = m_known.try_emplace(kernel.id, *kernel.verdict);
        if (!isNew && known->second == *kernel.verdict) {
            continue;
        }
        known->second = *kernel.verdict;
        if (const auto stage = stageOf(*kernel.verdict)) {
            const QString reason =
                kernel.reason.empty() ? QString() : QString(QStringLiteral(": ") % toText(kernel.reason));
            add(*stage, {idText(kernel.id) % QLatin1Char(' ') % verdictText(*kernel.verdict) % reason,
                         *kernel.verdict == VerdictKind::buildFailed ? StageError::Opens::compilerOutput
                                                                     : StageError::Opens::facts,
                         kernel.id, kernel.experiment});
            news = true;
        }
    }
    if (news) {
        Q_EMIT changed();
    }
}

void StageErrors::followState() {
    const bool running = m_bridge.state() == EngineState::running;
    if (running && !std::exchange(m_running, running) && !m_errors.empty()) {
        m_errors.clear();
        Q_EMIT changed();
    }
    m_running = running;
}

} // namespace gks
