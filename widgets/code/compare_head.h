// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/code/pair_ratio.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace gks {

// Who the two kernels of a pair are, what each takes, and the ratio of the two, above what stands below in rows of
// their whole width.
class CompareHead final : public QWidget {
    Q_OBJECT

public:
    explicit CompareHead(QWidget* parent = nullptr);

    void addRow(QWidget* row); // the newest at the bottom
    void showPair(const Kernel& left, const Kernel& right, const PairRatio& ratio, TargetKind target);
    void clear();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class RatioPlace { beside, below, across }; // of the time of the right kernel

    void placeRatio();

    QLabel* m_leftName;
    QLabel* m_rightName;
    QLabel* m_leftTime;
    QLabel* m_rightTime;
    QLabel* m_ratio;
    QGridLayout* m_grid;
    RatioPlace m_ratioPlace = RatioPlace::beside;
};

} // namespace gks
