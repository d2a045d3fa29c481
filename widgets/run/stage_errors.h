// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QObject>
#include <QString>
#include <map>
#include <set>

namespace gks {

class EngineBridge;

// What went wrong at a stage last, and where the person reads on.
struct StageError {
    enum class Opens { compilerOutput, facts, conversation, advice };
    QString text;
    Opens opens = Opens::advice;
    std::optional<KernelId> kernel;
    std::optional<ExperimentId> experiment;
};

// The newest error of every stage: a verdict (build failed, crashed, ...) or a warning of the engine (evaluator lost,
// provider refused, ...). It stands until somebody has looked at it or the campaign is started again.
class StageErrors final : public QObject {
    Q_OBJECT

public:
    explicit StageErrors(EngineBridge& bridge, QObject* parent = nullptr);

    const std::map<Activity, StageError>& all() const { return m_errors; }
    const StageError& newest() const { return m_errors.at(m_newest); } // of one or more
    void dismiss(Activity stage);

Q_SIGNALS:
    void changed();

private:
    void add(Activity stage, StageError error);
    void takeWarnings();
    void takeVerdicts();
    void followState();

    EngineBridge& m_bridge;
    std::map<Activity, StageError> m_errors;
    Activity m_newest = Activity::idle;
    std::map<KernelId, VerdictKind> m_known; // verdicts that are no news
    std::size_t m_warningsSeen = 0;
    bool m_running = false;
};

} // namespace gks
