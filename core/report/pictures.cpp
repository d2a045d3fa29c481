// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pictures.h"

#include "core/base/text.h"
#include "core/campaign/anchors.h"
#include "core/campaign/ranking.h"
#include "core/chart/decimate.h"
#include "core/lineage/layout.h"
#include "core/report/markup.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr int chartWidth = 880;
constexpr int chartHeight = 240;
constexpr int leftMargin = 70;
constexpr int bottomMargin = 24;
constexpr int topMargin = 8;

// Maps values to the picture; the y axis carries times.
class Frame {
public:
    Frame(double xLow, double xHigh, double yLow, double yHigh)
        : m_xLow(xLow), m_xHigh(xHigh > xLow ? xHigh : xLow + 1), m_ticks(niceTicks(yLow, yHigh, 5)) {}

    double x(double value) const {
        return leftMargin + (value - m_xLow) / (m_xHigh - m_xLow) * (chartWidth - leftMargin - 10);
    }
    double y(double value) const {
        const double range = m_ticks.high > m_ticks.low ? m_ticks.high - m_ticks.low : 1;
        return topMargin + (m_ticks.high - value) / range * (chartHeight - topMargin - bottomMargin);
    }
    int columns() const { return chartWidth - leftMargin - 10; }

    std::string open(const std::string& label) const {
        std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", chartWidth,
                                      chartHeight, htmlEscaped(label));
        for (int i = 0; i < m_ticks.count(); ++i) {
            const double value = m_ticks.low + i * m_ticks.step;
            svg += fmt::format("<line class=\"grid\" x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\"/>"
                               "<text class=\"axis\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                               leftMargin, y(value), chartWidth - 10, y(value), leftMargin - 6, y(value) + 4,
                               htmlEscaped(value > 0 ? formatMicroseconds(value) : "0"));
        }
        return svg;
    }

private:
    double m_xLow;
    double m_xHigh;
    AxisTicks m_ticks;
};

std::string polyline(const Frame& frame, const std::vector<ChartPoint>& points, const char* style) {
    std::string svg = fmt::format("<polyline class=\"{}\" points=\"", style);
    for (const ChartPoint& point : points) {
        svg += fmt::format("{:.1f},{:.1f} ", frame.x(point.x), frame.y(point.y));
    }
    return svg + "\"/>\n";
}

const char* markOf(const Kernel& kernel) {
    if (!kernel.verdict) {
        return "waiting";
    }
    if (!isAccepted(*kernel.verdict)) {
        return "refused";
    }
    switch (kernel.versusParent ? kernel.versusParent->verdict : VerdictKind::tie) {
    case VerdictKind::faster:
        return "faster";
    case VerdictKind::slower:
        return "slower";
    case VerdictKind::undecided:
        return "undecided";
    default:
        return "tie";
    }
}

std::string mark(const Population& population, const Kernel& kernel, double x, double y) {
    const std::string kind = markOf(kernel);
    std::string shape;
    if (kind == "faster") {
        shape = fmt::format("<path d=\"M{} {}l8 14h-16z\"/>", x, y - 8);
    } else if (kind == "slower") {
        shape = fmt::format("<path d=\"M{} {}l8 -14h-16z\"/>", x, y + 8);
    } else if (kind == "refused") {
        shape = fmt::format("<path class=\"stroke\" d=\"M{} {}l12 12m0 -12l-12 12\"/>", x - 6, y - 6);
    } else if (kind == "undecided") {
        shape = fmt::format(
            "<circle class=\"hollow\" cx=\"{0}\" cy=\"{1}\" r=\"6\"/><path d=\"M{0} {2}a7 7 0 0 0 0 14z\"/>", x, y,
            y - 7);
    } else {
        shape = fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"7\"/>", x, y);
    }
    const std::string speed = kernel.geomeanUs > 0 ? ", " + scaledSpeedText(population, kernel) : "";
    return fmt::format("<g class=\"{}{}\"><title>{}</title>{}<text class=\"axis\" x=\"{}\" y=\"{}\" "
                       "text-anchor=\"middle\">{}</text></g>\n",
                       kind, population.best == kernel.id ? " best" : "",
                       htmlEscaped(fmt::format("{} {}: {}{}", kernelLabel(kernel.id), abbreviated(kernel.title, 200),
                                               kernel.verdict ? name(*kernel.verdict) : name(kernel.state), speed)),
                       shape, x, y + 22, kernelLabel(kernel.id));
}

} // namespace

std::string lineageSvg(const Population& population) {
    constexpr int cellWidth = 76;
    constexpr int cellHeight = 48;
    LineageLayout layout;
    std::string edges;
    std::string marks;
    const auto middle = [](const LineageCell& cell) {
        return std::pair(cell.column * cellWidth + cellWidth / 2, cell.row * cellHeight + 18);
    };
    for (const Kernel& kernel : population.kernels) {
        const auto parent = kernel.parents.empty() ? std::nullopt : std::optional(kernel.parents.front());
        const auto [x, y] = middle(layout.add(kernel.id, parent));
        if (const auto from = parent ? layout.cell(*parent) : std::nullopt) {
            const auto [px, py] = middle(*from);
            edges += fmt::format("<path class=\"edge\" d=\"M{} {}C{} {} {} {} {} {}\"/>\n", px + 9, py,
                                 px + cellWidth / 2, py, x - cellWidth / 2, y, x - 9, y);
        }
        marks += mark(population, kernel, x, y);
    }
    const int width = std::max(layout.columns(), 1) * cellWidth;
    const int height = std::max(layout.rows(), 1) * cellHeight;
    return fmt::format("<div class=\"scroll\"><svg class=\"lineage\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" "
                       "role=\"img\" aria-label=\"Lineage of the kernels\">\n",
                       width, height, width, height) +
           edges + marks + "</svg></div>\n";
}

std::string progressSvg(const Population& population) {
    std::vector<double> times;
    double highest = 0;
    for (const Kernel& kernel : population.kernels) {
        times.push_back(scaledUs(population, kernel));
        highest = std::max(highest, times.back());
    }
    if (highest <= 0) {
        return {};
    }
    const std::vector<const AnchorFigure*> anchors = newestAnchors(population);
    for (const AnchorFigure* anchor : anchors) {
        highest = std::max(highest, scaledUs(population, *anchor));
    }
    const double last = static_cast<double>(times.size());
    const Frame frame(1, last, 0, highest);
    const std::string baseline = population.baseline ? "baseline " + kernelLabel(*population.baseline) : "the baseline";
    std::string svg =
        frame.open("Times of the kernels in order, scaled to " + baseline + " by paired runs, and the best so far");
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] > 0) {
            svg +=
                fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"><title>{}</title></circle>\n",
                            frame.x(static_cast<double>(i + 1)), frame.y(times[i]),
                            htmlEscaped(kernelLabel(population.kernels[i].id) + ", " +
                                        scaledSpeedText(population, population.kernels[i]) + " of " + baseline));
        }
    }
    for (const AnchorFigure* anchor : anchors) {
        if (const double us = scaledUs(population, *anchor); us > 0) {
            svg += polyline(frame, {{1, us}, {last, us}}, "anchor") +
                   fmt::format("<text class=\"axis\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                               chartWidth - 10, frame.y(us) - 4, htmlEscaped(anchor->title));
        }
    }
    const std::vector<ChartPoint> best = bestSoFar(times);
    return svg + polyline(frame, decimated(best, 1, last, frame.columns()), "line") + "</svg>\n";
}

std::string samplesSvg(const MeasurementFact& fact) {
    const auto points = [](const std::vector<double>& us) {
        std::vector<ChartPoint> all;
        for (const double value : us) {
            all.push_back({static_cast<double>(all.size() + 1), value});
        }
        return all;
    };
    const std::vector<ChartPoint> candidate = points(fact.sampleUs);
    const std::vector<ChartPoint> baseline = points(fact.baselineSampleUs);
    if (candidate.empty()) {
        return {};
    }
    double low = candidate.front().y;
    double high = low;
    for (const std::vector<ChartPoint>* series : {&candidate, &baseline}) {
        for (const ChartPoint& point : *series) {
            low = std::min(low, point.y);
            high = std::max(high, point.y);
        }
    }
    const double last = static_cast<double>(std::max(candidate.size(), baseline.size()));
    const Frame frame(1, last, low, high > low ? high : low + 1);
    return frame.open("Samples in measurement order") +
           polyline(frame, decimated(baseline, 1, last, frame.columns()), "baseline") +
           polyline(frame, decimated(candidate, 1, last, frame.columns()), "line") + "</svg>\n";
}

} // namespace gks
