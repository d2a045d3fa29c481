// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timing_plot.h"

#include "core/base/quantity.h"
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/series_roles.h"
#include "widgets/common/fitting_text.h"
#include "widgets/common/theme.h"

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QScatterSeries>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace gks {
namespace {

constexpr double markerSize = 7;
constexpr double ringSize = 11;
constexpr double ringWidth = 1.8;
constexpr int labelGap = 12;                // between labels
constexpr int leastHeightBesideNames = 150; // of a chart with names that stand upright: title, legend and points
constexpr double axisPixels = 90;           // at the left of the plot: names and times
constexpr double logarithmicFrom = 8;       // largest over smallest time
constexpr double smallestSpread = 0.1;      // of the largest time: three digits tell the ticks apart
constexpr double clickPixels = 4;           // a press that moves further drags
constexpr double headroom = 0.04;           // above the topmost tick, whose label would touch the title

} // namespace

TimingPlot::TimingPlot(const QString& title, const QString& xTitle, const QString& yTitle, QWidget* parent)
    : QChartView(parent)
    , m_format(timeLabel)
    , m_unit(QStringLiteral("us"))
    , m_x(new QCategoryAxis)
    , m_y(new QCategoryAxis) {
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setMargins({4, 2, 8, 2});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    chart()->legend()->setAlignment(Qt::AlignTop);
    chart()->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    for (QCategoryAxis* axis : {m_x, m_y}) {
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    }
    m_x->setTitleText(xTitle);
    m_y->setTitleText(yTitle);
    chart()->addAxis(m_x, Qt::AlignBottom);
    chart()->addAxis(m_y, Qt::AlignLeft);
    setRubberBand(QChartView::NoRubberBand);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setMinimumSize(220, 140);
    connect(&Theme::instance(), &Theme::changed, this, &TimingPlot::applyTheme);
    m_x->setVisible(false);
    m_y->setVisible(false);
    applyTheme();
    setTitles({title});
    fit();
}

void TimingPlot::setTitles(const QStringList& titles) {
    m_titles = titles;
    applyTitle();
}

void TimingPlot::applyTitle() {
    const QFontMetrics metrics(chart()->titleFont());
    const int beside = metrics.horizontalAdvance(QStringLiteral("Export")) + 2 * labelGap;
    const QString title = firstThatFits(m_titles, metrics, width() - 2 * beside);
    if (title != chart()->title()) {
        chart()->setTitle(title);
    }
}

void TimingPlot::applyTheme() {
    const Palette& palette = Theme::instance().palette();
    setBackgroundBrush(palette.surface);
    chart()->setBackgroundBrush(palette.surface);
    chart()->setPlotAreaBackgroundVisible(false);
    chart()->setTitleBrush(palette.text);
    QFont title = font();
    title.setWeight(QFont::DemiBold);
    chart()->setTitleFont(title);
    chart()->legend()->setLabelColor(palette.text);
    chart()->legend()->setFont(font());
    for (QCategoryAxis* axis : {m_x, m_y}) {
        axis->setLabelsColor(palette.quietText);
        axis->setTitleBrush(palette.quietText);
        axis->setGridLineColor(palette.line);
        axis->setLinePenColor(palette.line);
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
    }
    m_x->setGridLineVisible(false);
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        const QColor color = seriesColor(m_series[i].color, palette);
        if (m_drawn[i].line != nullptr) {
            const bool isDashed = m_series[i].style == PlotSeries::Style::dashed;
            m_drawn[i].line->setPen(QPen(color, 2, isDashed ? Qt::DashLine : Qt::SolidLine));
        }
        if (m_drawn[i].points != nullptr) {
            const bool isFailure = m_series[i].style == PlotSeries::Style::failures;
            const bool isRing = m_series[i].style == PlotSeries::Style::rings;
            m_drawn[i].points->setColor(isFailure ? palette.wrong : isRing ? QColor(Qt::transparent) : color);
            m_drawn[i].points->setPen(isRing ? QPen(color, ringWidth) : QPen(palette.surface));
        }
    }
    viewport()->update();
}

void TimingPlot::setSeries(std::vector<PlotSeries> series) {
    const bool sameShape =
        series.size() == m_series.size() &&
        std::equal(series.begin(), series.end(), m_series.begin(), [](const PlotSeries& a, const PlotSeries& b) {
            return a.name == b.name && a.style == b.style && a.color == b.color;
        });
    m_series = std::move(series);
    if (!sameShape) {
        rebuild();
    }
    m_x->setVisible(!isEmpty());
    m_y->setVisible(!isEmpty());
    if (!m_zoomed) {
        fit();
    }
    redraw();
}

void TimingPlot::setXLabels(const QStringList& labels, Labels where) {
    m_xLabels = labels;
    m_labelPlace = where;
}

void TimingPlot::setValues(const QString& title, const QString& unit, std::function<QString(double)> format) {
    m_y->setTitleText(title);
    m_unit = unit;
    m_isTime = false;
    m_format = std::move(format);
    applyTicks();
}

void TimingPlot::setEmptyText(const QString& text) {
    m_emptyText = text;
}

bool TimingPlot::isEmpty() const {
    return std::all_of(m_series.begin(), m_series.end(),
                       [](const PlotSeries& series) { return series.points.empty(); });
}

double TimingPlot::toAxis(double us) const {
    return m_logarithmic ? std::log10(std::max(us, 1e-3)) : us;
}

QPointF TimingPlot::placeOf(const ChartPoint& point) const {
    return chart()->mapToPosition({point.x, toAxis(point.y)});
}

void TimingPlot::rebuild() {
    chart()->removeAllSeries();
    m_drawn.clear();
    for (const PlotSeries& series : m_series) {
        Drawn drawn;
        QXYSeries* made = nullptr;
        const bool isFailure = series.style == PlotSeries::Style::failures;
        const bool isRing = series.style == PlotSeries::Style::rings;
        if (series.style != PlotSeries::Style::points && !isRing && !isFailure) {
            made = drawn.line = new QLineSeries;
        } else {
            made = drawn.points = new QScatterSeries;
            drawn.points->setMarkerSize(isRing ? ringSize : markerSize);
            drawn.points->setMarkerShape(isFailure ? QScatterSeries::MarkerShapeRectangle
                                                   : QScatterSeries::MarkerShapeCircle);
        }
        made->setName(series.name);
        chart()->addSeries(made);
        made->attachAxis(m_x);
        made->attachAxis(m_y);
        m_drawn.push_back(drawn);
    }
    chart()->legend()->setVisible(!m_series.empty());
    applyTheme();
}

void TimingPlot::fit() {
    constexpr double none = std::numeric_limits<double>::infinity();
    double xLow = none;
    double xHigh = -none;
    double yLow = none;
    double yHigh = 0;
    for (const PlotSeries& series : m_series) {
        for (const ChartPoint& point : series.points) {
            xLow = std::min(xLow, point.x);
            xHigh = std::max(xHigh, point.x);
            if (series.style == PlotSeries::Style::failures) {
                continue;
            }
            yLow = std::min(yLow, point.y);
            yHigh = std::max(yHigh, point.y);
        }
    }
    if (xLow == none) {
        xLow = 0;
        xHigh = 1;
    }
    const double xMargin = std::max(0.5, (xHigh - xLow) * 0.02);
    m_x->setRange(std::max(0.0, xLow - xMargin), xHigh + xMargin);
    m_logarithmic =
        m_isTime && yLow != none && yLow > 0 && m_logarithmicChoice.value_or(yHigh / yLow > logarithmicFrom);
    if (m_logarithmic) {
        const double margin = (toAxis(yHigh) - toAxis(yLow)) * 0.05;
        m_y->setRange(toAxis(yLow) - margin, toAxis(yHigh) + margin);
    } else {
        const double middle = (yLow + yHigh) / 2;
        const double reach = std::max(yHigh - yLow, yHigh * smallestSpread) / 2;
        const double low = m_spread && yLow != none ? std::max(0.0, middle - reach) : 0;
        const double high = m_spread && yLow != none ? middle + reach : niceTicks(0, yHigh > 0 ? yHigh : 1, 5).high;
        m_y->setRange(low, high + (high - low) * headroom);
    }
    applyTicks();
}

void TimingPlot::setXTitle(const QString& title) {
    if (m_x->titleText() != title) {
        m_x->setTitleText(title);
    }
}

void TimingPlot::setYTitle(const QString& title) {
    if (m_y->titleText() != title) {
        m_y->setTitleText(title);
    }
}

void TimingPlot::applyTicks() {
    const int wantedX = std::max(3, width() / 90);
    if (m_labelPlace == Labels::onTheAxis && !m_xLabels.isEmpty()) {
        setTicks(*m_x, nameTicks());
    } else {
        setUpright(0);
        setTicks(*m_x, linearTicks(m_x->min(), m_x->max(), wantedX, 1, [](double at) { return QString::number(at); }));
    }
    const int wantedY = std::max(3, height() / 50);
    if (m_logarithmic) {
        setTicks(*m_y, logarithmicTicks(m_y->min(), m_y->max(), wantedY));
    } else {
        setTicks(*m_y, linearTicks(m_y->min(), m_y->max(), wantedY, 0, m_format));
    }
}

// Names that do not fit beside one another stand upright; where even those are too close, every second or third one.
std::vector<Tick> TimingPlot::nameTicks() {
    const QFontMetrics metrics(font());
    int widest = 0;
    for (const QString& label : std::as_const(m_xLabels)) {
        widest = std::max(widest, metrics.horizontalAdvance(label));
    }
    const double shown = std::max(1.0, m_x->max() - m_x->min());
    const double pitch = std::max(1.0, (width() - axisPixels) / shown);
    const bool areLevel = pitch >= widest + labelGap;
    if (!areLevel && height() < widest + leastHeightBesideNames) { // hovering reads them
        setUpright(0);
        m_x->setTitleVisible(false); // of an axis without names it would stand anywhere
        return {};
    }
    setUpright(areLevel ? 0 : widest);
    m_x->setTitleVisible(areLevel);
    const int stride = areLevel ? 1 : std::max(1, static_cast<int>(std::ceil(metrics.height() / pitch)));
    std::vector<Tick> ticks;
    for (int i = 0; i < m_xLabels.size(); i += stride) {
        ticks.push_back({m_xLabels[i], static_cast<double>(i + 1)});
    }
    return ticks;
}

// Qt cuts what stands upright at a share of the chart: the names are drawn here, in a margin that has room for them.
void TimingPlot::setUpright(int pixels) {
    if (pixels == m_uprightPixels) {
        return;
    }
    m_uprightPixels = pixels;
    m_x->setLabelsVisible(pixels == 0);
    m_x->setTitleVisible(pixels == 0);
    chart()->setMargins({4, 2, 8, pixels == 0 ? 2 : pixels + QFontMetrics(font()).height() + labelGap});
}

void TimingPlot::redraw() {
    const int columns = std::max(50, static_cast<int>(chart()->plotArea().width()));
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const bool isLine = m_drawn[i].line != nullptr;
        QList<QPointF> points;
        for (const ChartPoint& point : decimated(m_series[i].points, m_x->min(), m_x->max(),
                                                 isLine ? columns : std::min(columns, pointLimit / 4))) {
            const bool isFailure = m_series[i].style == PlotSeries::Style::failures;
            points.append({point.x, isFailure ? m_y->min() + footShare * (m_y->max() - m_y->min()) : toAxis(point.y)});
        }
        QXYSeries* series = isLine ? static_cast<QXYSeries*>(m_drawn[i].line) : m_drawn[i].points;
        series->replace(points);
    }
    viewport()->update();
}

void TimingPlot::setLogarithmic(bool logarithmic) {
    m_logarithmicChoice = logarithmic;
    resetZoom();
}

void TimingPlot::resetZoom() {
    m_zoomed = false;
    fit();
    redraw();
}

void TimingPlot::wheelEvent(QWheelEvent* event) {
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    const QPointF at = chart()->mapToValue(event->position());
    m_x->setRange(std::max(0.0, at.x() + (m_x->min() - at.x()) * factor), at.x() + (m_x->max() - at.x()) * factor);
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        const double low = at.y() + (m_y->min() - at.y()) * factor;
        m_y->setRange(m_logarithmic ? low : std::max(0.0, low), at.y() + (m_y->max() - at.y()) * factor);
    }
    m_zoomed = true;
    applyTicks();
    redraw();
    event->accept();
}

void TimingPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_dragFrom = m_pressedAt = event->position();
    }
    QChartView::mousePressEvent(event);
}

void TimingPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragFrom && (event->position() - m_pressedAt).manhattanLength() > clickPixels) {
        const QPointF shift = chart()->mapToValue(*m_dragFrom) - chart()->mapToValue(event->position());
        m_dragFrom = event->position();
        m_x->setRange(m_x->min() + shift.x(), m_x->max() + shift.x());
        const double low = m_logarithmic ? m_y->min() + shift.y() : std::max(0.0, m_y->min() + shift.y());
        m_y->setRange(low, low + (m_y->max() - m_y->min()));
        m_zoomed = true;
        applyTicks();
        redraw();
    }
    m_hover = event->position();
    viewport()->update();
}

void TimingPlot::mouseReleaseEvent(QMouseEvent* event) {
    const bool isClick = m_dragFrom && (event->position() - m_pressedAt).manhattanLength() <= clickPixels;
    m_dragFrom.reset();
    if (const auto kernel = isClick ? kernelAt(event->position()) : std::nullopt) {
        Q_EMIT kernelClicked(*kernel, (event->modifiers() & Qt::ControlModifier) != 0);
    }
    QChartView::mouseReleaseEvent(event);
}

void TimingPlot::mouseDoubleClickEvent(QMouseEvent*) {
    resetZoom();
}

void TimingPlot::leaveEvent(QEvent*) {
    m_hover.reset();
    viewport()->update();
}

void TimingPlot::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    applyTitle();
    applyTicks();
    redraw();
}

} // namespace gks
