// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/campaign_series.h"

#include "core/campaign/anchors.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "widgets/charts/series_roles.h"
#include "widgets/common/terms.h"

#include <QObject>
#include <algorithm>

namespace gks {

namespace {

// Across the whole chart: a library is as fast in every round.
void addAnchors(const Population& population, double lastX, std::vector<PlotSeries>& series) {
    std::size_t number = 0;
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        if (const double us = scaledUs(population, *anchor); us > 0) {
            series.push_back({QString::fromStdString(anchor->title),
                              PlotSeries::Style::dashed,
                              colorOfLibrary(number++),
                              {{1, us}, {std::max(lastX, 2.0), us}}});
        }
    }
}

} // namespace

std::vector<PlotSeries> progressSeries(const Population& population, QStringList& labels) {
    PlotSeries each{QObject::tr("Kernel, by paired runs"), PlotSeries::Style::points, kernelColor, {}};
    PlotSeries alone{QObject::tr("Alone, not compared"), PlotSeries::Style::points, neutralColor, {}};
    PlotSeries failed{QObject::tr("Failed"), PlotSeries::Style::failures, neutralColor, {}};
    std::vector<double> times;
    labels.clear();
    for (const Kernel& kernel : population.kernels) {
        if (!kernel.verdict) {
            continue;
        }
        times.push_back(scaledUs(population, kernel));
        labels.append(idText(kernel.id) + QLatin1Char(' ') + QString::fromStdString(kernel.title));
        const auto x = static_cast<double>(times.size());
        if (times.back() > 0) {
            const SpeedRatio& speed = *population.speed(kernel);  // it has a time by it
            const double baselineUs = times.back() * speed.ratio; // by the speed-up's interval
            const Interval& ci = speed.ci95;
            each.points.push_back({x, times.back()});
            each.kernels.push_back(kernel.id);
            each.intervals.push_back(ci.low > 0 ? Interval{baselineUs / ci.high, baselineUs / ci.low}
                                                : Interval{times.back(), times.back()});
        } else if (isMeasured(kernel)) {
            alone.points.push_back({x, kernel.geomeanUs});
            alone.kernels.push_back(kernel.id);
            alone.intervals.push_back(kernel.geomeanCi95Us);
        } else if (!isAccepted(*kernel.verdict)) {
            failed.points.push_back({x, 0});
            failed.kernels.push_back(kernel.id);
        }
    }
    PlotSeries best{QObject::tr("Best so far"), PlotSeries::Style::line, bestColor, bestSoFar(times)};
    std::vector<PlotSeries> series;
    series.push_back(std::move(best));
    series.push_back(std::move(each));
    if (!alone.points.empty()) {
        series.push_back(std::move(alone));
    }
    if (!failed.points.empty()) {
        series.push_back(std::move(failed));
    }
    if (const double goal = population.settings.budgets.goalUs; goal > 0) {
        series.push_back({QObject::tr("Goal"),
                          PlotSeries::Style::dashed,
                          goalColor,
                          {{1, goal}, {std::max(static_cast<double>(times.size()), 2.0), goal}}});
    }
    addAnchors(population, static_cast<double>(times.size()), series);
    return series;
}

std::vector<PlotSeries> shapeSeries(const Population& population, std::optional<KernelId> primary,
                                    std::optional<KernelId> second) {
    struct Shown {
        const Kernel* kernel = nullptr;
        std::vector<SeriesRole> roles;
    };
    std::vector<Shown> shown;
    const auto add = [&](std::optional<KernelId> id, SeriesRole role) {
        const Kernel* kernel = id ? population.kernel(*id) : nullptr;
        if (kernel == nullptr || kernel->probe || kernel->shapeMediansUs.empty()) {
            return;
        }
        const auto known = std::ranges::find(shown, kernel, &Shown::kernel);
        (known == shown.end() ? shown.insert(known, Shown{kernel, {}}) : known)->roles.push_back(role);
    };
    add(primary, SeriesRole::selected);
    add(second, SeriesRole::comparedWith);
    add(population.best, SeriesRole::best);
    add(population.baseline, SeriesRole::baseline);
    std::vector<PlotSeries> series;
    for (const Shown& one : shown) {
        const Kernel& kernel = *one.kernel;
        const bool isSelected = one.roles.front() == SeriesRole::selected;
        PlotSeries points{rolesText(one.roles) + QLatin1Char(' ') + idText(kernel.id),
                          isSelected ? PlotSeries::Style::rings : PlotSeries::Style::points,
                          colorOf(one.roles),
                          {}};
        for (std::size_t i = 0; i < kernel.shapeMediansUs.size(); ++i) {
            if (kernel.shapeMediansUs[i] > 0) {
                points.points.push_back({static_cast<double>(i + 1), kernel.shapeMediansUs[i]});
                points.kernels.push_back(kernel.id);
            }
        }
        series.push_back(std::move(points));
    }
    std::size_t number = 0;
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        PlotSeries one{QString::fromStdString(anchor->title), PlotSeries::Style::dashed, colorOfLibrary(number++), {}};
        for (std::size_t i = 0; i < anchor->shapeMediansUs.size(); ++i) {
            if (anchor->shapeMediansUs[i] > 0) {
                one.points.push_back({static_cast<double>(i + 1), anchor->shapeMediansUs[i]});
            }
        }
        if (!one.points.empty()) {
            series.push_back(std::move(one));
        }
    }
    return series;
}

} // namespace gks
