// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/campaign_settings_dialog.h"

#include "core/base/quantity.h"
#include "core/campaign/limits.h"
#include "core/engine/trust.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/run/hint_form.h"
#include "widgets/run/policies_form.h"
#include "widgets/run/shape_weights_form.h"
#include "widgets/run/stage_models.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

namespace gks {

namespace {

template<class Box, class Value>
void prepare(Box* box, Value most, Value value, const QString& suffix) {
    box->setRange(0, most);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setSpecialValueText(QObject::tr("Unlimited"));
    box->setAlignment(Qt::AlignRight);
    box->setGroupSeparatorShown(true);
}

// What the file names needs an answer before it is tried; what the person has typed here is one.
MayAsk mayTry(const EngineBridge& bridge) {
    return [ofFile = modelQuestions(bridge.population()->settings.models),
            mayAsk = bridge.sinks().mayAsk](const ModelChoice& choice) -> Result<void> {
        const auto asked = modelQuestions({{"", choice}});
        const bool named = !asked.empty() && std::any_of(ofFile.begin(), ofFile.end(), [&](const TrustQuestion& known) {
            return known.sameContent(asked.front());
        });
        return named && mayAsk ? mayAsk(choice) : Result<void>();
    };
}

} // namespace

CampaignSettingsDialog::CampaignSettingsDialog(EngineBridge& bridge, QWidget* parent)
    : QDialog(parent)
    , m_bridge(bridge)
    , m_before(bridge.population()->settings)
    , m_scientist(named(new QComboBox, "campaignScientist", tr("Scientist")))
    , m_pages(named(new QTabWidget, "campaignPages", tr("Settings pages")))
    , m_models(new StageModels(m_before.models, mayTry(bridge)))
    , m_policies(new PoliciesForm(m_before.policies))
    , m_weights(new ShapeWeightsForm(*bridge.population()))
    , m_hints(new HintForm(m_before))
    , m_evaluations(named(new QSpinBox, "campaignEvaluations", tr("Evaluation budget")))
    , m_minutes(named(new QDoubleSpinBox, "campaignMinutes", tr("Wall-time budget in minutes")))
    , m_usd(named(new QDoubleSpinBox, "campaignUsd", tr("Cost budget in US dollars")))
    , m_thousandTokens(named(new QSpinBox, "campaignTokens", tr("Token budget in thousands")))
    , m_gpuMinutes(named(new QDoubleSpinBox, "campaignGpuMinutes", tr("Device-time budget in minutes")))
    , m_goalUs(named(new QDoubleSpinBox, "campaignGoal", tr("Time of the best in microseconds at which the run ends")))
    , m_fruitless(named(new QSpinBox, "campaignFruitless",
                        tr("Experiments in a row without a new best after which the run ends")))
    , m_mistake(new MessageLabel) {
    setObjectName(QStringLiteral("campaignSettingsDialog"));
    connect(m_hints, &HintForm::typed, this, &CampaignSettingsDialog::hintTyped);
    setWindowTitle(tr("Campaign settings"));
    m_mistake->setObjectName(QStringLiteral("campaignMistake"));
    m_mistake->setProperty("error", true);
    m_mistake->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    named(buttons->button(QDialogButtonBox::Ok), "campaignApply", tr("Apply"))->setText(tr("&Apply"));
    named(buttons->button(QDialogButtonBox::Cancel), "campaignCancel", tr("Cancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &CampaignSettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &CampaignSettingsDialog::reject);
    m_pages->tabBar()->setObjectName(QStringLiteral("campaignPageTabs"));
    m_pages->tabBar()->setAccessibleName(tr("Settings pages"));
    const auto page = [this](const QString& title, std::initializer_list<QWidget*> parts) {
        auto* box = new QWidget;
        auto* inner = new QVBoxLayout(box);
        inner->setContentsMargins(0, spacing3, 0, 0);
        inner->setSpacing(spacing4);
        for (QWidget* part : parts) {
            inner->addWidget(part);
        }
        inner->addStretch(1);
        m_pages->addTab(box, title);
    };
    m_pages->setDocumentMode(true);
    page(tr("Mo&dels"), {m_models});
    page(tr("Po&licies"), {m_policies, m_hints});
    page(tr("&Budgets"), {buildBudgets()});
    m_pages->addTab(m_weights, tr("&Shapes"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    column->setSpacing(spacing3);
    column->addWidget(buildScientist());
    column->addWidget(m_pages, 1);
    column->addWidget(m_mistake);
    column->addWidget(buttons);
    updateModels();
    resize(740, 540);
}

QWidget* CampaignSettingsDialog::buildScientist() {
    m_scientist->addItem(tr("Tuner (searches tunables, needs no model)"), static_cast<int>(ScientistKind::tuner));
    m_scientist->addItem(tr("Language model"), static_cast<int>(ScientistKind::model));
    m_scientist->setCurrentIndex(m_scientist->findData(static_cast<int>(m_before.scientist)));
    connect(m_scientist, &QComboBox::currentIndexChanged, this, &CampaignSettingsDialog::updateModels);
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing3);
    auto* label = new QLabel(tr("&Scientist"));
    label->setBuddy(m_scientist);
    row->addWidget(label);
    row->addWidget(m_scientist, 1);
    return box;
}

QWidget* CampaignSettingsDialog::buildBudgets() {
    const Budgets& budgets = m_before.budgets;
    const Spend& spend = m_bridge.population()->spend;
    m_minutes->setDecimals(1);
    m_gpuMinutes->setDecimals(1);
    prepare(m_evaluations, 1'000'000, static_cast<int>(budgets.evaluations), QString());
    prepare(m_minutes, 1e6, budgets.minutes, tr(" min"));
    prepare(m_usd, 1e6, budgets.usd, QString());
    m_usd->setPrefix(QStringLiteral("$"));
    prepare(m_thousandTokens, 1'000'000, static_cast<int>((budgets.tokens + 999) / 1000), tr("k"));
    prepare(m_gpuMinutes, 1e6, budgets.gpuSeconds / 60, tr(" min"));
    prepare(m_goalUs, limits::goalUs, budgets.goalUs, tr(" us"));
    m_goalUs->setSpecialValueText(tr("none"));
    prepare(m_fruitless, limits::budget, static_cast<int>(budgets.fruitless), QString());
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    const auto add = [&](const QString& name, QWidget* field, const QString& remark) {
        auto* row = new QHBoxLayout;
        auto* quiet = new QLabel(remark);
        quiet->setProperty("quiet", true);
        field->setFixedWidth(150);
        row->addWidget(field);
        row->addWidget(quiet, 1);
        addField(form, name, field, row);
    };
    const auto addSpent = [&](const QString& name, QWidget* field, const QString& spent) {
        add(name, field, tr("%1 used").arg(spent));
    };
    addSpent(tr("&Evaluations"), m_evaluations, countText(spend.evaluations));
    addSpent(tr("&Wall time"), m_minutes, toText(formatSeconds(spend.wallSeconds)));
    addSpent(tr("&Cost"), m_usd, costText(spend));
    addSpent(tr("To&kens"), m_thousandTokens, countText(spend.tokens));
    addSpent(tr("&Device time"), m_gpuMinutes, toText(formatSeconds(spend.gpuSeconds)));
    add(tr("&Goal"), m_goalUs, tr("ends when the best is this fast"));
    add(tr("&No new best"), m_fruitless, tr("experiments in a row"));
    return box;
}

QJsonObject CampaignSettingsDialog::hints() const {
    return m_hints->texts();
}

void CampaignSettingsDialog::setHints(const QJsonObject& hints) {
    m_hints->setTexts(hints);
}

void CampaignSettingsDialog::updateModels() {
    const bool model = isModelScientist();
    m_models->setEnabled(model);
    m_hints->setEnabled(model);
    m_policies->setModelScientist(model);
}

bool CampaignSettingsDialog::isModelScientist() const {
    return m_scientist->currentData().toInt() == static_cast<int>(ScientistKind::model);
}

Budgets CampaignSettingsDialog::budgets() const {
    Budgets budgets;
    budgets.evaluations = m_evaluations->value();
    budgets.minutes = m_minutes->value();
    budgets.usd = m_usd->value();
    // A field that was not touched keeps what it was rounded from.
    const std::int64_t thousands = m_thousandTokens->value();
    budgets.tokens = thousands == (m_before.budgets.tokens + 999) / 1000 ? m_before.budgets.tokens : thousands * 1000;
    const bool sameTime = m_gpuMinutes->textFromValue(m_before.budgets.gpuSeconds / 60) ==
                          m_gpuMinutes->textFromValue(m_gpuMinutes->value());
    budgets.gpuSeconds = sameTime ? m_before.budgets.gpuSeconds : m_gpuMinutes->value() * 60;
    const bool sameGoal =
        m_goalUs->textFromValue(m_before.budgets.goalUs) == m_goalUs->textFromValue(m_goalUs->value());
    budgets.goalUs = sameGoal ? m_before.budgets.goalUs : m_goalUs->value();
    budgets.fruitless = m_fruitless->value();
    return budgets;
}

void CampaignSettingsDialog::accept() {
    const auto wrong = isModelScientist() ? m_models->mistake() : std::nullopt;
    m_mistake->setText(wrong ? wrong->text : QString());
    m_mistake->setVisible(wrong.has_value());
    if (wrong) {
        m_pages->setCurrentIndex(0);
        m_models->showStage(wrong->stage);
        m_models->setFocus();
        return;
    }
    if (const QString none = m_weights->mistake(); !none.isEmpty()) {
        m_mistake->setText(none);
        m_mistake->setVisible(true);
        m_pages->setCurrentWidget(m_weights);
        return;
    }
    const auto scientist = static_cast<ScientistKind>(m_scientist->currentData().toInt());
    const auto& models = isModelScientist() ? m_models->models() : m_before.models;
    if (scientist != m_before.scientist || models != m_before.models) {
        m_bridge.send(command::SetScientist{scientist, models});
    }
    if (const Policies policies = m_policies->policies(); policies != m_before.policies) {
        m_bridge.send(command::SetPolicies{policies});
    }
    for (const command::SetHint& change : m_hints->changes()) {
        m_bridge.send(change);
    }
    if (const ShapeWeights weights = m_weights->weights(); weights != m_before.shapeWeights) {
        m_bridge.send(command::SetShapeWeights{weights});
    }
    if (budgets() != m_before.budgets) {
        m_bridge.send(command::SetBudgets{budgets()});
    }
    QDialog::accept();
}

} // namespace gks
