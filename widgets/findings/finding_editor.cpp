// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/finding_editor.h"

#include "core/campaign/limits.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/findings/finding_model.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace gks {

namespace {

QString linksTo(const std::vector<std::int64_t>& evaluations, const std::map<std::int64_t, KernelId>& owners,
                const QColor& color) {
    QStringList links;
    for (const std::int64_t id : evaluations) {
        const auto owner = owners.find(id);
        links << (owner == owners.end() ? QStringLiteral("#%1").arg(id)
                                        : QStringLiteral("<a href='kernel:%1' style='color:%2'>%3</a>&nbsp;(#%4)")
                                              .arg(owner->second)
                                              .arg(color.name(), idText(owner->second))
                                              .arg(id));
    }
    return links.join(QStringLiteral(", "));
}

} // namespace

FindingEditor::FindingEditor(QWidget* parent)
    : QWidget(parent)
    , m_title(new MessageLabel)
    , m_refusal(named(new MessageLabel(this), "findingRefusal", tr("Why no other finding is begun")))
    , m_subject(named(new QLineEdit, "findingSubject", tr("Subject")))
    , m_text(named(new QPlainTextEdit, "findingText", tr("Finding text")))
    , m_evidence(named(new RichTextView, "findingEvidence", tr("Evidence")))
    , m_save(named(new QPushButton(tr("&Save")), "findingSave", tr("Save finding")))
    , m_dismiss(named(new QPushButton(tr("&Dismiss")), "findingDismiss", tr("Dismiss or restore finding"))) {
    m_title->setProperty("heading", true);
    m_refusal->setProperty("error", true);
    m_refusal->setText(tr("Save or discard this finding first"));
    m_refusal->hide();
    m_subject->setPlaceholderText(tr("What was tried, in a few words"));
    m_subject->setMaxLength(limits::findingSubjectCharacters);
    m_text->setPlaceholderText(tr("Result and reason, as the models will read it"));
    m_text->setTabChangesFocus(true);
    m_save->setToolTip(tr("Ctrl+Enter"));
    m_evidence->setMinimumHeight(3 * fontMetrics().height());
    m_evidence->document()->setDocumentMargin(0);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(m_title, 1);
    buttons->addWidget(m_save);
    buttons->addWidget(m_dismiss);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    column->setSpacing(spacing1);
    column->addLayout(buttons);
    column->addWidget(m_refusal);
    column->addWidget(m_subject);
    column->addWidget(m_text, 3);
    column->addWidget(m_evidence, 2);
    const auto changed = [this] {
        m_dirty = m_dirty || !m_filling;
        m_save->setEnabled(m_writable && (m_dirty || m_isNew));
        if (!m_filling) {
            Q_EMIT typed();
        }
    };
    connect(m_subject, &QLineEdit::textChanged, this, changed);
    connect(m_text, &QPlainTextEdit::textChanged, this, changed);
    connect(m_save, &QPushButton::clicked, this, &FindingEditor::commit);
    connect(m_dismiss, &QPushButton::clicked, this, &FindingEditor::toggleDismissed);
    connect(m_evidence, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { Q_EMIT kernelClicked(link.path().toLongLong()); });
    m_subject->installEventFilter(this);
    m_text->installEventFilter(this);
    fill();
}

void FindingEditor::showFinding(const Finding* finding, const std::map<std::int64_t, KernelId>& owners, bool writable,
                                const QString& use) {
    m_writable = writable;
    m_owners = owners;
    m_use = use;
    if (m_isNew && (m_dirty || finding == nullptr)) {
        return; // what is being written is not taken away
    }
    const bool same = finding != nullptr && finding->id == m_finding.id && !m_isNew;
    if (same && m_dirty) {
        const Finding typed = m_finding;
        m_finding = *finding;
        m_finding.subject = typed.subject;
        m_finding.text = typed.text;
        writeEvidence();
        return;
    }
    if (!same) {
        commit();
    }
    m_isNew = false;
    m_finding = finding != nullptr ? *finding : Finding{};
    fill();
}

// What is half written stays: it is neither sent as it is nor emptied.
void FindingEditor::beginNew() {
    if (m_isNew && m_dirty) {
        m_refusal->show();
    } else {
        startNew();
    }
    m_subject->setFocus();
}

void FindingEditor::startNew() {
    commit();
    m_finding = {};
    m_finding.author = Author::person;
    m_isNew = true;
    fill();
}

QString FindingEditor::unsent() const {
    if (!m_dirty || !m_writable) {
        return {};
    }
    return m_isNew ? tr("New finding") : tr("Edit of finding %1").arg(m_finding.id);
}

QJsonObject FindingEditor::unsentFields() const {
    return {{QStringLiteral("finding"), static_cast<qint64>(m_finding.id)},
            {QStringLiteral("subject"), m_subject->text()},
            {QStringLiteral("text"), m_text->toPlainText()}};
}

bool FindingEditor::restore(const QJsonObject& fields) {
    const std::int64_t id = fields.value(QLatin1String("finding")).toInteger();
    if (id == 0) {
        m_writable = true;
        startNew();
    } else if (id != m_finding.id || !m_writable) {
        return false;
    }
    m_subject->setText(fields.value(QLatin1String("subject")).toString());
    m_text->setPlainText(fields.value(QLatin1String("text")).toString());
    return true;
}

void FindingEditor::drop() {
    if (m_isNew) {
        m_isNew = false;
        m_finding = {};
    }
    fill();
    Q_EMIT typed();
}

void FindingEditor::fill() {
    m_filling = true;
    m_refusal->hide();
    setVisible(m_finding.id != 0 || m_isNew);
    m_title->setText(m_isNew ? tr("New finding") : tr("Finding %1").arg(m_finding.id));
    if (m_subject->text() != toText(m_finding.subject)) {
        m_subject->setText(toText(m_finding.subject));
    }
    if (m_text->toPlainText() != toText(m_finding.text)) {
        m_text->setPlainText(toText(m_finding.text));
    }
    m_subject->setReadOnly(!m_writable);
    m_text->setReadOnly(!m_writable);
    m_dismiss->setEnabled(m_writable);
    m_dismiss->setText(m_isNew                                      ? tr("&Discard")
                       : m_finding.state == FindingState::dismissed ? tr("&Restore")
                                                                    : tr("&Dismiss"));
    m_dirty = false;
    m_save->setEnabled(false);
    m_filling = false;
    writeEvidence();
}

void FindingEditor::writeEvidence() {
    const Palette& palette = Theme::instance().palette();
    QStringList lines;
    if (m_finding.id != 0) {
        const QString gain = gainText(m_finding);
        QStringList about = {findingStateText(m_finding.state), gain, findingKindText(m_finding), m_use};
        about.removeAll(QString());
        lines << about.join(QStringLiteral(", "));
        if (!m_finding.evaluations.empty()) {
            lines << tr("Based on %1").arg(linksTo(m_finding.evaluations, m_owners, palette.accent));
        }
        if (!m_finding.contradicting.empty()) {
            lines << tr("Contradicted by %1").arg(linksTo(m_finding.contradicting, m_owners, palette.accent));
        }
        lines << tr("By %1, %2%3")
                     .arg(authorText(m_finding.author), dateText(m_finding.at),
                          m_finding.editedByPerson ? tr("; \u270e edited by you, kept as written") : QString());
    }
    m_evidence->setHtml(QStringLiteral("<div style='color:%1'>%2</div>")
                            .arg(palette.quietText.name(), lines.join(QStringLiteral("<br>"))));
}

void FindingEditor::commit() {
    if (!m_dirty || !m_writable) {
        return;
    }
    const std::string subject = m_subject->text().trimmed().toStdString();
    const std::string text = m_text->toPlainText().trimmed().toStdString();
    if (text.empty()) {
        m_text->setFocus();
        return; // a finding without words is dismissed, not emptied
    }
    m_dirty = false;
    m_save->setEnabled(false);
    if (m_isNew) {
        m_isNew = false;
        m_finding = {};
        fill();
        Q_EMIT created({subject, text});
    } else {
        m_finding.subject = subject;
        m_finding.text = text;
        Q_EMIT edited({.finding = m_finding.id, .subject = subject, .text = text});
    }
    Q_EMIT typed();
}

void FindingEditor::toggleDismissed() {
    if (m_isNew) {
        drop();
        return;
    }
    if (m_finding.id == 0 || !m_writable) {
        return;
    }
    commit();
    const bool restored = m_finding.state == FindingState::dismissed;
    Q_EMIT edited({.finding = m_finding.id, .state = restored ? FindingState::standing : FindingState::dismissed});
}

bool FindingEditor::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && !m_isNew) {
        commit();
    } else if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
            (key->modifiers() & Qt::ControlModifier) != 0) {
            commit();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace gks
