// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/empty_state.h"

#include "widgets/common/message_label.h"
#include "widgets/common/palette.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent), m_what(new MessageLabel), m_how(new MessageLabel), m_button(new QPushButton) {
    QFont strong = m_what->font();
    strong.setWeight(QFont::DemiBold);
    m_what->setFont(strong);
    m_how->setProperty("quiet", true);
    for (QLabel* label : {m_what, m_how}) {
        label->setAlignment(Qt::AlignCenter);
    }
    m_button->setObjectName(QStringLiteral("emptyStateButton"));
    m_button->setAccessibleName(tr("Next step"));
    m_button->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    column->setSpacing(spacing2);
    column->addStretch(2);
    column->addWidget(m_what);
    column->addWidget(m_how);
    column->addWidget(m_button, 0, Qt::AlignCenter);
    column->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
}

void EmptyState::setText(const QString& what, const QString& how) {
    m_what->setText(what);
    m_how->setText(how);
}

void EmptyState::setButton(const QString& text) {
    m_button->setText(text);
    m_button->setAccessibleName(text);
    m_button->setVisible(!text.isEmpty());
}

} // namespace gks
