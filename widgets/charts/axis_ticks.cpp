// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/axis_ticks.h"

#include "core/base/quantity.h"
#include "core/chart/decimate.h"

#include <QCategoryAxis>
#include <algorithm>
#include <cmath>

namespace gks {

void setTicks(QCategoryAxis& axis, const std::vector<Tick>& ticks) {
    QStringList labels;
    for (const Tick& tick : ticks) {
        labels << tick.label;
    }
    bool same = labels == axis.categoriesLabels();
    for (const Tick& tick : ticks) {
        same = same && axis.endValue(tick.label) == tick.at;
    }
    if (same) {
        return;
    }
    for (const QString& label : axis.categoriesLabels()) {
        axis.remove(label);
    }
    for (const Tick& tick : ticks) {
        axis.append(tick.label, tick.at);
    }
}

QString timeLabel(double us) {
    return us == 0 ? QStringLiteral("0") : QString::fromStdString(formatMicroseconds(us));
}

std::vector<Tick> linearTicks(double low, double high, int wanted, double smallestStep,
                              const std::function<QString(double)>& label) {
    AxisTicks ticks = niceTicks(low, high, wanted);
    ticks.step = std::max(ticks.step, smallestStep);
    std::vector<Tick> out;
    for (double at = std::ceil(low / ticks.step) * ticks.step; at <= high + ticks.step * 1e-6 && out.size() < 50;
         at += ticks.step) {
        out.push_back({label(std::abs(at) < ticks.step * 1e-6 ? 0 : at), at});
    }
    return out;
}

std::vector<Tick> logarithmicTicks(double low, double high, int wanted) {
    std::vector<Tick> out;
    const bool fine = (high - low) * 3 <= wanted + 2;
    for (int power = static_cast<int>(std::floor(low)); power <= static_cast<int>(std::ceil(high)); ++power) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double us = factor * std::pow(10.0, power);
            if (const double at = std::log10(us); at >= low - 1e-9 && at <= high + 1e-9 && (fine || factor == 1.0)) {
                out.push_back({timeLabel(us), at});
            }
        }
    }
    return out;
}

} // namespace gks
