// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/draft_decision.h"

#include "core/campaign/limits.h"
#include "widgets/common/palette.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace gks {

DraftDecision::DraftDecision(Place place, const QString& prefix, QWidget* parent)
    : QWidget(parent)
    , m_remark(new QLineEdit(this))
    , m_approve(new QPushButton(tr("A&pprove"), this))
    , m_sendBack(new QPushButton(tr("Send &back"), this))
    , m_reject(new QPushButton(tr("Reje&ct"), this))
    , m_edit(new QPushButton(tr("Ed&it"), this)) {
    const auto call = [&](QWidget* part, const char* name, const QString& accessibleName, const QString& tip) {
        part->setObjectName(prefix % QLatin1String(name));
        part->setAccessibleName(accessibleName);
        part->setToolTip(tip);
    };
    call(m_remark, "Remark", tr("Remark on the draft"), {});
    call(m_approve, "Approve", tr("Approve the code"), tr("It is evaluated"));
    call(m_sendBack, "SendBack", tr("Send the code back"),
         tr("The Writer gets the code and your remark, and writes another draft"));
    call(m_reject, "Reject", tr("Reject the code"), tr("Neither the draft nor its experiment is tried"));
    call(m_edit, "Edit", tr("Edit the code"), tr("Your source takes the place of the draft"));
    m_remark->setMaxLength(static_cast<int>(limits::remarkBytes) / 4);
    m_remark->setPlaceholderText(tr("Remark for the Writer"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing1);
    for (QPushButton* button : {m_approve, m_sendBack, m_reject, m_edit}) {
        buttons->addWidget(button);
        if (place == Place::wide) {
            button->setText(button->text().remove(QLatin1Char('&')));
        }
    }
    auto* layout = new QBoxLayout(place == Place::wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing1);
    layout->addWidget(m_remark, 1);
    layout->addLayout(buttons);

    connect(m_remark, &QLineEdit::textChanged, this, &DraftDecision::showButtons);
    connect(m_approve, &QPushButton::clicked, this, &DraftDecision::approve);
    connect(m_sendBack, &QPushButton::clicked, this, &DraftDecision::sendBack);
    connect(m_reject, &QPushButton::clicked, this, &DraftDecision::reject);
    connect(m_edit, &QPushButton::clicked, this, &DraftDecision::edit);
    showButtons();
}

void DraftDecision::setDraft(std::optional<KernelId> draft, bool writable) {
    if (draft != m_draft) {
        if (m_draft) {
            m_remarks[*m_draft] = m_remark->text();
        }
        m_draft = draft;
        const auto typed = draft ? m_remarks.find(*draft) : m_remarks.end();
        m_remark->setText(typed == m_remarks.end() ? QString() : typed->second);
    }
    m_writable = writable;
    showButtons();
}

std::string DraftDecision::remark() const {
    return m_remark->text().trimmed().toStdString();
}

void DraftDecision::approve() {
    if (m_draft && m_approve->isEnabled()) {
        decide(command::ApproveCode{*m_draft});
    }
}

void DraftDecision::sendBack() {
    if (m_draft && m_sendBack->isEnabled()) {
        decide(command::SendBackCode{*m_draft, remark()});
    } else {
        m_remark->setFocus();
    }
}

void DraftDecision::reject() {
    if (m_draft && m_reject->isEnabled()) {
        decide(command::RejectCode{*m_draft, remark()});
    }
}

void DraftDecision::edit() {
    if (m_draft && m_edit->isEnabled()) {
        Q_EMIT editRequested(*m_draft);
    }
}

void DraftDecision::decide(const SteeringCommand& command) {
    m_remark->clear();
    Q_EMIT decided(command);
}

void DraftDecision::showButtons() {
    const bool possible = m_writable && m_draft.has_value();
    for (QPushButton* button : {m_approve, m_reject, m_edit}) {
        button->setEnabled(possible);
    }
    m_remark->setEnabled(possible);
    m_sendBack->setEnabled(possible && !m_remark->text().trimmed().isEmpty());
}

} // namespace gks
