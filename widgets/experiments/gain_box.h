// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>

namespace gks {

// A ratio of times as it is written everywhere, "0.995x", "1.05x": with two decimals, one just below 1 would read as
// a loss of a whole percent.
class GainBox final : public QDoubleSpinBox {
    Q_OBJECT

public:
    explicit GainBox(QWidget* parent = nullptr);
    QString textFromValue(double gain) const override;
    // As the box keeps it: to three digits.
    static double rounded(double gain);
};

} // namespace gks
