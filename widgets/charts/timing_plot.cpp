// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timing_plot.h"

#include "core/base/quantity.h"
#include "widgets/common/theme.h"

#include <QChart>
#include <QContextMenuEvent>
#include <QGraphicsLayout>
#include <QFileDialog>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSaveFile>
#include <QScatterSeries>
#include <QSvgGenerator>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

namespace gks {
namespace {

constexpr int pointLimit = 1000; // a scatter series costs one graphics item for each point
constexpr double markerSize = 7;
constexpr double hoverDistance = 24; // pixels

QList<QPointF> toPoints(const std::vector<ChartPoint>& points) {
    QList<QPointF> out;
    out.reserve(static_cast<qsizetype>(points.size()));
    for (const ChartPoint& point : points) {
        out.append({point.x, point.y});
    }
    return out;
}

} // namespace

TimingPlot::TimingPlot(const QString& title, const QString& xTitle, const QString& yTitle, QWidget* parent)
    : QChartView(parent)
    , m_x(new QValueAxis)
    , m_y(new QValueAxis) {
    chart()->setTitle(title);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setMargins({4, 2, 8, 2});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    chart()->legend()->setAlignment(Qt::AlignTop);
    chart()->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
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
    applyTheme();
    fit();
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
    for (QValueAxis* axis : {m_x, m_y}) {
        axis->setLabelsColor(palette.quietText);
        axis->setTitleBrush(palette.quietText);
        axis->setGridLineColor(palette.line);
        axis->setLinePenColor(palette.line);
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
    }
    m_x->setGridLineVisible(false);
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        const QColor color = palette.series[static_cast<std::size_t>(m_series[i].color) % palette.series.size()];
        if (m_drawn[i].line != nullptr) {
            m_drawn[i].line->setPen(QPen(color, 2));
        }
        if (m_drawn[i].points != nullptr) {
            m_drawn[i].points->setColor(color);
            m_drawn[i].points->setBorderColor(palette.surface);
        }
    }
    viewport()->update();
}

void TimingPlot::setSeries(std::vector<PlotSeries> series) {
    const bool sameShape = series.size() == m_series.size() &&
                           std::equal(series.begin(), series.end(), m_series.begin(), [](const PlotSeries& a, const PlotSeries& b) {
                               return a.name == b.name && a.style == b.style && a.color == b.color;
                           });
    m_series = std::move(series);
    if (!sameShape) {
        rebuild();
    }
    if (!m_zoomed) {
        fit();
    }
    redraw();
}

void TimingPlot::setXLabels(const QStringList& labels) { m_xLabels = labels; }

void TimingPlot::rebuild() {
    chart()->removeAllSeries();
    m_drawn.clear();
    for (const PlotSeries& series : m_series) {
        Drawn drawn;
        QXYSeries* made = nullptr;
        if (series.style == PlotSeries::Style::line) {
            made = drawn.line = new QLineSeries;
        } else {
            made = drawn.points = new QScatterSeries;
            drawn.points->setMarkerSize(markerSize);
        }
        made->setName(series.name);
        chart()->addSeries(made);
        made->attachAxis(m_x);
        made->attachAxis(m_y);
        m_drawn.push_back(drawn);
    }
    chart()->legend()->setVisible(m_series.size() > 1);
    applyTheme();
}

void TimingPlot::fit() {
    double xLow = std::numeric_limits<double>::infinity();
    double xHigh = -xLow;
    double yHigh = 0;
    for (const PlotSeries& series : m_series) {
        for (const ChartPoint& point : series.points) {
            xLow = std::min(xLow, point.x);
            xHigh = std::max(xHigh, point.x);
            yHigh = std::max(yHigh, point.y);
        }
    }
    if (!std::isfinite(xLow)) {
        xLow = 0;
        xHigh = 1;
    }
    const double xMargin = std::max(0.5, (xHigh - xLow) * 0.02);
    setRange(*m_x, std::max(0.0, xLow - xMargin), xHigh + xMargin);
    // Times start at zero: a cut axis makes two percent look like half.
    setRange(*m_y, 0, niceTicks(0, yHigh > 0 ? yHigh : 1, 5).high);
    applyTicks();
}

// Dynamic ticks are laid out anew at every change: a wide range with the old, narrow interval would make millions of them.
void TimingPlot::setRange(QValueAxis& axis, double low, double high) {
    axis.setTickType(QValueAxis::TicksFixed);
    axis.setRange(low, high);
}

void TimingPlot::applyTicks() {
    const auto apply = [](QValueAxis& axis, int wanted, double smallestStep) {
        const AxisTicks ticks = niceTicks(axis.min(), axis.max(), wanted);
        const double step = std::max(ticks.step, smallestStep);
        axis.setTickAnchor(0);
        axis.setTickInterval(step);
        axis.setTickType(QValueAxis::TicksDynamic);
        const int digits = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step)));
        axis.setLabelFormat(QStringLiteral("%.%1f").arg(digits));
    };
    apply(*m_x, std::max(3, width() / 90), 1);
    apply(*m_y, std::max(3, height() / 50), 0);
}

void TimingPlot::redraw() {
    const int columns = std::max(50, static_cast<int>(chart()->plotArea().width()));
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (m_drawn[i].line != nullptr) {
            m_drawn[i].line->replace(toPoints(decimated(m_series[i].points, m_x->min(), m_x->max(), columns)));
        } else {
            m_drawn[i].points->replace(toPoints(decimated(m_series[i].points, m_x->min(), m_x->max(), std::min(columns, pointLimit / 4))));
        }
    }
    viewport()->update();
}

void TimingPlot::resetZoom() {
    m_zoomed = false;
    fit();
    redraw();
}

void TimingPlot::wheelEvent(QWheelEvent* event) {
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    const QPointF at = chart()->mapToValue(event->position());
    setRange(*m_x, std::max(0.0, at.x() + (m_x->min() - at.x()) * factor), at.x() + (m_x->max() - at.x()) * factor);
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        setRange(*m_y, std::max(0.0, at.y() + (m_y->min() - at.y()) * factor), at.y() + (m_y->max() - at.y()) * factor);
    }
    m_zoomed = true;
    applyTicks();
    redraw();
    event->accept();
}

void TimingPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_dragFrom = event->position();
    }
    QChartView::mousePressEvent(event);
}

void TimingPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragFrom) {
        const QPointF shift = chart()->mapToValue(*m_dragFrom) - chart()->mapToValue(event->position());
        m_dragFrom = event->position();
        setRange(*m_x, m_x->min() + shift.x(), m_x->max() + shift.x());
        setRange(*m_y, std::max(0.0, m_y->min() + shift.y()), std::max(0.0, m_y->min() + shift.y()) + (m_y->max() - m_y->min()));
        m_zoomed = true;
        applyTicks();
        redraw();
    }
    m_hover = event->position();
    viewport()->update();
}

void TimingPlot::mouseReleaseEvent(QMouseEvent* event) {
    m_dragFrom.reset();
    QChartView::mouseReleaseEvent(event);
}

void TimingPlot::mouseDoubleClickEvent(QMouseEvent*) { resetZoom(); }

void TimingPlot::leaveEvent(QEvent*) {
    m_hover.reset();
    viewport()->update();
}

void TimingPlot::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    applyTicks();
    redraw();
}

QString TimingPlot::readingAt(const QPointF& position) const {
    double nearest = hoverDistance * hoverDistance;
    QString reading;
    for (const PlotSeries& series : m_series) {
        const double x = chart()->mapToValue(position).x();
        const double reach = std::abs(chart()->mapToValue(position + QPointF(hoverDistance, 0)).x() - x);
        auto point = std::lower_bound(series.points.begin(), series.points.end(), ChartPoint{x - reach, 0},
                                      [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
        for (; point != series.points.end() && point->x <= x + reach; ++point) {
            const QPointF offset = chart()->mapToPosition({point->x, point->y}) - position;
            const double distance = QPointF::dotProduct(offset, offset);
            if (distance < nearest) {
                nearest = distance;
                const auto label = static_cast<qsizetype>(std::lround(point->x)) - 1;
                const QString where = label >= 0 && label < m_xLabels.size() ? m_xLabels[label] : QString::number(point->x);
                reading = series.name + QStringLiteral("   ") + where + QStringLiteral("   ") + QString::fromStdString(formatMicroseconds(point->y));
            }
        }
    }
    return reading;
}

void TimingPlot::drawForeground(QPainter* painter, const QRectF& rect) {
    QChartView::drawForeground(painter, rect);
    const QString reading = m_hover ? readingAt(*m_hover) : QString();
    if (reading.isEmpty()) {
        return;
    }
    const Palette& palette = Theme::instance().palette();
    painter->save();
    painter->resetTransform();
    painter->setFont(font());
    const QFontMetrics metrics(font());
    QRectF box = QRectF(metrics.boundingRect(reading)).adjusted(-spacing2, -spacing1, spacing2, spacing1);
    box.moveTopLeft(*m_hover + QPointF(12, 12));
    box.moveRight(std::min(box.right(), viewport()->width() - 2.0));
    box.moveBottom(std::min(box.bottom(), viewport()->height() - 2.0));
    painter->setPen(palette.line);
    painter->setBrush(palette.raised);
    painter->drawRoundedRect(box, radius, radius);
    painter->setPen(palette.text);
    painter->drawText(box, Qt::AlignCenter, reading);
    painter->restore();
}

bool TimingPlot::exportImage(const QString& file) {
    if (file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setFileName(file);
        generator.setSize(size());
        generator.setViewBox(rect());
        generator.setTitle(chart()->title());
        QPainter painter;
        if (!painter.begin(&generator)) {
            return false;
        }
        render(&painter);
        return painter.end();
    }
    return grab().save(file, "PNG");
}

QString TimingPlot::csv() const {
    QString text = QStringLiteral("series,%1,%2\n").arg(m_x->titleText(), m_y->titleText());
    for (const PlotSeries& series : m_series) {
        QString name = series.name;
        name.replace(QLatin1Char('"'), QLatin1String("\"\""));
        for (const ChartPoint& point : series.points) {
            text += QStringLiteral("\"%1\",%2,%3\n").arg(name, QString::number(point.x, 'g', 12), QString::number(point.y, 'g', 12));
        }
    }
    return text;
}

void TimingPlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    QAction* image = menu.addAction(tr("Export &image..."));
    QAction* table = menu.addAction(tr("Export &CSV..."));
    menu.addSeparator();
    QAction* reset = menu.addAction(tr("&Reset zoom"));
    reset->setEnabled(m_zoomed);
    QAction* chosen = menu.exec(event->globalPos());
    if (chosen == reset) {
        resetZoom();
    } else if (chosen == image) {
        const QString file = QFileDialog::getSaveFileName(this, tr("Export image"), {}, tr("PNG (*.png);;SVG (*.svg)"));
        if (!file.isEmpty()) {
            exportImage(file);
        }
    } else if (chosen == table) {
        const QString name = QFileDialog::getSaveFileName(this, tr("Export CSV"), {}, tr("CSV (*.csv)"));
        QSaveFile file(name);
        if (!name.isEmpty() && file.open(QIODevice::WriteOnly)) {
            file.write(csv().toUtf8());
            file.commit();
        }
    }
}

} // namespace gks
