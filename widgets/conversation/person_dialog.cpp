// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/conversation/person_dialog.h"

#include "core/base/hash.h"
#include "widgets/common/icons.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/unsaved_text.h"
#include "widgets/common/words.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

namespace {

// A correction is the last word, after a reply of ours.
bool isCorrection(const PersonQuestion& question) {
    return question.messages.size() >= 2 && question.messages.back().role == "user" &&
           question.messages[question.messages.size() - 2].role == "assistant";
}

// Of a correction; as a text field gives it back.
QString refusedReply(const PersonQuestion& question) {
    QString reply = toText(question.messages[question.messages.size() - 2].content);
    return reply.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
}

// What asks again with the same prompt is the same call; its corrections too. "writer 3f2a...": the stage comes first.
QString callOf(const PersonQuestion& question) {
    std::string prompt;
    for (const ChatMessage& message : question.messages) {
        if (message.role == "assistant") {
            break;
        }
        prompt += message.role + '\n' + message.content + '\n';
    }
    return toText(question.stage) % QLatin1Char(' ') % toText(sha256Hex(prompt).substr(0, 16));
}

QString stageOfCall(const QString& call) {
    return call.section(QLatin1Char(' '), 0, 0);
}

} // namespace

PersonDialog::PersonDialog(EngineBridge& bridge, QWidget* parent)
    : QDialog(parent)
    , m_bridge(bridge)
    , m_title(new MessageLabel)
    , m_problem(new MessageLabel)
    , m_prompt(named(new RichTextView, "personPrompt", tr("Prompt")))
    , m_reply(named(new QPlainTextEdit, "personReply", tr("Reply")))
    , m_answer(named(new QPushButton(tr("&Send reply")), "personAnswer", tr("Send reply")))
    , m_kept(named(new MessageLabel, "personKept", tr("Kept reply")))
    , m_insert(named(new QPushButton(tr("&Insert kept reply")), "personInsertKept", tr("Insert kept reply")))
    , m_unsaved(createUnsaved()) {
    setObjectName(QStringLiteral("personDialog"));
    setModal(false);
    m_title->setObjectName(QStringLiteral("personTitle"));
    m_problem->setObjectName(QStringLiteral("personProblem"));
    m_problem->setProperty("error", true);
    m_reply->setPlaceholderText(tr("Paste the reply here (the JSON object the prompt asks for)"));
    m_reply->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_reply->setTabChangesFocus(true);
    auto* copy = named(new QPushButton(icon(Icon::copy), tr("&Copy prompt")), "personCopy", tr("Copy prompt"));
    auto* decline = named(new QPushButton(tr("&Decline")), "personDecline", tr("Decline to reply"));
    decline->setToolTip(tr("The stage fails. Closing this window does the same. What you typed is kept."));
    m_kept->setProperty("quiet", true);
    m_answer->setToolTip(tr("Ctrl+Enter"));
    m_answer->setDefault(false);
    m_answer->setAutoDefault(false);
    for (QPushButton* button : {copy, m_insert, decline}) {
        button->setAutoDefault(false);
    }
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setObjectName(QStringLiteral("personParts"));
    parts->addWidget(m_prompt);
    parts->addWidget(m_reply);
    parts->setSizes({420, 200});
    parts->setChildrenCollapsible(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(copy);
    buttons->addWidget(m_insert);
    buttons->addStretch(1);
    buttons->addWidget(decline);
    buttons->addWidget(m_answer);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    column->setSpacing(spacing2);
    column->addWidget(m_title);
    column->addWidget(m_problem);
    column->addWidget(m_unsaved->notice());
    column->addWidget(m_kept);
    column->addWidget(parts, 1);
    column->addLayout(buttons);
    resize(760, 700);
    connect(copy, &QPushButton::clicked, this, &PersonDialog::copyPrompt);
    connect(m_insert, &QPushButton::clicked, this, &PersonDialog::insertKept);
    connect(decline, &QPushButton::clicked, this, &PersonDialog::reject);
    connect(m_answer, &QPushButton::clicked, this, &PersonDialog::answer);
    connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), this), &QShortcut::activated, this,
            &PersonDialog::answer);
    connect(m_reply, &QPlainTextEdit::textChanged, this,
            [this] { m_answer->setEnabled(!m_reply->toPlainText().trimmed().isEmpty()); });
    connect(m_reply, &QPlainTextEdit::textChanged, m_unsaved, &UnsavedText::touch);
    connect(m_prompt, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        m_options.open.insert(link.path().toInt());
        write();
    });
    connect(&m_bridge, &EngineBridge::personQuestionsChanged, this, &PersonDialog::showQuestion);
    showQuestion();
}

UnsavedText* PersonDialog::createUnsaved() {
    const auto replies = [this] {
        QJsonObject all;
        for (const auto& [call, reply] : m_aside) {
            all.insert(call, reply);
        }
        if (const QString reply = typed(); m_question.id != 0 && !reply.isEmpty()) {
            all.insert(callOf(m_question), reply);
        }
        return all;
    };
    UnsavedText::Form form;
    form.what = [replies] {
        QStringList stages;
        for (const QString& call : replies().keys()) {
            stages.append(stageText(stageOfCall(call).toStdString()));
        }
        stages.removeDuplicates();
        return stages.isEmpty() ? QString() : tr("Reply for the %1").arg(stages.join(QStringLiteral(", ")));
    };
    form.content = replies;
    form.restore = [this](const QJsonObject& all) {
        for (auto reply = all.begin(); reply != all.end(); ++reply) {
            m_aside[reply.key()] = reply.value().toString();
        }
        showKept();
        return true;
    };
    form.discard = [this] {
        m_aside.clear();
        m_reply->clear();
        showKept();
    };
    return new UnsavedText(QStringLiteral("reply"), std::move(form), this);
}

// One that was refused too: nothing else brings it back into the field.
QString PersonDialog::typed() const {
    const QString reply = m_reply->toPlainText();
    return reply.trimmed().isEmpty() ? QString() : reply;
}

// The question has gone, the reply to it has not.
void PersonDialog::setAside() {
    const QString reply = typed();
    if (m_question.id != 0 && !reply.isEmpty()) {
        m_aside[callOf(m_question)] = reply;
    }
    m_question = {};
    m_reply->clear();
}

// With what was typed for this very call, or with what was refused: it is mended, not written again.
void PersonDialog::fillReply() {
    const auto aside = m_aside.extract(callOf(m_question));
    m_isFromAside = !aside.empty();
    if (m_isFromAside) {
        m_reply->setPlainText(aside.mapped());
    } else if (isCorrection(m_question)) {
        m_reply->setPlainText(refusedReply(m_question));
    }
    showKept();
}

// Of another prompt's reply it is for the person to say whether it is meant here.
void PersonDialog::showKept() {
    QStringList others;
    bool isOffered = false;
    for (const auto& [call, reply] : m_aside) {
        const std::string stage = stageOfCall(call).toStdString();
        others.append(stageText(stage));
        isOffered = isOffered || stage == m_question.stage;
    }
    others.removeDuplicates();
    m_insert->setVisible(isOffered);
    m_kept->setText(m_isFromAside ? tr("This is what you typed for this prompt before.")
                    : !others.empty()
                        ? tr("A reply for the %1 that was not sent is kept.").arg(others.join(QStringLiteral(", ")))
                        : QString());
    m_kept->setVisible(!m_kept->text().isEmpty());
}

void PersonDialog::insertKept() {
    const auto kept = std::find_if(m_aside.begin(), m_aside.end(), [this](const auto& one) {
        return stageOfCall(one.first).toStdString() == m_question.stage;
    });
    if (kept != m_aside.end()) {
        const QString reply = kept->second;
        m_aside.erase(kept); // first: typing tells that this one is in the field now
        m_reply->insertPlainText(reply);
        showKept();
        m_reply->setFocus();
    }
}

void PersonDialog::showQuestion() {
    const std::vector<PersonQuestion> questions = m_bridge.personQuestions();
    if (questions.empty()) {
        setAside();
        hide();
        return;
    }
    if (questions.front().id == m_question.id) {
        return;
    }
    setAside();
    m_question = questions.front();
    m_options = {};
    setWindowTitle(tr("Reply as the %1").arg(stageText(m_question.stage)));
    m_title->setText(tr("The %1 is waiting for your reply. Copy the prompt, get a reply elsewhere, and paste it below.")
                         .arg(stageText(m_question.stage)));
    m_problem->setVisible(isCorrection(m_question));
    if (isCorrection(m_question)) {
        m_problem->setText(toText(m_question.messages.back().content));
    }
    fillReply();
    m_answer->setEnabled(!m_reply->toPlainText().trimmed().isEmpty());
    write();
    show();
    m_reply->setFocus();
}

void PersonDialog::write() {
    m_prompt->document()->clear();
    writeMessages(m_prompt->document(), m_question.messages, m_options);
    m_prompt->moveCursor(QTextCursor::Start);
}

void PersonDialog::answer() {
    const QString text = m_reply->toPlainText();
    if (m_question.id != 0 && !text.trimmed().isEmpty()) {
        m_bridge.answerPerson(std::exchange(m_question.id, 0), text);
        m_reply->clear();
        hide(); // until the next question
    }
}

void PersonDialog::reject() {
    if (const int question = m_question.id; question != 0) {
        setAside();
        m_bridge.declinePerson(question);
    }
    hide();
}

void PersonDialog::copyPrompt() {
    QString text;
    for (const ChatMessage& message : m_question.messages) {
        // The roles are for services with fields for them; pasted into a chat, the words alone are what counts.
        text += toText(message.content).trimmed() % QStringLiteral("\n\n");
    }
    QGuiApplication::clipboard()->setText(text.trimmed());
}

} // namespace gks
