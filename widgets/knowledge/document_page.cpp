// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/knowledge/document_page.h"

#include "core/base/quantity.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextDocument>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

namespace gks {

namespace {

constexpr std::size_t shownPassages = 200; // laid out at once; the search finds the others

} // namespace

DocumentPage::DocumentPage(QWidget* parent)
    : QWidget(parent)
    , m_title(named(new QLineEdit, "documentTitle", tr("Document title")))
    , m_enabled(named(new QCheckBox(tr("Use in &prompts")), "documentEnabled", tr("Use this document in prompts")))
    , m_facts(new MessageLabel)
    , m_digest(named(new QPlainTextEdit, "documentDigest", tr("Digest of the document")))
    , m_make(named(new QPushButton(tr("Create &digest")), "documentDigestMake", tr("Create the digest with a model")))
    , m_save(named(new QPushButton(tr("&Save")), "documentSave", tr("Save title and digest")))
    , m_remove(named(new QPushButton(tr("&Remove")), "documentRemove", tr("Remove document")))
    , m_passages(named(new RichTextView, "documentPassages", tr("Document passages"))) {
    m_facts->setObjectName(QStringLiteral("documentFacts"));
    m_facts->setProperty("quiet", true);
    m_digest->setPlaceholderText(
        tr("Digest: what matters for this problem. It goes into prompts ahead of single passages."));
    m_digest->setTabChangesFocus(true);
    m_enabled->setToolTip(tr("Allow this document's digest and passages in prompts"));
    // Below the title, for all of it in one row is wider than a page of a small window.
    auto* head = new QHBoxLayout;
    head->setSpacing(spacing2);
    head->addWidget(m_enabled);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addStretch(1);
    for (QPushButton* button : {m_make, m_save, m_remove}) {
        buttons->addWidget(button);
    }
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setObjectName(QStringLiteral("documentParts"));
    parts->addWidget(m_digest);
    parts->addWidget(m_passages);
    parts->setSizes({160, 400});
    parts->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing3, spacing2, spacing3, spacing2);
    column->setSpacing(spacing2);
    column->addWidget(m_title);
    column->addLayout(head);
    column->addLayout(buttons);
    column->addWidget(m_facts);
    column->addWidget(parts, 1);
    const auto changed = [this] {
        m_dirty = m_dirty || !m_filling;
        m_save->setEnabled(m_writable && m_dirty);
        if (!m_filling) {
            Q_EMIT typed();
        }
    };
    connect(m_title, &QLineEdit::textEdited, this, changed);
    connect(m_digest, &QPlainTextEdit::textChanged, this, changed);
    connect(m_enabled, &QCheckBox::clicked, this, [this] {
        m_dirty = true;
        commit();
    });
    m_make->setToolTip(tr("One call to the Digest model"));
    connect(m_make, &QPushButton::clicked, this, [this] {
        if (m_digesting) {
            Q_EMIT digestUnwanted();
        } else {
            commit();
            Q_EMIT digestWanted(m_document);
        }
    });
    connect(m_save, &QPushButton::clicked, this, &DocumentPage::commit);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        m_dirty = false;
        Q_EMIT removed(m_document.id);
        Q_EMIT typed();
    });
    m_title->installEventFilter(this);
    m_digest->installEventFilter(this);
}

void DocumentPage::showDocument(const Document& document, bool writable) {
    m_writable = writable;
    if (document.id == m_document.id && m_dirty) {
        return; // what is being typed is not taken away
    }
    if (document.id != m_document.id) {
        commit();
        m_passages->clear();
    }
    m_document = document;
    fill();
}

void DocumentPage::fill() {
    m_filling = true;
    m_title->setText(toText(m_document.title));
    m_enabled->setChecked(m_document.enabled);
    m_facts->setText(tr("%1, %2 of text in %3, added %4")
                         .arg(toText(m_document.kind),
                              toText(formatBytes(static_cast<std::uint64_t>(m_document.sizeBytes))),
                              m_document.passages == 1 ? tr("1 passage") : tr("%1 passages").arg(m_document.passages),
                              dateText(m_document.addedAt)));
    if (m_digest->toPlainText() != toText(m_document.digest)) {
        m_digest->setPlainText(toText(m_document.digest));
    }
    m_title->setReadOnly(!m_writable);
    m_digest->setReadOnly(!m_writable);
    for (QWidget* part : std::initializer_list<QWidget*>{m_enabled, m_make, m_remove}) {
        part->setEnabled(m_writable);
    }
    m_dirty = false;
    m_save->setEnabled(false);
    m_filling = false;
}

void DocumentPage::setDigesting(bool busy) {
    m_digesting = busy;
    m_make->setText(busy ? tr("&Cancel digest") : tr("Create &digest"));
}

void DocumentPage::takeDigest(const QString& digest) {
    m_digest->setPlainText(digest);
    m_dirty = true;
    commit();
}

void DocumentPage::showPassages(const std::vector<Passage>& passages) {
    m_passages->document()->clear();
    RichTextWriter writer(m_passages->document());
    for (std::size_t i = 0; i < std::min(passages.size(), shownPassages); ++i) {
        writer.heading(tr("Passage %1").arg(passages[i].number), toText(passages[i].heading));
        writer.prose(toText(passages[i].text));
    }
    if (passages.size() > shownPassages) {
        writer.line(tr("%1 more passages. Search to see them.").arg(passages.size() - shownPassages), true);
    }
    m_passages->moveCursor(QTextCursor::Start);
}

void DocumentPage::commit() {
    if (!m_dirty || !m_writable || m_document.id == 0) {
        return;
    }
    m_dirty = false;
    m_save->setEnabled(false);
    command::EditDocument edit = {.document = m_document.id};
    const auto take = [](auto& known, const auto& typed, auto& changed) {
        if (known != typed) {
            known = typed;
            changed = typed;
        }
    };
    if (const std::string title = m_title->text().trimmed().toStdString(); !title.empty()) {
        take(m_document.title, title, edit.title);
    }
    take(m_document.digest, m_digest->toPlainText().trimmed().toStdString(), edit.digest);
    take(m_document.enabled, m_enabled->isChecked(), edit.enabled);
    Q_EMIT edited(edit);
    Q_EMIT typed();
}

QString DocumentPage::unsent() const {
    return m_dirty && m_writable && m_document.id != 0 ? tr("Edit of document %1").arg(toText(m_document.title))
                                                       : QString();
}

QJsonObject DocumentPage::unsentFields() const {
    return {{QStringLiteral("document"), static_cast<qint64>(m_document.id)},
            {QStringLiteral("title"), m_title->text()},
            {QStringLiteral("digest"), m_digest->toPlainText()}};
}

bool DocumentPage::restore(const QJsonObject& fields) {
    if (fields.value(QLatin1String("document")).toInteger() != m_document.id || m_document.id == 0 || !m_writable) {
        return false;
    }
    m_title->setText(fields.value(QLatin1String("title")).toString());
    m_digest->setPlainText(fields.value(QLatin1String("digest")).toString());
    m_dirty = true;
    m_save->setEnabled(true);
    return true;
}

void DocumentPage::drop() {
    fill();
    Q_EMIT typed();
}

bool DocumentPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut) {
        commit();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace gks
