// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/conversation_panel.h"

#include "core/base/quantity.h"
#include "core/engine/call_lane.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/find_bar.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"
#include "widgets/conversation/exchange_delegate.h"
#include "widgets/conversation/exchange_model.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace gks {

namespace {

enum Scope { selectedScope, campaignScope };

QString tokensText(std::int64_t tokens) {
    return toText(formatTokens(static_cast<std::uint64_t>(tokens)));
}

QString factsOf(const Exchange& exchange) {
    QStringList facts = {toText(exchange.provider) % QStringLiteral(" \u00b7 ") % toText(exchange.model),
                         (exchange.tokensEstimated ? QObject::tr("about %1 tokens in, %2 out (estimated)")
                                                   : QObject::tr("%1 tokens in, %2 out"))
                             .arg(tokensText(exchange.tokensIn), tokensText(exchange.tokensOut)),
                         costText(exchange),
                         exchange.firstTokenSeconds > 0 ? QObject::tr("%1, first token after %2")
                                                              .arg(toText(formatSeconds(exchange.seconds)),
                                                                   toText(formatSeconds(exchange.firstTokenSeconds)))
                                                        : toText(formatSeconds(exchange.seconds))};
    if (exchange.attempts > 1) {
        facts.append(QObject::tr("%1 attempts").arg(exchange.attempts));
    }
    facts.append(dateText(exchange.at));
    for (QString& fact : facts) {
        fact.replace(QLatin1Char(' '), QChar::Nbsp); // a narrow page breaks between facts, not within one
    }
    return facts.join(QStringLiteral("    "));
}

bool holds(const Exchange& exchange, const QString& words) {
    return toText(exchange.prompt).contains(words, Qt::CaseInsensitive) ||
           toText(exchange.reply).contains(words, Qt::CaseInsensitive);
}

} // namespace

ConversationPanel::ConversationPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_model(new ExchangeModel(this))
    , m_filter(new ExchangeFilter(m_model, this))
    , m_scope(named(new QComboBox(this), "exchangeScope", tr("Conversation scope")))
    , m_stage(named(new QComboBox(this), "exchangeStage", tr("Stage")))
    , m_modelName(named(new QComboBox(this), "exchangeModel", tr("Model")))
    , m_onlyErrors(named(new QCheckBox(tr("&Errors only"), this), "exchangeErrors", tr("Failed calls only")))
    , m_list(named(new QListView(this), "exchangeList", tr("Prompts and replies")))
    , m_facts(new MessageLabel(this))
    , m_call(new ElidedLabel(this))
    , m_raw(named(new QToolButton(this), "exchangeRaw", tr("Raw text")))
    , m_text(named(new RichTextView(this), "exchangeText", tr("Prompt and reply")))
    , m_find(new FindBar(QStringLiteral("exchangeFind"), m_text, this)) {
    setObjectName(QStringLiteral("conversationPanel"));
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("conversationParts"));
    parts->addWidget(buildList());
    parts->addWidget(buildPage());
    parts->setStretchFactor(1, 1);
    parts->setSizes({230, 700});
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_call->setObjectName(QStringLiteral("exchangeCall"));
    m_call->setAccessibleName(tr("Model call that is on its way"));
    m_call->setProperty("quiet", true);
    m_call->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    layout->setSpacing(0);
    layout->addWidget(parts, 1);
    layout->addWidget(m_call);
    addActions();
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, &ConversationPanel::showCall);
    connect(context.bridge, &EngineBridge::activityChanged, this, &ConversationPanel::showCall);
    showCall();

    connect(m_scope, &QComboBox::currentIndexChanged, this, &Panel::scheduleRefresh);
    connect(m_stage, &QComboBox::currentIndexChanged, this,
            [this] { m_filter->setStage(m_stage->currentData().toString()); });
    connect(m_modelName, &QComboBox::currentIndexChanged, this,
            [this] { m_filter->setModelName(m_modelName->currentData().toString()); });
    connect(m_onlyErrors, &QCheckBox::toggled, m_filter, &ExchangeFilter::setOnlyErrors);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &ConversationPanel::showCurrent);
    connect(m_text, &QTextBrowser::anchorClicked, this, &ConversationPanel::follow);
    connect(m_find, &FindBar::queryChanged, this, [this] {
        m_options.unfolded = !m_find->query().isEmpty();
        write();
        countElsewhere();
    });
    connect(m_find, &FindBar::stepsOut, this, &ConversationPanel::goToAnother);
    connect(context.selection, &SelectionContext::changed, this, [this] { m_followsExperiment = false; });
    connect(context.selection, &SelectionContext::experimentChanged, this, [this] {
        const auto selected = selection().primary();
        const Kernel* kernel = selected ? bridge().population()->kernel(*selected) : nullptr;
        // One that came along with the selected kernel says no more than that one does.
        m_followsExperiment = kernel == nullptr || kernel->experiment != selection().experiment();
        scheduleRefresh();
    });
    connect(context.bridge, &EngineBridge::warningRaised, this, &Panel::scheduleRefresh);
}

// A call is in the list when it has ended; until then it is said here what it waits for, and since when.
void ConversationPanel::showCall() {
    QStringList calls;
    for (const auto& [lane, call] : bridge().lanes()) {
        if (!isCallLane(lane) || call.detail.empty()) {
            continue;
        }
        const QString elapsed = toText(formatSeconds(static_cast<double>((now() - call.since) / 1000)));
        calls.append(
            call.experiment
                ? tr("%1, %2 (experiment %3)").arg(toText(call.detail), elapsed, QString::number(*call.experiment))
                : tr("%1, %2").arg(toText(call.detail), elapsed));
    }
    if (!calls.isEmpty()) {
        m_call->setText(calls.join(QStringLiteral("; ")));
    }
    m_call->setVisible(!calls.isEmpty());
    calls.isEmpty() ? m_tick.stop() : m_tick.start();
}

QWidget* ConversationPanel::buildList() {
    m_scope->addItem(tr("Selection"), selectedScope);
    m_scope->addItem(tr("Whole campaign"), campaignScope);
    offer(m_stage, tr("All stages"), {});
    offer(m_modelName, tr("All models"), {});
    m_onlyErrors->setToolTip(tr("Show only calls that failed or whose reply was rejected"));
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new ExchangeDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(spacing2, spacing2, 0, 0);
    column->setSpacing(spacing1);
    auto* first = new QHBoxLayout;
    first->setSpacing(spacing1);
    first->addWidget(m_scope, 1);
    first->addWidget(m_onlyErrors);
    auto* second = new QHBoxLayout;
    second->setSpacing(spacing1);
    for (QComboBox* combo : {m_stage, m_modelName}) {
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(6);
        second->addWidget(combo, 1);
    }
    column->addLayout(first);
    column->addLayout(second);
    column->addWidget(m_list, 1);
    box->setMinimumWidth(170);
    return box;
}

QWidget* ConversationPanel::buildPage() {
    m_facts->setObjectName(QStringLiteral("exchangeFacts"));
    m_facts->setProperty("quiet", true);
    m_raw->setText(tr("&Raw"));
    m_raw->setCheckable(true);
    m_raw->setToolTip(tr("Show prompt and reply exactly as sent"));
    connect(m_raw, &QToolButton::toggled, this, [this](bool on) {
        m_options.raw = on;
        write();
    });
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing3, spacing2, spacing2, 0);
    tools->setSpacing(spacing2);
    tools->addWidget(m_find, 1);
    tools->addWidget(m_raw);
    auto* facts = new QHBoxLayout;
    facts->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    facts->addWidget(m_facts);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tools);
    column->addLayout(facts);
    column->addWidget(m_text, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    return m_stack;
}

void ConversationPanel::addActions() {
    const QString menu = tr("&View");
    const auto add = [&](const char* id, const QString& text, const QKeySequence& keys, auto run) {
        actions().add(this, {id, text, menu, keys}, run, true);
    };
    add("conversation.find", tr("&Find in conversation"), QKeySequence::Find, [this] { m_find->begin(); });
    add("conversation.find-next", tr("Find next in conversation"), QKeySequence(Qt::Key_F3),
        [this] { m_find->next(); });
    add("conversation.find-previous", tr("Find previous in conversation"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
        [this] { m_find->previous(); });
    add("conversation.raw", tr("Show raw co&nversation"), {}, [this] { m_raw->toggle(); });
}

void ConversationPanel::refresh() {
    const Population& population = *bridge().population();
    if (m_scope->currentData().toInt() == campaignScope) {
        ask({}, {});
        return;
    }
    const Kernel* kernel = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    std::optional<KernelId> about = kernel != nullptr ? std::optional(kernel->id) : std::nullopt;
    std::optional<ExperimentId> experiment = kernel != nullptr ? kernel->experiment : selection().experiment();
    if (m_followsExperiment) {
        const Experiment* chosen =
            selection().experiment() ? population.experiment(*selection().experiment()) : nullptr;
        experiment = selection().experiment();
        about = chosen != nullptr ? chosen->kernel : std::nullopt;
    }
    if (!about && !experiment) {
        m_asked.clear();
        take({});
        return;
    }
    ask(about, experiment);
}

// A population comes twenty times in a second while it runs; there is a new exchange only when one of these has grown.
void ConversationPanel::ask(std::optional<KernelId> kernel, std::optional<ExperimentId> experiment) {
    const Population& population = *bridge().population();
    const QString asked = QStringLiteral("%1 %2 %3 %4 %5 %6 %7")
                              .arg(kernel.value_or(0))
                              .arg(experiment.value_or(0))
                              .arg(population.spend.tokens)
                              .arg(population.spend.usd)
                              .arg(population.kernels.size())
                              .arg(population.experiments.size())
                              .arg(bridge().warnings().size());
    if (asked == m_asked) {
        m_shown = 0; // the theme may be another one
        showCurrent();
        return;
    }
    m_asked = asked;
    m_awaited = true;
    bridge().askExchanges(this, kernel, experiment, [this](const Result<std::vector<Exchange>>& answer) {
        m_awaited = false;
        take(answer.value_or(std::vector<Exchange>{}));
        Q_EMIT settled();
    });
}

void ConversationPanel::take(std::vector<Exchange> exchanges) {
    const Population& population = *bridge().population();
    const bool whole = m_scope->currentData().toInt() == campaignScope;
    m_empty->setText(whole ? tr("No model calls in this campaign") : tr("No model calls for this selection"),
                     population.settings.scientist == ScientistKind::tuner
                         ? tr("The tuner makes no model calls. To use a language model, open the campaign settings.")
                     : whole
                         ? tr("Press Run. Every model call is kept here with its prompt and reply.")
                         : tr("Select a kernel written by a model, or choose \u201cWhole campaign\u201d on the left."));
    m_model->setExchanges(std::move(exchanges));
    offer(m_stage, tr("All stages"), m_model->stages());
    offer(m_modelName, tr("All models"), m_model->models());
    const auto before = m_shown;
    if (!m_list->currentIndex().isValid() && m_filter->rowCount() > 0) {
        m_list->setCurrentIndex(m_filter->index(m_filter->rowCount() - 1, 0));
    }
    if (m_shown == before) {
        m_shown = 0; // a rubric may have been checked meanwhile
    }
    showCurrent();
    countElsewhere();
}

// The values that occur; what was chosen stays chosen, also while it does not occur.
void ConversationPanel::offer(QComboBox* box, const QString& all, const QStringList& values) {
    const QSignalBlocker quiet(box);
    if (box->count() == 0) {
        box->addItem(all, QString());
    }
    for (const QString& value : values) {
        if (box->findData(value) < 0) {
            box->addItem(box == m_stage ? stageText(value.toStdString()) : value, value);
        }
    }
}

void ConversationPanel::showCurrent() {
    const Exchange* exchange = m_filter->at(m_list->currentIndex().row());
    m_stack->setCurrentIndex(exchange != nullptr ? 1 : 0);
    if (exchange == nullptr || exchange->id == m_shown) {
        return;
    }
    if (m_shown != 0) {
        m_options.open.clear();
    }
    m_shown = exchange->id;
    m_facts->setText(factsOf(*exchange));
    write();
    countElsewhere();
}

void ConversationPanel::write() {
    const Exchange* exchange = m_filter->at(m_list->currentIndex().row());
    if (exchange == nullptr) {
        return;
    }
    const Kernel* kernel = exchange->kernel ? bridge().population()->kernel(*exchange->kernel) : nullptr;
    const int at = m_text->verticalScrollBar()->value();
    auto* document = new QTextDocument(m_text); // filled apart, laid out once
    document->setDefaultFont(m_text->font());
    document->setDocumentMargin(spacing3);
    writeExchangePage(document, *exchange, kernel != nullptr ? kernel->rubric.orNothing() : std::vector<RubricItem>{},
                      m_options);
    showDocument(*m_text, document);
    m_text->verticalScrollBar()->setValue(at);
    m_find->refresh();
}

void ConversationPanel::follow(const QUrl& link) {
    if (link.scheme() == QLatin1String("unfold")) {
        m_options.open.insert(link.path().toInt());
        write();
    }
}

void ConversationPanel::countElsewhere() {
    int others = 0;
    const QString words = m_find->query();
    for (int row = 0; !words.isEmpty() && row < m_filter->rowCount(); ++row) {
        others += row != m_list->currentIndex().row() && holds(*m_filter->at(row), words) ? 1 : 0;
    }
    m_find->setElsewhere(others);
}

void ConversationPanel::goToAnother(bool forward) {
    const int rows = m_filter->rowCount();
    const int from = m_list->currentIndex().row();
    for (int step = 1; step < rows; ++step) {
        const int row = (from + (forward ? step : rows - step)) % rows;
        if (holds(*m_filter->at(row), m_find->query())) {
            m_list->setCurrentIndex(m_filter->index(row, 0));
            m_find->goToFirst(!forward);
            return;
        }
    }
}

} // namespace gks
