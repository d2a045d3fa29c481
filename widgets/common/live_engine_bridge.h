// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

#include <QString>

namespace gks {

// Drives a real engine. It is opened on a worker thread, and closed on one, so the window never waits for either.
class LiveEngineBridge final : public EngineBridge {
    Q_OBJECT

public:
    using Opened = std::function<void(Result<LiveEngineBridge*>)>;
    // Calls back on the GUI thread unless `receiver` is gone; the bridge has no parent yet then.
    static void open(const QString& file, QObject* receiver, Opened opened);
    ~LiveEngineBridge() override;

    QString file() const override;
    bool readOnly() const override;
    ScientistSinks sinks() const override;

    void start() override;
    void pause() override;
    void step() override;
    void stop() override;
    void cancelCurrent() override;
    void pinParent(std::optional<KernelId> parent, std::optional<KernelId> reference = {}) override;
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
    struct Opening;
    struct Relay;
    LiveEngineBridge(std::shared_ptr<Engine> engine, std::shared_ptr<const ProblemPack> problem,
                     std::shared_ptr<Relay> relay, std::shared_ptr<PersonDesk> desk);

    std::shared_ptr<Engine> m_engine;
    std::shared_ptr<Relay> m_relay;
};

} // namespace gks
