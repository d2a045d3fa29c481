// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/compare_head.h"

#include "widgets/common/elided_label.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"
#include "widgets/common/verdict_mark.h"

#include <QGridLayout>
#include <QLabel>

namespace gks {
namespace {

QLabel* headLabel(const char* name, Qt::Alignment alignment, QWidget* parent) {
    auto* label = new ElidedLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setAlignment(alignment | Qt::AlignVCenter);
    return label;
}

QString nameOf(const Kernel& kernel) {
    return idText(kernel.id) + QStringLiteral("  ") + QString::fromStdString(kernel.title);
}

} // namespace

CompareHead::CompareHead(QWidget* parent)
    : QWidget(parent)
    , m_leftName(headLabel("compareLeftName", Qt::AlignLeft, this))
    , m_rightName(headLabel("compareRightName", Qt::AlignLeft, this))
    , m_leftTime(headLabel("compareLeftTime", Qt::AlignLeft, this))
    , m_rightTime(headLabel("compareRightTime", Qt::AlignLeft, this))
    , m_ratio(headLabel("compareRatio", Qt::AlignRight, this))
    , m_grid(new QGridLayout(this)) {
    for (QLabel* name : {m_leftName, m_rightName}) {
        QFont bold = name->font();
        bold.setWeight(QFont::DemiBold);
        name->setFont(bold);
    }
    m_grid->setContentsMargins(spacing3, spacing2, spacing3, spacing1);
    m_grid->setHorizontalSpacing(spacing4);
    m_grid->setVerticalSpacing(2);
    m_grid->addWidget(m_leftName, 0, 0);
    m_grid->addWidget(m_rightName, 0, 1, 1, 2);
    m_grid->addWidget(m_leftTime, 1, 0);
    m_grid->addWidget(m_rightTime, 1, 1);
    m_grid->addWidget(m_ratio, 1, 2);
    m_grid->setColumnStretch(0, 2);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(2, 1);
}

void CompareHead::addRow(QWidget* row) {
    constexpr int firstFreeRow = 3; // the ratio may take the one before
    m_grid->addWidget(row, std::max(firstFreeRow, m_grid->rowCount()), 0, 1, 3);
}

void CompareHead::showPair(const Kernel& left, const Kernel& right, const PairRatio& ratio, TargetKind target) {
    m_leftName->setText(nameOf(left));
    m_rightName->setText(nameOf(right));
    const auto time = [&](const Kernel& kernel) {
        return kernel.geomeanUs > 0 ? geomeanText(kernel, target) : kernelStateText(kernel);
    };
    m_leftTime->setText(time(left));
    m_rightTime->setText(time(right));
    m_ratio->setText(ratio.text);
    const Palette& palette = Theme::instance().palette();
    setTextColor(m_ratio, ratio.mark == VerdictMark::waiting ? palette.quietText : colorOf(ratio.mark, palette));
    placeRatio();
}

void CompareHead::clear() {
    for (QLabel* label : {m_leftName, m_rightName, m_leftTime, m_rightTime, m_ratio}) {
        label->clear();
    }
}

// A ratio without its interval says more than was measured: on a narrow page it takes a line of its own, on a very
// narrow one the whole of it.
void CompareHead::placeRatio() {
    const int ratio = m_ratio->fontMetrics().horizontalAdvance(m_ratio->text()) + spacing1;
    const int time = m_rightTime->fontMetrics().horizontalAdvance(m_rightTime->text());
    const int half = width() / 2 - 2 * spacing4;
    const RatioPlace place = ratio + time + spacing4 <= half ? RatioPlace::beside
                             : ratio <= half                 ? RatioPlace::below
                                                             : RatioPlace::across;
    m_ratio->setMinimumWidth(place == RatioPlace::beside ? ratio : 0);
    if (place == m_ratioPlace) {
        return;
    }
    m_ratioPlace = place;
    const bool beside = place == RatioPlace::beside;
    m_grid->removeWidget(m_ratio);
    m_grid->removeWidget(m_rightTime);
    m_grid->addWidget(m_rightTime, 1, 1, 1, beside ? 1 : 2);
    m_ratio->setAlignment((beside ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (beside) {
        m_grid->addWidget(m_ratio, 1, 2);
    } else {
        m_grid->addWidget(m_ratio, 2, place == RatioPlace::below ? 1 : 0, 1, place == RatioPlace::below ? 2 : 3);
    }
}

void CompareHead::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeRatio();
}

} // namespace gks
