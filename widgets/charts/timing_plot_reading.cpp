// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "widgets/charts/chart_export.h"
#include "widgets/charts/chart_reading.h"
#include "widgets/charts/series_roles.h"
#include "widgets/charts/timing_plot.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QAction>
#include <QCategoryAxis>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>

// What a chart tells beyond its lines: the point under the mouse, intervals, and files.
namespace gks {
namespace {

constexpr double snapPixels = 24;   // pixels
constexpr double nameGapPixels = 6; // between the axis and names below it

} // namespace

QPointF TimingPlot::placeOf(const PlotSeries& series, std::size_t point) const {
    const QPointF place = placeOf(series.points[point]);
    const QRectF area = chart()->plotArea();
    return series.style == PlotSeries::Style::failures ? QPointF(place.x(), area.bottom() - footShare * area.height())
                                                       : place;
}

std::optional<TimingPlot::Near> TimingPlot::nearestTo(const QPointF& position) const {
    double nearest = snapPixels * snapPixels;
    std::optional<Near> found;
    const double x = chart()->mapToValue(position).x();
    const double reach = std::abs(chart()->mapToValue(position + QPointF(snapPixels, 0)).x() - x);
    for (const PlotSeries& series : m_series) {
        auto point = std::lower_bound(series.points.begin(), series.points.end(), ChartPoint{x - reach, 0},
                                      [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
        for (; point != series.points.end() && point->x <= x + reach; ++point) {
            const auto index = static_cast<std::size_t>(point - series.points.begin());
            const QPointF offset = placeOf(series, index) - position;
            // Of points in one place one that is of a kernel: the line of the best so far runs through its kernels.
            const double distance = QPointF::dotProduct(offset, offset) + (series.kernels.empty() ? 1 : 0);
            if (distance < nearest) {
                nearest = distance;
                found = Near{&series, index};
            }
        }
    }
    return found;
}

std::optional<std::int64_t> TimingPlot::kernelAt(const QPointF& position) const {
    const auto near = nearestTo(position);
    return near && near->point < near->series->kernels.size() ? std::optional(near->series->kernels[near->point])
                                                              : std::nullopt;
}

QString TimingPlot::readingAt(const QPointF& position) const {
    const auto near = nearestTo(position);
    if (!near) {
        return {};
    }
    const PlotSeries& series = *near->series;
    const ChartPoint& point = series.points[near->point];
    const auto label = static_cast<qsizetype>(std::lround(point.x)) - 1;
    const QString where = label >= 0 && label < m_xLabels.size() ? m_xLabels[label] : QString::number(point.x);
    const bool hasInterval = m_isTime && near->point < series.intervals.size();
    const QString value = series.style == PlotSeries::Style::failures ? QString()
                          : hasInterval
                              ? QString::fromStdString(formatMicroseconds(point.y, series.intervals[near->point]))
                              : m_format(point.y);
    return series.name + QStringLiteral("   ") + where + QStringLiteral("   ") + value;
}

// As long as there is room for them; hovering reads the others.
void TimingPlot::drawIntervals(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    const auto byX = [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; };
    painter.setClipRect(chart()->plotArea());
    for (const PlotSeries& series : m_series) {
        const auto begin = std::lower_bound(series.points.begin(), series.points.end(), ChartPoint{m_x->min(), 0}, byX);
        const auto end = std::upper_bound(begin, series.points.end(), ChartPoint{m_x->max(), 0}, byX);
        if (series.intervals.size() != series.points.size() || end - begin > pointLimit) {
            continue;
        }
        painter.setPen(QPen(seriesColor(series.color, palette), 1.5));
        for (auto point = begin; point != end; ++point) {
            const Interval& interval = series.intervals[static_cast<std::size_t>(point - series.points.begin())];
            painter.drawLine(placeOf(ChartPoint{point->x, interval.low}), placeOf(ChartPoint{point->x, interval.high}));
        }
    }
}

void TimingPlot::drawNames(QPainter& painter) const {
    const QFontMetrics metrics(font());
    const QRectF area = chart()->plotArea();
    painter.setFont(font());
    painter.setPen(Theme::instance().palette().quietText);
    for (const QString& name : m_x->categoriesLabels()) {
        const double x = chart()->mapToPosition({m_x->endValue(name), 0}).x();
        if (x < area.left() || x > area.right()) {
            continue;
        }
        painter.save();
        painter.translate(x, area.bottom() + nameGapPixels);
        painter.rotate(-90);
        painter.drawText(QRectF(-m_uprightPixels, -metrics.height() / 2.0, m_uprightPixels, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, name);
        painter.restore();
    }
    painter.drawText(
        QRectF(area.left(), area.bottom() + nameGapPixels + m_uprightPixels, area.width(), metrics.height() + 2.0),
        Qt::AlignCenter, m_x->titleText());
}

void TimingPlot::drawForeground(QPainter* painter, const QRectF& rect) {
    QChartView::drawForeground(painter, rect);
    if (isEmpty()) {
        painter->save();
        painter->resetTransform();
        painter->setPen(Theme::instance().palette().quietText);
        painter->drawText(viewport()->rect(), Qt::AlignCenter, m_emptyText);
        painter->restore();
        return;
    }
    painter->save();
    painter->resetTransform();
    if (m_uprightPixels > 0) {
        drawNames(*painter);
    }
    drawIntervals(*painter);
    painter->restore();
    const QString reading = m_hover ? readingAt(*m_hover) : QString();
    if (reading.isEmpty()) {
        return;
    }
    painter->save();
    painter->resetTransform();
    paintReading(*painter, font(), viewport()->size(), *m_hover, reading);
    painter->restore();
}

bool TimingPlot::exportImage(const QString& file) {
    return exportChartImage(*this, chart()->title(), file);
}

QString TimingPlot::csv() const {
    const bool ofKernels =
        std::any_of(m_series.begin(), m_series.end(), [](const PlotSeries& series) { return !series.kernels.empty(); });
    QString text = (ofKernels ? QStringLiteral("series,kernel,%1,%2 (%3),ci95 low (%3),ci95 high (%3)\n")
                              : QStringLiteral("series,%1,%2 (%3)\n"))
                       .arg(m_x->titleText(), m_y->titleText(), m_unit);
    const auto number = [](double value) { return QString::number(value, 'g', 12); };
    for (const PlotSeries& series : m_series) {
        const QString quoted = csvQuoted(series.name);
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const bool isFailure = series.style == PlotSeries::Style::failures;
            const bool hasInterval = i < series.intervals.size();
            const QString value = isFailure ? QString() : number(series.points[i].y);
            const QStringList cells =
                ofKernels ? QStringList{quoted,
                                        i < series.kernels.size() ? idText(series.kernels[i]) : QString(),
                                        number(series.points[i].x),
                                        value,
                                        hasInterval ? number(series.intervals[i].low) : QString(),
                                        hasInterval ? number(series.intervals[i].high) : QString()}
                          : QStringList{quoted, number(series.points[i].x), value};
            text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return text;
}

void TimingPlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    addChartExports(menu, this, chart()->title(), [this] { return csv(); });
    menu.addSeparator();
    QAction* reset = menu.addAction(tr("&Reset zoom"), this, &TimingPlot::resetZoom);
    reset->setEnabled(m_zoomed);
    QAction* logarithmic = menu.addAction(tr("&Logarithmic axis"));
    logarithmic->setCheckable(true);
    logarithmic->setChecked(m_logarithmic);
    logarithmic->setEnabled(m_isTime);
    connect(logarithmic, &QAction::toggled, this, &TimingPlot::setLogarithmic);
    menu.exec(event->globalPos());
}

} // namespace gks
