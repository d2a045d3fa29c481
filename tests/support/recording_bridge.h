// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

#include <QStringList>

namespace gks {

// A campaign as if an engine ran it: commands are written down, and the state follows start, pause and stop.
class RecordingBridge final : public EngineBridge {
    Q_OBJECT

public:
    explicit RecordingBridge(const QString& file);
    explicit RecordingBridge(PopulationPtr population); // that one instead of the sample

    const QStringList& commands() const { return m_commands; }
    QStringList takeCommands() { return std::exchange(m_commands, {}); }
    static QStringList lastCommands(); // of the bridge that was destroyed last

    ~RecordingBridge() override;
    QString file() const override { return m_file; }
    bool readOnly() const override { return false; }
    void start() override { record(QStringLiteral("start"), EngineState::running); }
    void pause() override { record(QStringLiteral("pause"), EngineState::paused); }
    void step() override { record(QStringLiteral("step"), EngineState::running); }
    void stop() override { record(QStringLiteral("stop"), EngineState::idle); }
    void cancelCurrent() override { record(QStringLiteral("cancel"), EngineState::paused); }
    void pinParent(std::optional<KernelId> parent, std::optional<KernelId> reference) override;
    void setBanned(KernelId kernel, bool banned) override;
    void evaluateAgain(KernelId kernel) override;
    void restoreLane(const std::string& lane) override;
    void addKernel(KernelId basis, const QString& title, const QString& source) override;
    void approveExperiment(ExperimentId experiment) override;
    void rejectExperiment(ExperimentId experiment) override;
    void editExperiment(const Experiment& experiment) override;
    void addExperiment(const Experiment& experiment) override;
    void reorderExperiments(const std::vector<ExperimentId>& order) override;
    void setMode(Mode mode) override;
    void setBudgets(const Budgets& budgets) override;
    void setScientist(ScientistKind kind, const std::map<std::string, ModelChoice>& models) override;
    void setHint(const QString& hint) override;
    void setPolicies(const Policies& policies) override;
    void setPrompt(const std::string& name, const std::optional<QString>& text) override;
    void addFinding(const Finding& finding) override;
    void editFinding(const Finding& finding) override;
    void addDocument(const Document& document, const std::vector<Passage>& passages) override;
    void editDocument(const Document& document) override;
    void removeDocument(std::int64_t document) override;

private:
    void record(const QString& command, std::optional<EngineState> next = {});

    QString m_file;
    QStringList m_commands;
};

} // namespace gks
