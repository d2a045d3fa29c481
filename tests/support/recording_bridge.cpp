// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recording_bridge.h"

#include "tests/support/sample_campaign.h"
#include "widgets/common/terms.h"

namespace gks {

namespace {

QStringList& afterwards() {
    static QStringList commands;
    return commands;
}

} // namespace

RecordingBridge::RecordingBridge(const QString& file)
    : EngineBridge(makeSampleCampaign().population, makeSampleCampaign().problem), m_file(file) {
    setQueries(makeSampleCampaign().queries);
}

RecordingBridge::RecordingBridge(PopulationPtr population) : EngineBridge(std::move(population)) {}

RecordingBridge::~RecordingBridge() {
    afterwards() = m_commands;
    finishQuestions();
}

QStringList RecordingBridge::lastCommands() {
    return afterwards();
}

void RecordingBridge::record(const QString& command, std::optional<EngineState> next) {
    m_commands.append(command);
    if (next) {
        post(StateChanged{*next, ""});
    }
}

void RecordingBridge::pinParent(std::optional<KernelId> parent, std::optional<KernelId> reference) {
    record(QStringLiteral("pin %1").arg(parent.value_or(0)) %
           (reference ? QStringLiteral(" reference %1").arg(*reference) : QString()));
}
void RecordingBridge::setBanned(KernelId kernel, bool banned) {
    record((banned ? QStringLiteral("ban %1") : QStringLiteral("allow %1")).arg(kernel));
}
void RecordingBridge::evaluateAgain(KernelId kernel) {
    record(QStringLiteral("again %1").arg(kernel));
}
void RecordingBridge::restoreLane(const std::string& lane) {
    record(QStringLiteral("restore lane ") % toText(lane));
}
void RecordingBridge::addKernel(KernelId basis, const QString& title, const QString& source) {
    record(QStringLiteral("add kernel to %1: %2, %3 characters").arg(basis).arg(title).arg(source.size()));
}
void RecordingBridge::approveExperiment(ExperimentId experiment) {
    record(QStringLiteral("approve %1").arg(experiment));
}
void RecordingBridge::rejectExperiment(ExperimentId experiment) {
    record(QStringLiteral("reject %1").arg(experiment));
}
void RecordingBridge::editExperiment(const Experiment& experiment) {
    record(QStringLiteral("edit %1: %2 [%3, %4]")
               .arg(experiment.id)
               .arg(toText(experiment.description))
               .arg(experiment.predictedLowPercent)
               .arg(experiment.predictedHighPercent));
}
void RecordingBridge::addExperiment(const Experiment& experiment) {
    record(QStringLiteral("add experiment to %1: %2").arg(experiment.parent).arg(toText(experiment.description)));
}
void RecordingBridge::reorderExperiments(const std::vector<ExperimentId>& order) {
    QStringList ids;
    for (const ExperimentId id : order) {
        ids.append(QString::number(id));
    }
    record(QStringLiteral("order ") % ids.join(QLatin1Char(' ')));
}
void RecordingBridge::setMode(Mode mode) {
    record(QStringLiteral("mode ") % modeText(mode));
}
void RecordingBridge::setBudgets(const Budgets& budgets) {
    record(QStringLiteral("budgets %1, %2 min, $%3, %4 tokens, %5 s")
               .arg(budgets.evaluations)
               .arg(budgets.minutes)
               .arg(budgets.usd)
               .arg(budgets.tokens)
               .arg(budgets.gpuSeconds));
}
void RecordingBridge::setScientist(ScientistKind kind, const std::map<std::string, ModelChoice>& models) {
    QStringList parts;
    for (const auto& [stage, choice] : models) {
        parts.append(toText(stage) % QLatin1Char('=') % toText(choice.model) % QLatin1Char('@') %
                     toText(choice.baseUrl));
    }
    record(QStringLiteral("scientist ") % toText(name(kind)) % QLatin1Char(' ') % parts.join(QLatin1Char(' ')));
}
void RecordingBridge::setHint(const QString& hint) {
    record(QStringLiteral("hint ") % hint);
}

void RecordingBridge::setPolicies(const Policies& policies) {
    record(QStringLiteral("policies %1, %2, %3 tuning, %4 tokens, %5")
               .arg(toText(name(policies.selector)), toText(name(policies.pick)))
               .arg(policies.tuningEvaluations)
               .arg(policies.knowledgeTokens)
               .arg(policies.checkReports ? QStringLiteral("checked") : QStringLiteral("unchecked")));
}
void RecordingBridge::setPrompt(const std::string& name, const std::optional<QString>& text) {
    record(QStringLiteral("prompt ") % toText(name) % QStringLiteral(": ") %
           (text ? QStringLiteral("%1 characters").arg(text->size()) : QStringLiteral("default")));
}
void RecordingBridge::addFinding(const Finding& finding) {
    record(QStringLiteral("add finding ") % toText(finding.subject) % QStringLiteral(": ") % toText(finding.text));
}
void RecordingBridge::editFinding(const Finding& finding) {
    record(QStringLiteral("finding %1 %2, %3: %4")
               .arg(finding.id)
               .arg(toText(name(finding.state)), toText(finding.subject), toText(finding.text)));
}
void RecordingBridge::addDocument(const Document& document, const std::vector<Passage>& passages) {
    record(QStringLiteral("add document %1, %2 passages").arg(toText(document.title)).arg(passages.size()));
}
void RecordingBridge::editDocument(const Document& document) {
    record(QStringLiteral("document %1 %2, %3: %4")
               .arg(document.id)
               .arg(document.enabled ? QStringLiteral("on") : QStringLiteral("off"), toText(document.title),
                    toText(document.digest)));
}
void RecordingBridge::removeDocument(std::int64_t document) {
    record(QStringLiteral("remove document %1").arg(document));
}

} // namespace gks
