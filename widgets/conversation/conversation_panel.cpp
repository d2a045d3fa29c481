// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/conversation_panel.h"

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

// The stored prompt is a JSON array of {role, content}; text that is not one is shown as it is.
QString readablePrompt(const std::string& prompt) {
    const auto messages = parseJson(prompt, "prompt");
    if (!messages || !messages->is_array()) {
        return text(prompt);
    }
    QString out;
    for (const Json& message : *messages) {
        if (message.is_object()) {
            out += QStringLiteral("\u2500\u2500 %1 \u2500\u2500\n%2\n\n")
                       .arg(text(message.value("role", "?")), text(message.value("content", "")));
        }
    }
    return out;
}

QString factsOf(const Exchange& exchange) {
    return QStringLiteral("%1   %2   %3 in, %4 out   %5   %6")
        .arg(text(exchange.model), dateText(exchange.at),
             text(formatTokens(static_cast<std::uint64_t>(exchange.tokensIn))),
             text(formatTokens(static_cast<std::uint64_t>(exchange.tokensOut))), text(formatUsd(exchange.usd)),
             text(formatSeconds(exchange.seconds)));
}

} // namespace

ConversationPanel::ConversationPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_list(new QListWidget(this))
    , m_facts(new QLabel(this))
    , m_search(new QLineEdit(this))
    , m_text(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("conversationPanel"));
    m_list->setObjectName(QStringLiteral("exchangeList"));
    m_list->setAccessibleName(tr("Prompts and replies"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_facts->setObjectName(QStringLiteral("exchangeFacts"));
    m_facts->setProperty("quiet", true);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_search->setObjectName(QStringLiteral("exchangeSearch"));
    m_search->setAccessibleName(tr("Find in the conversation"));
    m_search->setPlaceholderText(tr("find"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(220);
    m_text->setObjectName(QStringLiteral("exchangeText"));
    m_text->setAccessibleName(tr("Prompt and reply"));
    m_text->setReadOnly(true);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setFrameShape(QFrame::NoFrame);

    auto* header = new QHBoxLayout;
    header->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    header->addWidget(m_facts, 1);
    header->addWidget(m_search);
    auto* right = new QWidget(this);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(0);
    rightLayout->addLayout(header);
    rightLayout->addWidget(m_text, 1);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("conversationParts"));
    parts->addWidget(m_list);
    parts->addWidget(right);
    parts->setStretchFactor(1, 1);
    parts->setSizes({220, 700});
    m_stack->addWidget(m_empty);
    m_stack->addWidget(parts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(m_list, &QListWidget::currentRowChanged, this, &ConversationPanel::showExchange);
    connect(m_search, &QLineEdit::returnPressed, this, &ConversationPanel::findNext);
    connect(context.selection, &SelectionContext::changed, this, [this] { m_followsExperiment = false; });
    connect(context.selection, &SelectionContext::experimentChanged, this, [this] {
        m_followsExperiment = true;
        scheduleRefresh();
    });
}

void ConversationPanel::refresh() {
    const Population& population = *bridge().population();
    m_empty->setText(tr("Prompts and replies of the selected kernel"),
                     population.settings.scientist == ScientistKind::tuner
                         ? tr("The tuner talks to no language model, so there is nothing to read. A model can be "
                              "chosen in a new campaign.")
                         : tr("Select a kernel that a model wrote."));
    const Kernel* kernel = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    std::optional<KernelId> about = kernel != nullptr ? std::optional(kernel->id) : std::nullopt;
    std::optional<ExperimentId> experiment = kernel != nullptr ? kernel->experiment : selection().experiment();
    if (m_followsExperiment) {
        const Experiment* chosen =
            selection().experiment() ? population.experiment(*selection().experiment()) : nullptr;
        experiment = selection().experiment();
        about = chosen != nullptr ? chosen->kernel : std::nullopt;
    }
    m_awaited = true;
    bridge().askExchanges(this, about, experiment, [this](const Result<std::vector<Exchange>>& answer) {
        m_awaited = false;
        m_exchanges = answer.value_or(std::vector<Exchange>{});
        showList();
        Q_EMIT settled();
    });
}

void ConversationPanel::showList() {
    const int row = m_list->currentRow();
    m_list->clear();
    for (const Exchange& exchange : m_exchanges) {
        QString line = text(exchange.stage) + QStringLiteral("   ") + text(formatUsd(exchange.usd));
        if (!exchange.error.empty()) {
            line += tr("   failed");
        }
        m_list->addItem(line);
    }
    m_stack->setCurrentIndex(m_exchanges.empty() ? 0 : 1);
    if (!m_exchanges.empty()) {
        m_list->setCurrentRow(row >= 0 && row < m_list->count() ? row : m_list->count() - 1);
    }
}

void ConversationPanel::showExchange(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= m_exchanges.size()) {
        return;
    }
    const Exchange& exchange = m_exchanges[static_cast<std::size_t>(row)];
    m_facts->setText(factsOf(exchange));
    QString shown =
        readablePrompt(exchange.prompt) + QStringLiteral("\u2500\u2500 reply \u2500\u2500\n") + text(exchange.reply);
    if (!exchange.error.empty()) {
        shown += QStringLiteral("\n\n\u2500\u2500 error \u2500\u2500\n") + text(exchange.error);
    }
    if (m_text->toPlainText() != shown) {
        m_text->setPlainText(shown);
    }
}

void ConversationPanel::findNext() {
    if (!m_text->find(m_search->text())) {
        m_text->moveCursor(QTextCursor::Start);
        m_text->find(m_search->text());
    }
}

} // namespace gks
