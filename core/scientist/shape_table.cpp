// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/shape_table.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/bottleneck.h"
#include "core/judge/measured_shapes.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

struct TableColumn {
    const Kernel* kernel = nullptr;
    std::string role;
    std::vector<MeasurementFact> measurements;

    const MeasurementFact* of(const std::map<std::string, std::int64_t>& shape) const {
        const auto found = std::find_if(measurements.begin(), measurements.end(),
                                        [&](const MeasurementFact& fact) { return fact.shape == shape; });
        return found == measurements.end() ? nullptr : &*found;
    }
    // A shape's part of the sum that the person's weights make.
    double shareOf(const MeasurementFact& of, const ShapeWeights& weights) const {
        double sum = 0;
        for (const MeasurementFact& fact : measurements) {
            sum += weightOf(weights, fact.shape) * fact.medianUs;
        }
        return sum > 0 ? weightOf(weights, of.shape) * of.medianUs / sum : 0;
    }
};

std::vector<TableColumn> columnsOf(const Briefing& briefing, const Kernel* parent) {
    const Population& population = *briefing.population;
    std::vector<TableColumn> columns;
    const auto add = [&](const Kernel* kernel, const char* role) {
        if (kernel == nullptr || !briefing.newestVerdict) {
            return;
        }
        const auto known = std::find_if(columns.begin(), columns.end(),
                                        [&](const TableColumn& c) { return c.kernel->id == kernel->id; });
        if (known != columns.end()) {
            known->role += fmt::format(" and {}", role);
            return;
        }
        auto verdict = briefing.newestVerdict(kernel->id);
        if (verdict && !verdict->measurements.empty()) {
            columns.push_back({kernel, role, std::move(verdict->measurements)});
        }
    };
    add(parent, "parent");
    add(population.best ? population.kernel(*population.best) : nullptr, "best");
    add(population.baseline ? population.kernel(*population.baseline) : nullptr, "baseline");
    return columns;
}

std::string shareText(double share) {
    return share < 0.095 ? fmt::format("{:.1f} %", 100 * share) : formatShare(share);
}

std::string floorText(const ShapeWork& work) {
    const double least = work.floorUs();
    return least > 0 ? fmt::format("{} {}", formatSignificant(least),
                                   work.least.arithmeticUs > work.least.memoryUs ? "FLOP" : "bytes")
                     : std::string("-");
}

// "92.1 ±0.8 %; 3.7x; 27 %, 1.2 %; neither; 24 %". Of a time that is no better than a guess nothing is derived:
// "~152 ±61 %".
std::string cellText(const TableColumn& column, const MeasurementFact* fact, const ShapeWork& work,
                     const ShapeWeights& weights) {
    if (fact == nullptr || fact->medianUs <= 0) {
        return "-";
    }
    const double half = halfInterval(fact->medianUs, fact->ci95Us);
    const std::string time =
        fmt::format("{} ±{} %", formatSignificant(fact->medianUs), formatSignificant(100 * half, 2));
    if (isUncertain(fact->medianUs, fact->ci95Us)) {
        return "~" + time;
    }
    std::vector<std::string> parts = {time};
    if (const PeakShare share = shareOf(work, fact->medianUs); share.bound != Bound::unknown) {
        parts.push_back(formatRatio(share.timesFloor));
        parts.push_back(fmt::format("{}, {}", shareText(share.ofFlops), shareText(share.ofBytes)));
        parts.emplace_back(name(share.bound));
    }
    parts.push_back(formatShare(column.shareOf(*fact, weights)));
    return join(parts, "; ");
}

std::string peaksText(const Device& device, const DevicePeaks& peaks, double peakFlops) {
    if (peaks.bytesPerSecond <= 0) {
        return "No peak rates of this device are known: there are no floors.";
    }
    const std::string arithmetic = peakFlops > 0 ? fmt::format("{}/s and ", formatFlop(peakFlops)) : std::string();
    return fmt::format("Peak rates: {}{} GB/s{}.", arithmetic, formatSignificant(peaks.bytesPerSecond / 1e9),
                       device.target == TargetKind::cpu ? ", measured on this processor" : "");
}

// " Products of fp8_e4m3 are ...": what the floors leave out; empty where sums are exact.
std::string exactSumsText(const ProblemPack& pack, const DevicePeaks& peaks) {
    const auto input = pack.firstInputType();
    const auto exact = input ? peaks.exactSums.find(*input) : peaks.exactSums.end();
    if (exact == peaks.exactSums.end() || !peaks.flopsPerSecond.contains(*input) ||
        !peaks.flopsPerSecond.contains(exact->second)) {
        return {};
    }
    const double rate = peaks.flopsPerSecond.at(exact->second);
    return fmt::format(" The tensor cores sum products of {0} with fewer bits than f32 has. Where that misses the "
                       "tolerance (errors of {2} plus {3} of the value are allowed), inputs have to be converted to "
                       "{1}: {4}/s, floors by FLOP {5} as long.",
                       name(*input), name(exact->second), formatSignificant(pack.tolerance.absolute),
                       formatShare(pack.tolerance.relative), formatFlop(rate),
                       formatRatio(peaks.flopsPerSecond.at(*input) / rate));
}

} // namespace

std::string shapeTableText(const Briefing& briefing, const Kernel* parent) {
    const std::vector<TableColumn> columns = columnsOf(briefing, parent);
    if (columns.empty() || briefing.problem == nullptr) {
        return "Nothing was measured yet.";
    }
    const ProblemPack& pack = *briefing.problem;
    const CampaignSettings& settings = briefing.population->settings;
    const ShapeWeights& weights = settings.shapeWeights;
    const Device device = briefing.device ? briefing.device() : Device();
    const DevicePeaks peaks = attainablePeaks(device);
    std::vector<std::string> rows;
    std::string head = "shape | work | floor us, by";
    for (const TableColumn& column : columns) {
        head += fmt::format(" | {} ({})", kernelLabel(column.kernel->id), column.role);
    }
    rows.push_back(std::move(head));
    double peakFlops = 0;
    for (const Shape& shape : measuredShapes(pack, settings.target, settings.shapes)) {
        const ShapeWork work = workOf(pack, shape, peaks);
        peakFlops = std::max(peakFlops, work.peakFlops);
        const ShapeExtents named = pack.namedShape(shape);
        const std::string weight =
            weights.empty() ? std::string() : fmt::format(", weight {}", formatSignificant(weightOf(weights, named)));
        const std::string amount =
            pack.harness ? "not known"
                         : fmt::format("{}, {}", formatFlop(work.flops),
                                       formatBytes(static_cast<std::uint64_t>(std::max(0.0, work.bytes))));
        std::string row = fmt::format("{}{} | {} | {}", pack.shapeLabel(shape), weight, amount, floorText(work));
        for (const TableColumn& column : columns) {
            row += " | " + cellText(column, column.of(named), work, weights);
        }
        rows.push_back(std::move(row));
    }
    const bool hasFloors = peaks.bytesPerSecond > 0 && !pack.harness;
    return (pack.harness ? "How much work it is, only the harness knows: there are no floors."
                         : peaksText(device, peaks, peakFlops) + exactSumsText(pack, peaks)) +
           (hasFloors ? " In a cell: us with half of its 95 % interval; times the floor; share of the peak FLOP/s and "
                        "bytes/s; the peak that binds it; share of the kernel's total time."
                      : " In a cell: us with half of its 95 % interval; share of the kernel's total time.") +
           (weights.empty() ? ""
                            : " Kernels are ranked by the weighted geometric mean of the shapes, and shares are of the "
                              "weighted total: what has more weight is worth more, what has 0 must only be right.") +
           " A time with ~ was taken on a busy machine: build nothing on it, paired ratios are right.\n" +
           join(rows, "\n");
}

} // namespace gks
