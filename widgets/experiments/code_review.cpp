// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/code_review.h"

#include "core/campaign/limits.h"
#include "core/campaign/rules.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace gks {
namespace {

constexpr int shownRows = 3; // more are scrolled

QString draftText(const Population& population, const Kernel& draft) {
    QString text = idText(draft.id) + QLatin1Char(' ') + toText(draft.title).simplified();
    if (!draft.parents.empty()) {
        text += QObject::tr(", from %1").arg(idText(draft.parents.front()));
    }
    const Experiment* experiment = draft.experiment ? population.experiment(*draft.experiment) : nullptr;
    return experiment == nullptr
               ? text
               : text + QObject::tr("; experiment %1: %2")
                            .arg(QString::number(experiment->id), toText(experiment->description).simplified());
}

} // namespace

CodeReview::CodeReview(QWidget* parent)
    : QWidget(parent)
    , m_title(named(new QLabel(this), "reviewTitle", tr("Drafts for your approval")))
    , m_list(named(new QListWidget(this), "reviewDrafts", tr("Drafts for your approval")))
    , m_remark(named(new QLineEdit(this), "reviewRemark", tr("Remark on the draft")))
    , m_approve(named(new QPushButton(tr("A&pprove"), this), "reviewApprove", tr("Approve the code")))
    , m_sendBack(named(new QPushButton(tr("Send &back"), this), "reviewSendBack", tr("Send the code back")))
    , m_reject(named(new QPushButton(tr("Reje&ct"), this), "reviewReject", tr("Reject the code")))
    , m_edit(named(new QPushButton(tr("Ed&it"), this), "reviewEdit", tr("Edit the code"))) {
    setObjectName(QStringLiteral("codeReview"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setProperty("quiet", true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedHeight(shownRows * (fontMetrics().height() + spacing1) + spacing1);
    m_list->setToolTip(tr("Click a draft to compare it with its parent"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // long lines end in an ellipsis
    m_remark->setMaxLength(static_cast<int>(limits::remarkBytes) / 4);
    m_remark->setPlaceholderText(tr("Remark for the Writer"));
    m_approve->setToolTip(tr("It is evaluated"));
    m_sendBack->setToolTip(tr("The Writer gets the code and your remark, and writes another draft"));
    m_reject->setToolTip(tr("Neither the draft nor its experiment is tried"));
    m_edit->setToolTip(tr("Your source takes the place of the draft"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing1);
    for (QPushButton* button : {m_approve, m_sendBack, m_reject, m_edit}) {
        buttons->addWidget(button);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing2, spacing1, spacing2, spacing1);
    layout->setSpacing(spacing1);
    layout->addWidget(m_title);
    layout->addWidget(m_list);
    layout->addWidget(m_remark);
    layout->addLayout(buttons);

    connect(m_list, &QListWidget::currentRowChanged, this, [this] { showButtons(); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { look(); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { look(); });
    connect(m_remark, &QLineEdit::textChanged, this, [this] { showButtons(); });
    connect(m_approve, &QPushButton::clicked, this, [this] { decide(command::ApproveCode{*current()}); });
    connect(m_sendBack, &QPushButton::clicked, this,
            [this] { decide(command::SendBackCode{*current(), m_remark->text().trimmed().toStdString()}); });
    connect(m_reject, &QPushButton::clicked, this,
            [this] { decide(command::RejectCode{*current(), m_remark->text().trimmed().toStdString()}); });
    connect(m_edit, &QPushButton::clicked, this, [this] { Q_EMIT editRequested(*current()); });
    hide();
}

// What the person has chosen stays chosen while others come and go.
void CodeReview::showDrafts(const Population& population, bool writable) {
    m_writable = writable;
    const auto drafts = draftsToReview(population);
    const auto chosen = current();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const Kernel* draft : drafts) {
            auto* item = new QListWidgetItem(draftText(population, *draft), m_list);
            item->setToolTip(item->text());
            item->setData(Qt::UserRole, QVariant::fromValue<qint64>(draft->id));
            if (m_list->count() == 1 || draft->id == chosen) {
                m_list->setCurrentItem(item);
            }
        }
    }
    if (current() != chosen) {
        m_remark->clear(); // it was about another one
    }
    const auto count = static_cast<int>(drafts.size());
    m_title->setText(count == 1 ? tr("1 draft waits for your approval")
                                : tr("%1 drafts wait for your approval").arg(count));
    setVisible(count > 0);
    showButtons();
}

std::optional<KernelId> CodeReview::current() const {
    const QListWidgetItem* item = m_list->currentItem();
    return item != nullptr ? std::optional<KernelId>(item->data(Qt::UserRole).toLongLong()) : std::nullopt;
}

void CodeReview::look() {
    if (const auto draft = current()) {
        Q_EMIT lookedAt(*draft);
    }
}

void CodeReview::decide(const SteeringCommand& command) {
    m_remark->clear();
    Q_EMIT decided(command);
}

void CodeReview::showButtons() {
    const bool possible = m_writable && current().has_value();
    for (QPushButton* button : {m_approve, m_reject, m_edit}) {
        button->setEnabled(possible);
    }
    m_remark->setEnabled(possible);
    m_sendBack->setEnabled(possible && !m_remark->text().trimmed().isEmpty());
}

} // namespace gks
