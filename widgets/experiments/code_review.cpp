// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/code_review.h"

#include "core/campaign/rules.h"
#include "widgets/common/draft_decision.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QLabel>
#include <QListWidget>
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
    , m_decision(new DraftDecision(DraftDecision::Place::narrow, QStringLiteral("review"), this)) {
    setObjectName(QStringLiteral("codeReview"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setProperty("quiet", true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedHeight(shownRows * (fontMetrics().height() + spacing1) + spacing1);
    m_list->setToolTip(tr("Click a draft to compare it with its parent"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // long lines end in an ellipsis
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing2, spacing1, spacing2, spacing1);
    layout->setSpacing(spacing1);
    layout->addWidget(m_title);
    layout->addWidget(m_list);
    layout->addWidget(m_decision);

    connect(m_list, &QListWidget::currentRowChanged, this, [this] { m_decision->setDraft(current(), m_writable); });
    connect(m_list, &QListWidget::itemClicked, this, [this] { look(); });
    connect(m_list, &QListWidget::itemActivated, this, [this] { look(); });
    connect(m_decision, &DraftDecision::decided, this, &CodeReview::decided);
    connect(m_decision, &DraftDecision::editRequested, this, &CodeReview::editRequested);
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
    const auto count = static_cast<int>(drafts.size());
    m_title->setText(count == 1 ? tr("1 draft waits for your approval")
                                : tr("%1 drafts wait for your approval").arg(count));
    setVisible(count > 0);
    m_decision->setDraft(current(), writable);
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

} // namespace gks
