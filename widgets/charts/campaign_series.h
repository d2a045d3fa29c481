// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/charts/timing_plot.h"

#include <QStringList>
#include <vector>

namespace gks {

// Time of every kernel in order of its evaluation, scaled to the baseline by paired runs, and the best so far; beside
// them times alone of kernels that were not compared, and a dashed line for each library that was measured. `labels`
// gets the kernels' numbers.
std::vector<PlotSeries> progressSeries(const Population& population, QStringList& labels);

// Times by shape of the baseline, the best, the selected and the second kernel, each once, and of libraries.
std::vector<PlotSeries> shapeSeries(const Population& population, std::optional<KernelId> primary,
                                    std::optional<KernelId> second);

} // namespace gks
