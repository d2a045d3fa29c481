// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/campaign_series.h"

#include "core/campaign/rules.h"
#include "widgets/common/terms.h"

#include <QObject>

namespace gks {

std::vector<PlotSeries> progressSeries(const Population& population, QStringList& labels) {
    PlotSeries each{QObject::tr("kernel"), PlotSeries::Style::points, 1, {}};
    std::vector<double> times;
    labels.clear();
    for (const Kernel& kernel : population.kernels) {
        if (!kernel.verdict) {
            continue;
        }
        const bool measured = isMeasured(kernel);
        times.push_back(measured ? kernel.geomeanUs : 0);
        labels.append(idText(kernel.id) + QLatin1Char(' ') + QString::fromStdString(kernel.title));
        if (measured) {
            each.points.push_back({static_cast<double>(times.size()), kernel.geomeanUs});
        }
    }
    PlotSeries best{QObject::tr("best so far"), PlotSeries::Style::line, 0, bestSoFar(times)};
    std::vector<PlotSeries> series;
    series.push_back(std::move(best));
    series.push_back(std::move(each));
    return series;
}

std::vector<PlotSeries> shapeSeries(const Population& population, std::optional<KernelId> primary,
                                    std::optional<KernelId> second) {
    std::vector<PlotSeries> series;
    std::vector<KernelId> shown;
    const auto add = [&](std::optional<KernelId> id, const QString& role, int color) {
        const Kernel* kernel = id ? population.kernel(*id) : nullptr;
        if (kernel == nullptr || kernel->shapeMediansUs.empty() ||
            std::find(shown.begin(), shown.end(), *id) != shown.end()) {
            return;
        }
        shown.push_back(*id);
        PlotSeries one{role + QLatin1Char(' ') + idText(*id), PlotSeries::Style::points, color, {}};
        for (std::size_t i = 0; i < kernel->shapeMediansUs.size(); ++i) {
            if (kernel->shapeMediansUs[i] > 0) {
                one.points.push_back({static_cast<double>(i + 1), kernel->shapeMediansUs[i]});
            }
        }
        series.push_back(std::move(one));
    };
    add(primary, QObject::tr("selected"), 0);
    add(second, QObject::tr("second"), 2);
    add(population.best, QObject::tr("best"), 3);
    add(population.baseline, QObject::tr("baseline"), 5);
    return series;
}

} // namespace gks
