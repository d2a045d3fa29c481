// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/campaign_settings_dialog.h"

#include "core/base/quantity.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/model_choice_check.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

namespace gks {

namespace {

constexpr std::array stages = {"default", "selector", "designer", "writer", "repair"};
enum Column { stageColumn, modelColumn, addressColumn, keyColumn, columnCount };

template<class W>
W* named(W* widget, const char* name, const QString& accessibleName) {
    widget->setObjectName(QLatin1String(name));
    widget->setAccessibleName(accessibleName);
    return widget;
}

template<class Box, class Value>
void prepare(Box* box, Value most, Value value, const QString& suffix) {
    box->setRange(0, most);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setSpecialValueText(QObject::tr("unlimited"));
    box->setAlignment(Qt::AlignRight);
}

} // namespace

CampaignSettingsDialog::CampaignSettingsDialog(EngineBridge& bridge, QWidget* parent)
    : QDialog(parent)
    , m_bridge(bridge)
    , m_before(bridge.population()->settings)
    , m_scientist(named(new QComboBox, "campaignScientist", tr("Scientist")))
    , m_models(named(new QTableWidget(static_cast<int>(stages.size()), columnCount), "campaignModels",
                     tr("Models by stage")))
    , m_hint(named(new QPlainTextEdit, "campaignHint", tr("Hint for the prompts")))
    , m_evaluations(named(new QSpinBox, "campaignEvaluations", tr("Budget of evaluations")))
    , m_minutes(named(new QDoubleSpinBox, "campaignMinutes", tr("Budget of wall time in minutes")))
    , m_usd(named(new QDoubleSpinBox, "campaignUsd", tr("Budget of money in US dollars")))
    , m_thousandTokens(named(new QSpinBox, "campaignTokens", tr("Budget of tokens in thousands")))
    , m_gpuMinutes(named(new QDoubleSpinBox, "campaignGpuMinutes", tr("Budget of device time in minutes")))
    , m_mistake(new QLabel) {
    setObjectName(QStringLiteral("campaignSettingsDialog"));
    setWindowTitle(tr("Campaign settings"));
    m_mistake->setObjectName(QStringLiteral("campaignMistake"));
    m_mistake->setProperty("error", true);
    m_mistake->setWordWrap(true);
    m_mistake->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    named(buttons->button(QDialogButtonBox::Ok), "campaignApply", tr("Apply"))->setText(tr("&Apply"));
    named(buttons->button(QDialogButtonBox::Cancel), "campaignCancel", tr("Cancel"));
    connect(buttons, &QDialogButtonBox::accepted, this, &CampaignSettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &CampaignSettingsDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    column->setSpacing(spacing3);
    column->addWidget(buildModels());
    column->addWidget(buildHint());
    column->addWidget(buildBudgets());
    column->addWidget(m_mistake);
    column->addStretch(1);
    column->addWidget(buttons);
    updateModels();
    resize(720, 620);
}

QWidget* CampaignSettingsDialog::buildModels() {
    m_scientist->addItem(tr("Tuner: searches the tunables, needs no model"), static_cast<int>(ScientistKind::tuner));
    m_scientist->addItem(tr("Language model"), static_cast<int>(ScientistKind::model));
    m_scientist->setCurrentIndex(m_scientist->findData(static_cast<int>(m_before.scientist)));
    m_models->setHorizontalHeaderLabels({tr("stage"), tr("model"), tr("address"), tr("key variable")});
    m_models->verticalHeader()->hide();
    const QStringList names = {tr("default"), tr("selector"), tr("designer"), tr("writer"), tr("repair")};
    m_models->horizontalHeader()->setSectionResizeMode(addressColumn, QHeaderView::Stretch);
    m_models->setColumnWidth(modelColumn, 200);
    m_models->setColumnWidth(keyColumn, 170);
    m_models->setToolTip(tr("A stage without a model takes the default, repair takes the writer's. The key stays in "
                            "the environment variable that is named here."));
    for (int row = 0; row < m_models->rowCount(); ++row) {
        const auto found = m_before.models.find(stages[static_cast<std::size_t>(row)]);
        const ModelChoice shown = found == m_before.models.end() ? ModelChoice{} : found->second;
        const bool set = found != m_before.models.end();
        auto* stage = new QTableWidgetItem(names[row]);
        stage->setFlags(Qt::ItemIsEnabled);
        m_models->setItem(row, stageColumn, stage);
        m_models->setItem(row, modelColumn, new QTableWidgetItem(toText(shown.model)));
        m_models->setItem(row, addressColumn, new QTableWidgetItem(toText(shown.baseUrl)));
        m_models->setItem(row, keyColumn, new QTableWidgetItem(set ? toText(shown.keyVariable) : QString()));
    }
    m_models->setFixedHeight(m_models->horizontalHeader()->sizeHint().height() +
                             m_models->rowCount() * m_models->rowHeight(0) + 4);
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    form->addRow(tr("&Scientist"), m_scientist);
    auto* label = new QLabel(tr("&Models"));
    label->setBuddy(m_models);
    form->addRow(label, m_models);
    connect(m_scientist, &QComboBox::currentIndexChanged, this, &CampaignSettingsDialog::updateModels);
    return box;
}

QWidget* CampaignSettingsDialog::buildHint() {
    m_hint->setPlainText(toText(m_before.hint));
    m_hint->setPlaceholderText(tr("What every prompt shall say besides: where to look, what to leave alone"));
    m_hint->setTabChangesFocus(true);
    m_hint->setFixedHeight(5 * fontMetrics().height());
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing1);
    auto* label = new QLabel(tr("&Hint for the prompts"));
    label->setBuddy(m_hint);
    column->addWidget(label);
    column->addWidget(m_hint);
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
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    const auto add = [&](const QString& name, QWidget* field, const QString& spent) {
        auto* row = new QHBoxLayout;
        auto* quiet = new QLabel(tr("%1 spent").arg(spent));
        quiet->setProperty("quiet", true);
        field->setFixedWidth(150);
        row->addWidget(field);
        row->addWidget(quiet, 1);
        auto* label = new QLabel(name);
        label->setBuddy(field);
        form->addRow(label, row);
    };
    add(tr("&Evaluations"), m_evaluations, QString::number(spend.evaluations));
    add(tr("&Time running"), m_minutes, toText(formatSeconds(spend.wallSeconds)));
    add(tr("Mone&y"), m_usd, toText(formatUsd(spend.usd)));
    add(tr("To&kens"), m_thousandTokens, QString::number(spend.tokens));
    add(tr("&Device time"), m_gpuMinutes, toText(formatSeconds(spend.gpuSeconds)));
    return box;
}

void CampaignSettingsDialog::updateModels() {
    const bool model = m_scientist->currentData().toInt() == static_cast<int>(ScientistKind::model);
    m_models->setEnabled(model);
    m_hint->setEnabled(model);
}

QString CampaignSettingsDialog::cell(int row, int column) const {
    return m_models->item(row, column)->text().trimmed();
}

QString CampaignSettingsDialog::mistake() const {
    if (!m_models->isEnabled()) {
        return {};
    }
    for (int row = 0; row < m_models->rowCount(); ++row) {
        const bool used = row == 0 || !cell(row, modelColumn).isEmpty();
        for (const QString& text : {used ? mistakeInModelName(cell(row, modelColumn)) : QString(),
                                    used && (row == 0 || !cell(row, addressColumn).isEmpty())
                                        ? mistakeInModelAddress(cell(row, addressColumn))
                                        : QString(),
                                    mistakeInKeyVariable(cell(row, keyColumn))}) {
            if (!text.isEmpty()) {
                return cell(row, stageColumn) % QStringLiteral(": ") % text;
            }
        }
    }
    return {};
}

// What the table does not show, temperature and length of the answers, is kept.
std::map<std::string, ModelChoice> CampaignSettingsDialog::models() const {
    if (!m_models->isEnabled()) {
        return m_before.models;
    }
    std::map<std::string, ModelChoice> choices;
    for (int row = 0; row < m_models->rowCount(); ++row) {
        if (cell(row, modelColumn).isEmpty()) {
            continue;
        }
        const char* stage = stages[static_cast<std::size_t>(row)];
        const auto known = m_before.models.find(stage);
        ModelChoice choice = known != m_before.models.end() ? known->second
                             : choices.contains("default")  ? choices.at("default")
                                                            : ModelChoice{};
        const auto take = [&](Column column, std::string& value) {
            if (row == 0 || !cell(row, column).isEmpty()) {
                value = cell(row, column).toStdString();
            }
        };
        take(modelColumn, choice.model);
        take(addressColumn, choice.baseUrl);
        take(keyColumn, choice.keyVariable);
        choices[stage] = choice;
    }
    return choices;
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
    return budgets;
}

void CampaignSettingsDialog::accept() {
    const QString wrong = mistake();
    m_mistake->setText(wrong);
    m_mistake->setVisible(!wrong.isEmpty());
    if (!wrong.isEmpty()) {
        m_models->setFocus();
        return;
    }
    const auto scientist = static_cast<ScientistKind>(m_scientist->currentData().toInt());
    if (scientist != m_before.scientist || models() != m_before.models) {
        m_bridge.setScientist(scientist, models());
    }
    if (const QString hint = m_hint->toPlainText().trimmed(); hint != toText(m_before.hint)) {
        m_bridge.setHint(hint);
    }
    if (!(budgets() == m_before.budgets)) {
        m_bridge.setBudgets(budgets());
    }
    QDialog::accept();
}

} // namespace gks
