// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/run_bar.h"

#include "core/campaign/limits.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/run/campaign_settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace gks {

namespace {

constexpr Mode modes[] = {Mode::automatic, Mode::approveExperiments, Mode::step};

QLabel* quietLabel(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("quiet", true);
    return label;
}

// Digits that do not dance: as wide as the widest text it will show.
void reserve(QLabel* label, const QString& widest) {
    label->setMinimumWidth(label->fontMetrics().horizontalAdvance(widest));
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void prepareBudget(QAbstractSpinBox* box, const QString& name, const QString& accessibleName, const QString& tip) {
    box->setObjectName(name);
    box->setAccessibleName(accessibleName);
    box->setToolTip(tip);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setSpecialValueText(QStringLiteral("∞"));
    box->setKeyboardTracking(false);
    box->setAlignment(Qt::AlignRight);
    box->setFixedWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("00000")) + 2 * spacing3);
}

} // namespace

RunBar::RunBar(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_problem(new ElidedLabel)
    , m_state(new ElidedLabel)
    , m_mode(new QComboBox)
    , m_checkCode(named(new QCheckBox(tr("Check co&de")), "runCheckCode", tr("Check code before it runs")))
    , m_evaluations(new QLabel)
    , m_evaluationBudget(new QSpinBox)
    , m_usd(new QLabel)
    , m_usdBudget(new QDoubleSpinBox)
    , m_clock(new QLabel)
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("runBar"));
    setAttribute(Qt::WA_StyledBackground);
    addRunActions();
    m_problem->setObjectName(QStringLiteral("runProblem"));
    m_state->setObjectName(QStringLiteral("runState"));
    m_state->setProperty("quiet", true);
    for (QLabel* label : {m_problem, m_state}) { // as wide as the text, and cut when there is no room
        label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    }
    QFont strong = m_problem->font();
    strong.setWeight(QFont::DemiBold);
    m_problem->setFont(strong);

    m_mode->setObjectName(QStringLiteral("runMode"));
    m_mode->setAccessibleName(tr("Mode"));
    m_mode->setToolTip(tr("Automatic: run the picked experiments. Approve: wait for your approval of each experiment. "
                          "Step: pause after every round."));
    for (const Mode mode : modes) {
        m_mode->addItem(modeText(mode), static_cast<int>(mode));
    }
    m_checkCode->setToolTip(tr("A draft of a model waits until you approve its code"));
    connect(m_checkCode, &QCheckBox::clicked, this, [this](bool checked) {
        Policies policies = bridge().population()->settings.policies;
        policies.checkCode = checked;
        bridge().send(command::SetPolicies{policies});
    });
    connect(m_mode, &QComboBox::activated, this, [this](int at) { bridge().send(command::SetMode{modes[at]}); });

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(spacing3, spacing1 + 2, spacing3, spacing1 + 2);
    row->setSpacing(spacing2);
    row->addWidget(m_problem);
    row->addSpacing(spacing2);
    row->addWidget(buildButtons());
    row->addWidget(m_state);
    row->addWidget(m_unsaved->notice());
    row->addStretch(1);
    m_words.push_back(quietLabel(tr("Mode")));
    row->addWidget(m_words.back());
    row->addWidget(m_mode);
    row->addWidget(m_checkCode);
    row->addSpacing(spacing3);
    row->addWidget(buildBudgets());

    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &RunBar::updateClock);
    connect(context.bridge, &EngineBridge::stateChanged, this, [this] {
        updateActions();
        scheduleRefresh();
    });
    connect(context.bridge, &EngineBridge::populationChanged, this, [this] { m_sincePopulation.restart(); });
    m_sincePopulation.start();
    updateActions();
    measureForms();
}

void RunBar::setNarrow(bool narrow) {
    m_isNarrow = narrow;
    for (QToolButton* button : m_buttons) {
        button->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    }
    for (QLabel* word : m_words) {
        word->setVisible(!narrow);
    }
    m_buttons.front()->parentWidget()->updateGeometry(); // the layout around it keeps what it asked for before
}

void RunBar::measureForms() {
    const bool isNarrow = m_isNarrow;
    for (const bool narrow : {true, false}) {
        setNarrow(narrow);
        layout()->invalidate();
        (narrow ? m_narrowWidth : m_wholeWidth) = layout()->minimumSize().width();
    }
    setNarrow(isNarrow);
    updateGeometry();
}

// With its words only where the problem and the state are whole too.
void RunBar::fitForm() {
    int whole = m_wholeWidth;
    for (const QLabel* label : {m_problem, m_state}) {
        whole += std::max(0, label->sizeHint().width() - label->minimumSizeHint().width());
    }
    if (const bool narrow = width() < whole; narrow != m_isNarrow) {
        setNarrow(narrow);
    }
}

QSize RunBar::minimumSizeHint() const {
    return {m_narrowWidth, Panel::minimumSizeHint().height()};
}

void RunBar::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    fitForm();
}

void RunBar::showEvent(QShowEvent* event) { // the style is known now
    Panel::showEvent(event);
    measureForms();
    fitForm();
}

void RunBar::addRunActions() {
    const QString menu = tr("&Run");
    EngineBridge* engine = &bridge();
    actions().add(
        this, {"run.start", tr("&Run"), menu, QKeySequence(Qt::Key_F5), Icon::run, tr("Run until a budget is reached")},
        [engine] { engine->send(command::Start{}); });
    actions().add(this,
                  {"run.pause", tr("&Pause"), menu, QKeySequence(Qt::Key_F6), Icon::pause,
                   tr("Finish the running evaluation, then pause")},
                  [engine] { engine->send(command::Pause{}); });
    actions().add(
        this, {"run.step", tr("&Step"), menu, QKeySequence(Qt::Key_F10), Icon::step, tr("Run one round, then pause")},
        [engine] { engine->send(command::Step{}); });
    actions().add(this,
                  {"run.stop", tr("S&top"), menu, QKeySequence(Qt::SHIFT | Qt::Key_F5), Icon::stop,
                   tr("Stop at once; unfinished work starts over with the next run")},
                  [engine] { engine->send(command::Stop{}); });
    actions().add(this,
                  {"run.cancel", tr("&Cancel current work"), menu, QKeySequence(Qt::CTRL | Qt::Key_Period),
                   Icon::cancel, tr("Cancel the running evaluation or model call and pause")},
                  [engine] { engine->send(command::CancelCurrent{}); });
    actions().add(this,
                  {"run.settings", tr("Campaign s&ettings..."), menu,
                   QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Comma), Icon::settings,
                   tr("Models, policies, hint and budgets; changes apply from the next step")},
                  [this] { showSettings(); });
}

void RunBar::showSettings() {
    if (m_settings != nullptr) {
        return;
    }
    m_settings = new CampaignSettingsDialog(bridge(), this);
    m_settings->setAttribute(Qt::WA_DeleteOnClose);
    if (!m_hintsFromLastTime.isEmpty()) {
        m_settings->setHints(std::exchange(m_hintsFromLastTime, {}));
    }
    connect(m_settings, &CampaignSettingsDialog::hintTyped, m_unsaved, &UnsavedText::touch);
    connect(m_settings, &QDialog::finished, this, [this] { // sent, or given up by the person
        m_settings = nullptr;
        m_unsaved->touch();
    });
    m_settings->open(); // no loop of its own: the campaign may be closed meanwhile
}

UnsavedText* RunBar::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] {
        const QJsonObject typed = m_settings != nullptr ? m_settings->hints() : m_hintsFromLastTime;
        return !typed.isEmpty() ? tr("Hint in the campaign settings") : QString();
    };
    form.content = [this] { return m_settings != nullptr ? m_settings->hints() : m_hintsFromLastTime; };
    form.restore = [this](const QJsonObject& content) {
        m_hintsFromLastTime = content;
        return true;
    };
    form.discard = [this] {
        m_hintsFromLastTime = {};
        if (m_settings != nullptr) {
            m_settings->reject();
        }
    };
    auto* unsaved = new UnsavedText(QStringLiteral("settings"), std::move(form), this);
    unsaved->notice()->setToolTip(tr("The hint stands in the campaign settings"));
    return unsaved;
}

QWidget* RunBar::buildButtons() {
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    for (const char* id : {"run.start", "run.pause", "run.step", "run.stop"}) {
        QAction* action = actions().action(id);
        m_buttons.push_back(toolButton(action, action->iconText()));
        row->addWidget(m_buttons.back());
    }
    return group;
}

QWidget* RunBar::buildBudgets() {
    m_evaluationBudget->setRange(0, limits::budget);
    prepareBudget(m_evaluationBudget, QStringLiteral("budgetEvaluations"), tr("Evaluation budget"),
                  tr("Maximum number of evaluations (0 = unlimited)"));
    m_usdBudget->setRange(0, limits::budget);
    m_usdBudget->setDecimals(2);
    m_usdBudget->setPrefix(QStringLiteral("$"));
    prepareBudget(m_usdBudget, QStringLiteral("budgetUsd"), tr("Cost budget in US dollars"),
                  tr("Maximum cost of model calls (0 = unlimited)"));
    for (QAbstractSpinBox* box :
         {static_cast<QAbstractSpinBox*>(m_evaluationBudget), static_cast<QAbstractSpinBox*>(m_usdBudget)}) {
        connect(box, &QAbstractSpinBox::editingFinished, this, &RunBar::sendBudgets);
    }
    m_evaluations->setObjectName(QStringLiteral("spentEvaluations"));
    m_usd->setObjectName(QStringLiteral("spentUsd"));
    m_clock->setObjectName(QStringLiteral("spentClock"));
    reserve(m_evaluations, QStringLiteral("0000"));
    reserve(m_usd, QStringLiteral("$00.00"));
    reserve(m_clock, QStringLiteral("00:00:00"));
    m_clock->setToolTip(tr("Wall time"));
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing1);
    row->addWidget(quietLabel(tr("Evaluations")));
    row->addWidget(m_evaluations);
    row->addWidget(quietLabel(QStringLiteral("/")));
    row->addWidget(m_evaluationBudget);
    row->addSpacing(spacing2);
    row->addWidget(m_usd);
    row->addWidget(quietLabel(QStringLiteral("/")));
    row->addWidget(m_usdBudget);
    row->addSpacing(spacing2);
    row->addWidget(m_clock);
    row->addWidget(toolButton(actions().action("run.settings")));
    return group;
}

void RunBar::updateActions() {
    const EngineState state = bridge().state();
    const bool writable = !bridge().readOnly();
    const bool resting = state == EngineState::idle || state == EngineState::paused;
    actions().action("run.start")->setEnabled(writable && resting);
    actions().action("run.step")->setEnabled(writable && resting);
    actions().action("run.pause")->setEnabled(writable && state == EngineState::running);
    actions()
        .action("run.stop")
        ->setEnabled(writable && (state == EngineState::running || state == EngineState::paused));
    actions().action("run.settings")->setEnabled(writable);
    actions().action("run.cancel")->setEnabled(writable && state == EngineState::running);
    state == EngineState::running ? m_tick.start() : m_tick.stop();
}

void RunBar::refresh() {
    const Population& population = *bridge().population();
    const CampaignSettings& settings = population.settings;
    const QString device = settings.target == TargetKind::cpu
                               ? QString()
                               : QString(QStringLiteral(":") % QString::number(settings.device));
    const QString problem = toText(settings.problem); // a name, or the folder of a pack
    const QString name = problem.section(QLatin1Char('/'), -1, -1, QString::SectionSkipEmpty);
    m_problem->setText(name % QStringLiteral(" · ") % targetText(settings.target) % device);
    m_problem->setToolTip(toText(population.problemTitle) %
                          (name == problem ? QString() : QString(QLatin1Char('\n') % problem)));
    const QString reason = bridge().stateReason();
    m_state->setText(bridge().readOnly() && bridge().state() == EngineState::idle
                         ? tr("read-only")
                         : QString(stateText(bridge().state()) %
                                   (reason.isEmpty() ? QString() : QString(QStringLiteral(": ") % reason))));
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(settings.mode)));
    m_mode->setEnabled(!bridge().readOnly());
    m_checkCode->setChecked(settings.policies.checkCode);
    m_checkCode->setEnabled(!bridge().readOnly());
    m_evaluations->setText(QString::number(population.spend.evaluations));
    m_usd->setText(costText(population.spend));
    const QSignalBlocker quietEvaluations(m_evaluationBudget);
    const QSignalBlocker quietUsd(m_usdBudget);
    if (!m_evaluationBudget->hasFocus()) {
        m_evaluationBudget->setValue(static_cast<int>(settings.budgets.evaluations));
    }
    if (!m_usdBudget->hasFocus()) {
        m_usdBudget->setValue(settings.budgets.usd);
    }
    m_evaluationBudget->setEnabled(!bridge().readOnly());
    m_usdBudget->setEnabled(!bridge().readOnly());
    updateActions();
    updateClock();
    fitForm(); // the state may be longer now
}

void RunBar::updateClock() {
    double seconds = bridge().population()->spend.wallSeconds;
    if (bridge().state() == EngineState::running) {
        seconds += static_cast<double>(m_sincePopulation.elapsed()) / 1000;
    }
    m_clock->setText(toText(formatClock(seconds)));
}

void RunBar::sendBudgets() {
    Budgets budgets = bridge().population()->settings.budgets;
    const Budgets before = budgets;
    budgets.evaluations = m_evaluationBudget->value();
    budgets.usd = m_usdBudget->value();
    if (!bridge().readOnly() && budgets != before) {
        bridge().send(command::SetBudgets{budgets});
    }
}

} // namespace gks
