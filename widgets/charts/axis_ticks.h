// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QCategoryAxis;

namespace gks {

struct Tick {
    QString label;
    double at = 0;
};

// The axis is laid out anew at every change of its labels: they are touched only when they differ.
void setTicks(QCategoryAxis& axis, const std::vector<Tick>& ticks);

QString timeLabel(double us);
std::vector<Tick> linearTicks(double low, double high, int wanted, double smallestStep,
                              const std::function<QString(double)>& label);
// `low` and `high` are logarithms of microseconds to the base of ten. 1, 2 and 5 times the powers of ten, or the powers
// alone when that is enough.
std::vector<Tick> logarithmicTicks(double low, double high, int wanted);

} // namespace gks
