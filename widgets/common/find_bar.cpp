// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/find_bar.h"

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocument>
#include <QTextEdit>
#include <QToolButton>

namespace gks {

namespace {

constexpr std::size_t matchLimit = 10'000; // marks; a letter that occurs more often is not what one looks for

} // namespace

FindBar::FindBar(const QString& name, QTextEdit* text, QWidget* parent)
    : QWidget(parent), m_text(text), m_field(new QLineEdit(this)), m_count(new QLabel(this)) {
    setObjectName(name);
    m_field->setObjectName(name % QStringLiteral("Field"));
    m_field->setAccessibleName(tr("Find in text"));
    m_field->setPlaceholderText(tr("Find"));
    m_field->setClearButtonEnabled(true);
    m_field->setMinimumWidth(110);
    m_count->setObjectName(name % QStringLiteral("Count"));
    m_count->setProperty("quiet", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing1);
    row->addWidget(m_field, 1);
    row->addWidget(m_count);
    const auto button = [&](const char* part, Icon which, const QString& label, void (FindBar::*step)()) {
        auto* made = new QToolButton(this);
        made->setObjectName(name % QLatin1String(part));
        made->setIcon(icon(which));
        made->setAccessibleName(label);
        made->setToolTip(label);
        connect(made, &QToolButton::clicked, this, step);
        row->addWidget(made);
    };
    button("Previous", Icon::back, tr("Previous match"), &FindBar::previous);
    button("Next", Icon::forward, tr("Next match"), &FindBar::next);
    connect(m_field, &QLineEdit::returnPressed, this, &FindBar::next);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString& query) {
        Q_EMIT queryChanged(query); // the owner may unfold the text first
        refresh();
        goToFirst();
    });
}

QString FindBar::query() const {
    return m_field->text();
}

void FindBar::begin() {
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::refresh() {
    m_matches.clear();
    m_at = -1;
    if (!query().isEmpty()) {
        QTextCursor found = m_text->document()->find(query(), 0);
        while (!found.isNull() && m_matches.size() < matchLimit) {
            m_matches.push_back(found);
            found = m_text->document()->find(query(), found);
        }
    }
    mark();
    count();
}

void FindBar::goToFirst(bool fromTheEnd) {
    if (!m_matches.empty()) {
        show(fromTheEnd ? matches() - 1 : 0);
    }
}

void FindBar::setElsewhere(int texts) {
    m_elsewhere = texts;
    count();
}

void FindBar::next() {
    if (m_at + 1 < matches()) {
        show(m_at + 1);
    } else if (m_elsewhere > 0) {
        Q_EMIT stepsOut(true);
    } else {
        goToFirst();
    }
}

void FindBar::previous() {
    if (m_at > 0) {
        show(m_at - 1);
    } else if (m_elsewhere > 0) {
        Q_EMIT stepsOut(false);
    } else {
        goToFirst(true);
    }
}

void FindBar::show(int at) {
    m_at = at;
    QTextCursor cursor = m_matches[static_cast<std::size_t>(at)];
    cursor.setPosition(cursor.selectionStart());
    m_text->setTextCursor(cursor);
    m_text->ensureCursorVisible();
    mark();
    count();
}

void FindBar::mark() {
    const Palette& palette = Theme::instance().palette();
    QList<QTextEdit::ExtraSelection> marks;
    for (int i = 0; i < matches(); ++i) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = m_matches[static_cast<std::size_t>(i)];
        mark.format.setBackground(tinted(palette.surface, palette.slower, i == m_at ? 0.7 : 0.3));
        if (i == m_at) {
            mark.format.setForeground(palette.surface);
        }
        marks.append(mark);
    }
    m_text->setExtraSelections(marks);
}

void FindBar::count() {
    if (query().isEmpty()) {
        m_count->clear();
        return;
    }
    QString text = matches() == 0 ? tr("No matches") : tr("%1 of %2").arg(m_at + 1).arg(matches());
    if (m_elsewhere > 0) {
        text += m_elsewhere == 1 ? tr(", also in 1 other call") : tr(", also in %1 other calls").arg(m_elsewhere);
    }
    m_count->setText(text);
}

} // namespace gks
