// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/chart/decimate.h"

#include <QChartView>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

class QCategoryAxis;
class QLineSeries;
class QScatterSeries;

namespace gks {
struct Tick;
}

namespace gks {

// One named set of points. The order of the series is the order of the legend and never changes while the plot lives.
struct PlotSeries {
    // Failures have no value: they stand at the foot of the plot. Rings are seen around and behind other points.
    enum class Style { line, dashed, points, rings, failures };
    QString name;
    Style style = Style::line;
    int color = 0;                          // see series_roles.h
    std::vector<ChartPoint> points;         // sorted by x
    std::vector<std::int64_t> kernels = {}; // of the points, in their order; empty: they are of none
    std::vector<Interval> intervals = {};   // 95 %, likewise
};

// A chart of timings: x counts, y in microseconds. Times start at zero, for a cut axis makes two percent look like
// half; when they differ by more than a factor of eight the axis is logarithmic. Keeps the raw points, draws what the
// pixels can show, keeps the person's zoom, reads exact values under the mouse, exports PNG, SVG and CSV.
class TimingPlot final : public QChartView {
    Q_OBJECT

public:
    TimingPlot(const QString& title, const QString& xTitle, const QString& yTitle, QWidget* parent = nullptr);

    void setSeries(std::vector<PlotSeries> series);
    // Other values than microseconds: "cost" in "USD", written by `format`.
    void setValues(const QString& title, const QString& unit, std::function<QString(double)> format);
    // Times that lie close together fill the plot instead of standing on zero: for their scatter, not their size.
    void showSpread() { m_spread = true; }
    // What stands above the plot: of texts that say the same ever shorter the first that fits beside the export button.
    void setTitles(const QStringList& titles);
    void setXTitle(const QString& title);
    void setYTitle(const QString& title);
    void setEmptyText(const QString& text); // shown while there is no point
    enum class Labels { onHover, onTheAxis };
    void setXLabels(const QStringList& labels, Labels where = Labels::onHover); // names of x = 1, 2, ...
    const std::vector<PlotSeries>& series() const { return m_series; }
    bool isZoomed() const { return m_zoomed; }
    bool isLogarithmic() const { return m_logarithmic; }
    QPointF placeOf(const ChartPoint& point) const; // in the view
    void resetZoom();
    void setLogarithmic(bool logarithmic);

    bool exportImage(const QString& file); // .png or .svg by the ending
    QString csv() const;
    // The point nearest to a place of the view, as "name, x, value".
    QString readingAt(const QPointF& position) const;
    // Its kernel, when it is of one.
    std::optional<std::int64_t> kernelAt(const QPointF& position) const;

Q_SIGNALS:
    void kernelClicked(std::int64_t kernel, bool asSecond);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    static constexpr double footShare = 0.02; // of the height: where failures stand
    static constexpr int pointLimit = 1000;   // a scatter series costs one graphics item for each point
    struct Drawn {
        QLineSeries* line = nullptr;
        QScatterSeries* points = nullptr;
    };
    void applyTheme();
    void rebuild(); // series were added: the chart's objects are made to fit
    void fit();     // axes to the data
    void redraw();  // points to the pixels
    void applyTicks();
    void applyTitle();
    std::vector<Tick> nameTicks(); // one for each name that the axis has room for
    void setUpright(int pixels);   // names stand upright in so much room; 0: they lie
    void drawNames(QPainter& painter) const;
    double toAxis(double us) const;
    bool isEmpty() const;
    struct Near {
        const PlotSeries* series = nullptr;
        std::size_t point = 0;
    };
    std::optional<Near> nearestTo(const QPointF& position) const;
    QPointF placeOf(const PlotSeries& series, std::size_t point) const;
    void drawIntervals(QPainter& painter) const;

    std::vector<PlotSeries> m_series;
    std::vector<Drawn> m_drawn;
    std::function<QString(double)> m_format;
    QString m_unit;
    bool m_isTime = true; // other values are sums: they start at zero and are never logarithmic
    QString m_emptyText;
    QStringList m_titles;
    int m_uprightPixels = 0;
    QStringList m_xLabels;
    Labels m_labelPlace = Labels::onHover;
    QCategoryAxis* m_x;
    QCategoryAxis* m_y;
    bool m_zoomed = false;
    bool m_logarithmic = false;
    std::optional<bool> m_logarithmicChoice; // the person's; empty: what the range of the times decides
    bool m_spread = false;
    std::optional<QPointF> m_hover;
    std::optional<QPointF> m_dragFrom;
    QPointF m_pressedAt;
};

} // namespace gks
