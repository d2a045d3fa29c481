// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/policies_form.h"

#include "core/campaign/limits.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <initializer_list>

namespace gks {

PoliciesForm::PoliciesForm(const Policies& policies, QWidget* parent)
    : QWidget(parent)
    , m_before(policies)
    , m_selector(named(new QComboBox, "policySelector", tr("Policy for the next parent")))
    , m_pick(named(new QComboBox, "policyPick", tr("Policy for picking experiments")))
    , m_tuning(named(new QSpinBox, "policyTuning", tr("Tuning evaluations per new kernel")))
    , m_knowledge(named(new QSpinBox, "policyKnowledge", tr("Knowledge per prompt, in tokens")))
    , m_calls(named(new QSpinBox, "policyCalls", tr("Most calls of models at the same time")))
    , m_drafts(named(new QSpinBox, "policyDrafts", tr("Drafts of an experiment, written side by side")))
    , m_stagnation(named(new QSpinBox, "policyStagnation",
                         tr("Experiments without a new best after which another kind is asked for")))
    , m_checkReports(named(new QCheckBox(tr("Check the &Writer's report with a second model call")),
                           "policyCheckReports", tr("Check the Writer's report")))
    , m_screening(named(new QCheckBox(tr("Bui&ld and plan drafts before a device takes them")), "policyScreening",
                        tr("Build and plan drafts before a device takes them")))
    , m_probes(named(new QCheckBox(tr("Measure the &built-in probes first")), "policyProbes",
                     tr("Measure the built-in probes before anything else"))) {
    const auto add = [](QComboBox* box, const QString& text, auto value) {
        box->addItem(text, static_cast<int>(value));
    };
    add(m_selector, tr("Ask the Selector model"), SelectorPolicy::model);
    add(m_selector, tr("Best kernel"), SelectorPolicy::best);
    add(m_selector, tr("Upper confidence bound (fast and little tried)"), SelectorPolicy::upperConfidence);
    add(m_selector, tr("Least explored kernel"), SelectorPolicy::leastExplored);
    add(m_pick, tr("Three of five: most innovative, highest potential, most certain"), PickPolicy::threeOfFive);
    add(m_pick, tr("Highest expected gain"), PickPolicy::highestExpected);
    add(m_pick, tr("Most certain gain"), PickPolicy::mostCertain);
    add(m_pick, tr("Most innovative"), PickPolicy::mostInnovative);
    add(m_pick, tr("All"), PickPolicy::all);
    m_selector->setCurrentIndex(m_selector->findData(static_cast<int>(policies.selector)));
    m_pick->setCurrentIndex(m_pick->findData(static_cast<int>(policies.pick)));
    m_tuning->setRange(0, limits::tuningEvaluations);
    m_tuning->setSpecialValueText(tr("Off"));
    m_tuning->setSuffix(tr(" evaluations"));
    m_tuning->setValue(policies.tuningEvaluations);
    m_tuning->setToolTip(tr("Tuner evaluations for each new kernel with tunables, before its verdict"));
    m_knowledge->setRange(0, limits::knowledgeTokens);
    m_knowledge->setSingleStep(1000);
    m_knowledge->setSuffix(tr(" tokens"));
    m_knowledge->setValue(policies.knowledgeTokens);
    m_knowledge->setToolTip(tr("Tokens of machine notes and documents in one prompt"));
    m_calls->setRange(1, limits::modelCalls);
    m_calls->setSuffix(tr(" at a time"));
    m_calls->setValue(policies.modelCalls);
    m_calls->setToolTip(tr("A person who answers is asked one by one"));
    m_drafts->setRange(1, limits::drafts);
    m_drafts->setSuffix(tr(" of each experiment"));
    m_drafts->setValue(policies.drafts);
    m_drafts->setToolTip(tr("Written side by side, each with another temperature or writer; the best one counts"));
    m_stagnation->setRange(0, limits::stagnation);
    m_stagnation->setSpecialValueText(tr("never"));
    m_stagnation->setSuffix(tr(" without a new best"));
    m_stagnation->setValue(policies.stagnation);
    m_stagnation->setToolTip(
        tr("After so many experiments the next round is asked for another kind than most of them"));
    m_checkReports->setChecked(policies.checkReports);
    m_screening->setChecked(policies.screening);
    m_screening->setToolTip(tr("What does not build goes back to its writer without a device"));
    m_probes->setChecked(policies.probes);
    m_probes->setToolTip(tr("Their figures open the findings, and the first design reads them"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    const auto row = [&](const QString& label, QWidget* field) {
        auto* name = new QLabel(label);
        name->setBuddy(field);
        form->addRow(name, field);
    };
    row(tr("Next &parent"), m_selector);
    row(tr("Pick e&xperiments"), m_pick);
    row(tr("&Tune new kernels"), m_tuning);
    row(tr("&Knowledge per prompt"), m_knowledge);
    row(tr("&Calls"), m_calls);
    row(tr("Dra&fts"), m_drafts);
    row(tr("Another k&ind after"), m_stagnation);
    form->addRow(QString(), m_checkReports);
    form->addRow(QString(), m_screening);
    form->addRow(QString(), m_probes);
}

Policies PoliciesForm::policies() const {
    Policies policies = m_before; // with what this form does not show
    policies.selector = static_cast<SelectorPolicy>(m_selector->currentData().toInt());
    policies.pick = static_cast<PickPolicy>(m_pick->currentData().toInt());
    policies.tuningEvaluations = m_tuning->value();
    policies.knowledgeTokens = m_knowledge->value();
    policies.modelCalls = m_calls->value();
    policies.drafts = m_drafts->value();
    policies.stagnation = m_stagnation->value();
    policies.checkReports = m_checkReports->isChecked();
    policies.screening = m_screening->isChecked();
    policies.probes = m_probes->isChecked();
    return policies;
}

void PoliciesForm::setModelScientist(bool model) {
    for (QWidget* field : std::initializer_list<QWidget*>{m_selector, m_pick, m_tuning, m_knowledge, m_calls, m_drafts,
                                                          m_stagnation, m_checkReports, m_screening, m_probes}) {
        field->setEnabled(model);
    }
}

} // namespace gks
