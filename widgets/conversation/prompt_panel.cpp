// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/prompt_panel.h"

#include "core/base/quantity.h"
#include "core/scientist/machine.h"
#include "core/scientist/prompt.h"
#include "core/scientist/prompt_preview.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/common/words.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSplitter>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QUrl>
#include <QVBoxLayout>

namespace gks {

namespace {

// As its stage is called; those that are of no stage have names too.
QString titleOf(const QString& prompt) {
    return prompt == QLatin1String("probe")        ? PromptPanel::tr("Probe")
           : prompt == QLatin1String("correction") ? PromptPanel::tr("Correction")
                                                   : stageText(prompt.toStdString());
}

constexpr int typingPauseMs = 300;
constexpr qsizetype bytesPerToken = 4; // about, in English text and code

class PlaceholderColors final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override {
        static const QRegularExpression tag(QStringLiteral("\\{\\{[^}]*\\}\\}|<!-- user -->"));
        for (auto matches = tag.globalMatch(text); matches.hasNext();) {
            const auto match = matches.next();
            QTextCharFormat format;
            format.setForeground(Theme::instance().palette().accent);
            format.setFontWeight(QFont::DemiBold);
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
        }
    }
};

// "designer, line 12": where a mistake stands.
int lineOf(const Error& error) {
    static const QRegularExpression place(QStringLiteral("\\bline (\\d+)"));
    for (const std::string& text : {error.where, error.what}) {
        if (const auto match = place.match(toText(text)); match.hasMatch()) {
            return match.captured(1).toInt();
        }
    }
    return 0;
}

} // namespace

PromptPanel::PromptPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_list(named(new QListWidget(this), "promptList", tr("Prompts")))
    , m_text(named(new QPlainTextEdit(this), "promptText", tr("Prompt text")))
    , m_state(new ElidedLabel(this))
    , m_mistake(new MessageLabel(this))
    , m_save(named(new QPushButton(tr("&Save"), this), "promptSave", tr("Save prompt")))
    , m_reset(
          named(new QPushButton(tr("Reset to &default"), this), "promptReset", tr("Reset the prompt to its default")))
    , m_preview(named(new RichTextView(this), "promptPreview", tr("Preview of the next call")))
    , m_size(new ElidedLabel(this))
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("promptPanel"));
    addActions();
    for (const std::string& prompt : promptNames()) {
        const QString name = toText(prompt);
        auto* item = new QListWidgetItem(titleOf(name), m_list);
        item->setData(Qt::UserRole, name);
        m_defaults[name] = toText(defaultPrompt(prompt).value_or(std::string()));
    }
    m_save->setEnabled(false); // until there is a prompt in view: the actions ask the buttons
    m_reset->setEnabled(false);
    m_text->setReadOnly(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(2);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumWidth(m_list->sizeHintForColumn(0) + 2 * spacing3);
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setObjectName(QStringLiteral("promptParts"));
    parts->addWidget(m_list);
    parts->addWidget(buildEditor());
    parts->addWidget(buildPreview());
    parts->setSizes({110, 400, 400});
    parts->setStretchFactor(1, 1);
    parts->setStretchFactor(2, 1);
    parts->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(parts);
    m_pause.setSingleShot(true);
    m_pause.setInterval(typingPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PromptPanel::preview);
    connect(m_list, &QListWidget::currentRowChanged, this, &PromptPanel::showPrompt);
    connect(m_text, &QPlainTextEdit::textChanged, this, &PromptPanel::typed);
    connect(m_save, &QPushButton::clicked, this, &PromptPanel::save);
    connect(m_reset, &QPushButton::clicked, this, &PromptPanel::reset);
    connect(m_preview, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        m_options.open.insert(link.path().toInt());
        writeMessagesOf(m_messages);
    });
}

UnsavedText* PromptPanel::createUnsaved() {
    UnsavedText::Form form;
    form.what = [this] {
        QStringList names;
        for (const auto& [name, text] : m_drafts) {
            names.append(name);
        }
        return names.isEmpty() ? QString() : tr("Edited prompt: %1").arg(names.join(QStringLiteral(", ")));
    };
    form.content = [this] {
        QJsonObject texts;
        for (const auto& [name, text] : m_drafts) {
            texts.insert(name, text);
        }
        return texts;
    };
    form.restore = [this](const QJsonObject& texts) {
        for (auto text = texts.begin(); text != texts.end(); ++text) {
            if (m_defaults.contains(text.key())) {
                m_drafts[text.key()] = text.value().toString();
                m_list->setCurrentItem(m_list->findItems(text.key(), Qt::MatchEndsWith).value(0));
            }
        }
        scheduleRefresh();
        return !m_drafts.empty();
    };
    form.discard = [this] {
        m_drafts.clear();
        scheduleRefresh();
    };
    return new UnsavedText(QStringLiteral("prompt"), std::move(form), this);
}

QWidget* PromptPanel::buildEditor() {
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setProperty("flat", true);
    new PlaceholderColors(m_text->document());
    m_state->setObjectName(QStringLiteral("promptState"));
    m_state->setProperty("quiet", true);
    m_mistake->setObjectName(QStringLiteral("promptMistake"));
    m_mistake->setProperty("error", true);
    m_mistake->setContentsMargins(spacing3, spacing1, spacing3, spacing1);
    m_mistake->hide();
    m_save->setToolTip(tr("Save; the next call uses it (Ctrl+S)"));
    m_reset->setToolTip(tr("Restore the default prompt. Undo works until you save."));
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing3, spacing2, spacing2, spacing2);
    tools->setSpacing(spacing2);
    tools->addWidget(m_state, 1);
    tools->addWidget(m_reset);
    tools->addWidget(m_save);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tools);
    column->addWidget(m_unsaved->notice());
    column->addWidget(m_text, 1);
    column->addWidget(m_mistake);
    return box;
}

QWidget* PromptPanel::buildPreview() {
    m_size->setObjectName(QStringLiteral("promptSize"));
    m_size->setProperty("quiet", true);
    m_size->setContentsMargins(spacing3, spacing3, spacing3, spacing2);
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_size);
    column->addWidget(m_preview, 1);
    return box;
}

void PromptPanel::addActions() {
    const QString menu = tr("&Experiment");
    actions().add(this, {"prompt.save", tr("Save &prompt"), menu, QKeySequence::Save}, [this] { save(); }, true);
    actions().add(this, {"prompt.reset", tr("Reset prompt to default"), menu}, [this] { reset(); }, true);
}

QString PromptPanel::name() const {
    return m_list->currentItem() == nullptr ? QString() : m_list->currentItem()->data(Qt::UserRole).toString();
}

QString PromptPanel::saved(const QString& name) const {
    const auto& prompts = bridge().population()->settings.prompts;
    const auto edited = prompts.find(name.toStdString());
    return edited != prompts.end() ? toText(edited->second) : m_defaults.at(name);
}

void PromptPanel::refresh() {
    if (m_list->currentRow() < 0 && m_list->count() > 0) {
        m_list->setCurrentRow(0);
    }
    showPrompt();
    updateMarks();
    const Population& population = *bridge().population();
    const QString now = QStringLiteral("%1 %2 %3 %4")
                            .arg(population.kernels.size())
                            .arg(population.experiments.size())
                            .arg(population.findings.size())
                            .arg(population.spend.evaluations);
    if (now != m_previewOf) {
        m_previewOf = now;
        preview();
    } else {
        writeMessagesOf(m_messages); // the theme may be another one
    }
}

void PromptPanel::showPrompt() {
    const QString wanted = name();
    if (wanted.isEmpty()) {
        return;
    }
    const auto draft = m_drafts.find(wanted);
    const QString text = draft != m_drafts.end() ? draft->second : saved(wanted);
    m_text->setReadOnly(bridge().readOnly());
    if (m_shown == wanted && m_text->toPlainText() == text) {
        return;
    }
    m_filling = true;
    m_text->setPlainText(text);
    m_filling = false;
    m_options = {};
    m_shown = wanted;
    updateMarks();
    preview();
}

void PromptPanel::typed() {
    if (m_filling) {
        return;
    }
    const QString text = m_text->toPlainText();
    if (text == saved(m_shown)) {
        m_drafts.erase(m_shown);
    } else {
        m_drafts[m_shown] = text;
    }
    updateMarks();
    m_pause.start();
    m_unsaved->touch();
}

void PromptPanel::preview() {
    if (m_shown.isEmpty()) {
        return;
    }
    m_pause.stop();
    auto queries = bridge().queries();
    const auto verdictOf = [queries](KernelId kernel) { return newestVerdict(queries.get(), kernel); };
    Briefing briefing{bridge().population(), bridge().problem(), verdictOf,
                      [queries](const std::string& words, int limit) {
                          return queries ? queries->searchPassages(words, limit).value_or(std::vector<Passage>{})
                                         : std::vector<Passage>{};
                      },
                      deviceFinder(bridge().population(), verdictOf)};
    m_work.start(
        [prompt = m_shown.toStdString(), text = m_text->toPlainText().toStdString(),
         briefing = std::move(briefing)](const std::stop_token&) -> Preview {
            if (!briefing.problem) {
                return usageError(tr("problem pack not found").toStdString(), {},
                                  tr("Restore the problem pack to get a preview").toStdString());
            }
            return previewPrompt(prompt, text, briefing);
        },
        [this](const Preview& made) {
            showPreview(made);
            Q_EMIT settled();
        });
}

void PromptPanel::showPreview(const Preview& preview) {
    m_mistake->setVisible(!preview);
    markLine(preview ? 0 : lineOf(preview.error()));
    if (!preview) {
        m_mistake->setText(toText(preview.error().message()));
        m_size->setText(tr("Last valid preview"));
        return;
    }
    m_messages = *preview;
    qsizetype bytes = 0;
    for (const ChatMessage& message : m_messages) {
        bytes += static_cast<qsizetype>(message.content.size());
    }
    m_size->setText(tr("Preview of the next call: about %1 tokens")
                        .arg(toText(formatTokens(static_cast<std::uint64_t>(bytes / bytesPerToken)))));
    writeMessagesOf(m_messages);
}

void PromptPanel::writeMessagesOf(const std::vector<ChatMessage>& messages) {
    const int at = m_preview->verticalScrollBar()->value();
    m_preview->document()->clear();
    writeMessages(m_preview->document(), messages, m_options);
    m_preview->verticalScrollBar()->setValue(at);
}

void PromptPanel::markLine(int line) {
    QList<QTextEdit::ExtraSelection> marks;
    if (line > 0) {
        const Palette& palette = Theme::instance().palette();
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(m_text->document()->findBlockByNumber(line - 1));
        mark.format.setBackground(tinted(palette.surface, palette.wrong, 0.25));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks.append(mark);
    }
    m_text->setExtraSelections(marks);
}

void PromptPanel::updateMarks() {
    const auto& prompts = bridge().population()->settings.prompts;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const QString prompt = item->data(Qt::UserRole).toString();
        const bool edited = prompts.contains(prompt.toStdString());
        const bool draft = m_drafts.contains(prompt);
        item->setText((edited ? QStringLiteral("\u270e ") : QString()) % titleOf(prompt) %
                      (draft ? QStringLiteral(" *") : QString()));
        item->setToolTip(draft ? tr("Edited, not saved") : edited ? tr("Edited by you") : tr("Default"));
        if (prompt == m_shown) {
            m_state->setText(item->toolTip());
        }
    }
    const bool writable = !bridge().readOnly();
    const auto draft = m_drafts.find(m_shown);
    m_save->setEnabled(writable && draft != m_drafts.end() &&
                       checkPrompt(m_shown.toStdString(), m_text->toPlainText().toStdString()));
    m_reset->setEnabled(writable && !m_shown.isEmpty() && m_text->toPlainText() != m_defaults.at(m_shown));
}

void PromptPanel::save() {
    if (!m_save->isEnabled()) {
        return;
    }
    const QString text = m_text->toPlainText();
    const bool isDefault = text == m_defaults.at(m_shown);
    bridge().send(
        command::SetPrompt{m_shown.toStdString(), isDefault ? std::nullopt : std::optional(text.toStdString())});
    m_drafts.erase(m_shown);
    m_save->setEnabled(false);
    m_unsaved->touch();
}

// Through a cursor, so that undo brings the edited text back.
void PromptPanel::reset() {
    if (m_reset->isEnabled()) {
        QTextCursor all(m_text->document());
        all.select(QTextCursor::Document);
        all.insertText(m_defaults.at(m_shown));
    }
}

} // namespace gks
