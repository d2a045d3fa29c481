// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiments/round_view.h"

#include "core/base/quantity.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {
namespace {

QString diagnosisText(const Round& round) {
    QStringList lines;
    if (!round.rationale.empty()) {
        lines << QObject::tr("Why this parent: %1").arg(toText(round.rationale));
    }
    for (const ShapeLimit& row : round.diagnosis) {
        lines << QObject::tr("%1: %2, %3 above the floor. Evidence: %4")
                     .arg(toText(row.shapes), toText(row.limit), toText(formatRatio(row.headroom)),
                          toText(row.evidence));
    }
    return lines.join(QLatin1Char('\n'));
}

QString avenueText(const Avenue& avenue, const Experiment* taken) {
    const QString state = taken != nullptr ? QObject::tr("taken up by experiment %1").arg(taken->id)
                          : avenue.asked   ? QObject::tr("requested")
                                           : QObject::tr("open");
    return QObject::tr("%1, %2: %3").arg(toText(avenueLabel(avenue.id)), state, toText(avenue.text));
}

} // namespace

RoundView::RoundView(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_diagnosis(named(new QPlainTextEdit(this), "roundDiagnosis", tr("What limits the parent")))
    , m_list(named(new QListWidget(this), "roundAvenues", tr("Approaches of the round")))
    , m_ask(named(new QPushButton(tr("Re&quest this approach"), this), "askForAvenue", tr("Request this approach"))) {
    setObjectName(QStringLiteral("roundView"));
    m_title->setObjectName(QStringLiteral("roundTitle"));
    m_title->setProperty("quiet", true);
    m_diagnosis->setReadOnly(true);
    m_diagnosis->setTabChangesFocus(true);
    m_diagnosis->setPlaceholderText(tr("The model said nothing of limits"));
    m_diagnosis->setMinimumHeight(3 * fontMetrics().height());
    m_list->setMinimumHeight(3 * fontMetrics().height());
    m_list->setWordWrap(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_ask->setToolTip(tr("The next design must include an experiment that takes it up"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_title, 1);
    buttons->addWidget(m_ask);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing2, spacing1, spacing2, spacing1);
    layout->setSpacing(spacing1);
    layout->addLayout(buttons);
    layout->addWidget(m_diagnosis, 1);
    layout->addWidget(m_list, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, [this] { showButton(); });
    connect(m_ask, &QPushButton::clicked, this, [this] {
        if (const Avenue* avenue = current()) {
            Q_EMIT askRequested(command::AskForAvenue{avenue->id, !avenue->asked});
        }
    });
    hide();
}

void RoundView::showRound(const Population& population, std::int64_t number, bool writable) {
    const Round* round = population.round(number);
    round = round == nullptr && !population.rounds.empty() ? &population.rounds.back() : round;
    setVisible(round != nullptr);
    if (round == nullptr) {
        return;
    }
    m_writable = writable;
    m_title->setText(tr("Round %1 on %2").arg(round->id).arg(idText(round->parent)));
    if (const QString text = diagnosisText(*round); text != m_diagnosis->toPlainText()) {
        m_diagnosis->setPlainText(text);
    }
    m_avenues.clear();
    for (const Avenue& avenue : population.avenues) {
        if (avenue.round == round->id) {
            m_avenues.push_back(avenue);
        }
    }
    showAvenues(population);
    showButton();
}

// Rows stay where they are, so that what is chosen stays chosen.
void RoundView::showAvenues(const Population& population) {
    const int wanted = static_cast<int>(m_avenues.size());
    while (m_list->count() > wanted) {
        delete m_list->takeItem(m_list->count() - 1);
    }
    while (m_list->count() < wanted) {
        m_list->addItem(QString());
    }
    m_open.clear();
    for (int row = 0; row < wanted; ++row) {
        const Avenue& avenue = m_avenues[static_cast<std::size_t>(row)];
        const Experiment* taken = population.takenUpBy(avenue.id);
        m_open.push_back(taken == nullptr);
        m_list->item(row)->setText(avenueText(avenue, taken));
    }
}

const Avenue* RoundView::current() const {
    const int row = m_list->currentRow();
    return row >= 0 && row < static_cast<int>(m_avenues.size()) ? &m_avenues[static_cast<std::size_t>(row)] : nullptr;
}

void RoundView::showButton() {
    const Avenue* avenue = current();
    m_ask->setEnabled(m_writable && avenue != nullptr && m_open[static_cast<std::size_t>(m_list->currentRow())]);
    m_ask->setText(avenue != nullptr && avenue->asked ? tr("&Withdraw request") : tr("Re&quest this approach"));
}

} // namespace gks
