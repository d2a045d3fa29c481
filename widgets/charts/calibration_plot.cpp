// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/calibration_plot.h"

#include "core/base/quantity.h"
#include "core/chart/decimate.h"
#include "widgets/charts/axis_ticks.h"
#include "widgets/charts/chart_export.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace gks {

namespace {

constexpr double markRadius = 4.5;
constexpr double hoverPixels = 12;
constexpr int wantedTicks = 7;

QString percentLabel(double percent) {
    return QString::number(percent) % QStringLiteral(" %");
}

} // namespace

CalibrationPlot::CalibrationPlot(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void CalibrationPlot::setMarks(std::vector<CalibrationMark> marks) {
    m_marks = std::move(marks);
    m_hovered = -1;
    double low = 0;
    double high = 1;
    for (const CalibrationMark& mark : m_marks) {
        low = std::min({low, mark.shown.low, mark.point.measuredPercent});
        high = std::max({high, mark.shown.high, mark.point.measuredPercent});
    }
    const AxisTicks ticks = niceTicks(low, high, wantedTicks);
    m_low = ticks.low;
    m_high = ticks.high;
    update();
}

void CalibrationPlot::setSelected(std::optional<KernelId> kernel) {
    m_selected = kernel;
    update();
}

QRectF CalibrationPlot::plotArea() const {
    const QFontMetrics metrics(font());
    const double left = metrics.horizontalAdvance(QStringLiteral("-100 %")) + metrics.height() + spacing3;
    return QRectF(rect()).adjusted(left, spacing3, -2.0 * spacing4, -(2.0 * metrics.height() + spacing3));
}

QPointF CalibrationPlot::placeOf(double predicted, double measured) const {
    const QRectF area = plotArea();
    const double span = m_high - m_low;
    return {area.left() + (predicted - m_low) / span * area.width(),
            area.bottom() - (measured - m_low) / span * area.height()};
}

int CalibrationPlot::markAt(const QPointF& at) const {
    int nearest = -1;
    double best = hoverPixels * hoverPixels;
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const CalibrationMark& mark = m_marks[i];
        const QPointF left = placeOf(mark.shown.low, mark.point.measuredPercent);
        const QPointF right = placeOf(mark.shown.high, mark.point.measuredPercent);
        const QPointF offset = at - QPointF(std::clamp(at.x(), left.x(), std::max(left.x(), right.x())), left.y());
        if (const double distance = QPointF::dotProduct(offset, offset); distance < best) {
            best = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

void CalibrationPlot::paintEvent(QPaintEvent*) {
    const Palette& palette = Theme::instance().palette();
    QPainter painter(this);
    painter.fillRect(rect(), palette.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    painter.save();
    painter.setClipRect(plotArea().adjusted(-markRadius, -markRadius, markRadius, markRadius));
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const bool strong = static_cast<int>(i) == m_hovered || m_marks[i].point.kernel == m_selected;
        paintMark(painter, m_marks[i], strong);
    }
    painter.restore();
    paintReading(painter);
}

void CalibrationPlot::paintAxes(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    const QRectF area = plotArea();
    const QFontMetrics metrics(font());
    const int wanted = std::max(2, std::min(wantedTicks, static_cast<int>(area.width()) / 70));
    for (const Tick& tick : linearTicks(m_low, m_high, wanted, 0, percentLabel)) {
        const QPointF across = placeOf(tick.at, m_low);
        const QPointF upward = placeOf(m_low, tick.at);
        painter.setPen(QPen(palette.line, 1));
        painter.drawLine(QPointF(across.x(), area.top()), QPointF(across.x(), area.bottom()));
        painter.drawLine(QPointF(area.left(), upward.y()), QPointF(area.right(), upward.y()));
        painter.setPen(palette.quietText);
        painter.drawText(QRectF(across.x() - 50, area.bottom() + spacing1, 100, metrics.height()), Qt::AlignCenter,
                         tick.label);
        painter.drawText(QRectF(area.left() - 108, upward.y() - metrics.height() / 2.0, 100, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    painter.drawText(QRectF(area.left(), area.bottom() + spacing1 + metrics.height(), area.width(), metrics.height()),
                     Qt::AlignCenter, tr("predicted gain in time"));
    painter.save();
    painter.translate(metrics.height() / 2.0 + 2, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, -metrics.height() / 2.0, area.height(), metrics.height()),
                     Qt::AlignCenter, tr("measured gain in time"));
    painter.restore();
    painter.setPen(QPen(palette.quietText, 1, Qt::DashLine));
    painter.drawLine(placeOf(m_low, m_low), placeOf(m_high, m_high));
    painter.save();
    const QPointF end = placeOf(m_high, m_high);
    painter.setPen(palette.quietText);
    painter.drawText(QRectF(end.x() - 160, end.y() + 2, 130, metrics.height()), Qt::AlignRight, tr("as predicted"));
    painter.restore();
}

void CalibrationPlot::paintMark(QPainter& painter, const CalibrationMark& mark, bool strong) const {
    const Palette& palette = Theme::instance().palette();
    const QColor color = mark.inside() ? palette.faster : palette.slower;
    const double measured = mark.point.measuredPercent;
    QColor bar = palette.accent;
    bar.setAlphaF(strong ? 0.9F : 0.45F);
    painter.setPen(QPen(bar, strong ? 5 : 4, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(placeOf(mark.shown.low, measured), placeOf(mark.shown.high, measured));
    const QPointF middle = placeOf((mark.shown.low + mark.shown.high) / 2, measured);
    painter.setPen(QPen(color, strong ? 2.5 : 1.5));
    if (mark.point.measuredCi95Percent) {
        const QPointF low(middle.x(), placeOf(0, mark.point.measuredCi95Percent->low).y());
        const QPointF high(middle.x(), placeOf(0, mark.point.measuredCi95Percent->high).y());
        painter.drawLine(low, high);
        for (const QPointF& end : {low, high}) {
            painter.drawLine(end - QPointF(3, 0), end + QPointF(3, 0));
        }
    }
    // Inside: a disc; better than predicted: a triangle up; worse: a triangle down.
    QPainterPath shape;
    const double size = strong ? markRadius + 1.5 : markRadius;
    if (mark.inside()) {
        shape.addEllipse(middle, size, size);
    } else {
        const double tip = measured > mark.shown.high ? -size : size;
        shape.addPolygon(
            QPolygonF({middle + QPointF(-size, -tip), middle + QPointF(size, -tip), middle + QPointF(0, tip)}));
        shape.closeSubpath();
    }
    painter.fillPath(shape, color);
    painter.setPen(QPen(palette.surface, 1));
    painter.drawPath(shape);
}

void CalibrationPlot::paintReading(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    if (m_marks.empty()) {
        painter.setPen(palette.quietText);
        painter.drawText(plotArea(), Qt::AlignCenter, tr("every measured prediction adds a point"));
        return;
    }
    if (m_hovered < 0) {
        return;
    }
    const CalibrationMark& mark = m_marks[static_cast<std::size_t>(m_hovered)];
    QString text = idText(mark.point.kernel) % QStringLiteral("   ") %
                   tr("predicted %1, measured %2")
                       .arg(toText(formatPercentRange(mark.shown)), toText(formatPercent(mark.point.measuredPercent)));
    if (mark.point.measuredCi95Percent) {
        text += QStringLiteral(" [") % toText(formatPercentRange(*mark.point.measuredCi95Percent)) % QLatin1Char(']');
    }
    text += mark.point.tuned ? tr(", tuned against tuned") : QString();
    QRectF box = QRectF(QFontMetrics(font()).boundingRect(text)).adjusted(-spacing2, -spacing1, spacing2, spacing1);
    box.moveTopLeft(m_mouse + QPointF(12, 12));
    box.moveRight(std::min(box.right(), width() - 2.0));
    box.moveLeft(std::max(box.left(), 2.0));
    box.moveBottom(std::min(box.bottom(), height() - 2.0));
    painter.setPen(palette.line);
    painter.setBrush(palette.raised);
    painter.drawRoundedRect(box, radius, radius);
    painter.setPen(palette.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void CalibrationPlot::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    m_hovered = markAt(m_mouse);
    update();
}

void CalibrationPlot::mousePressEvent(QMouseEvent* event) {
    const int mark = markAt(event->position());
    if (event->button() == Qt::LeftButton && mark >= 0) {
        Q_EMIT kernelClicked(m_marks[static_cast<std::size_t>(mark)].point.kernel);
    }
}

void CalibrationPlot::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void CalibrationPlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    addChartExports(menu, this, tr("Predicted and measured gain"), [this] { return csv(); });
    menu.exec(event->globalPos());
}

QString CalibrationPlot::csv() const {
    QString text =
        QStringLiteral("experiment,kernel,designer,writer,predicted low (%),predicted high (%),shown low (%),"
                       "shown high (%),measured (%),ci95 low (%),ci95 high (%),tuned\n");
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    const auto quoted = [](const std::string& value) {
        return QString(QLatin1Char('"') % toText(value).replace(QLatin1Char('"'), QLatin1String("\"\"")) %
                       QLatin1Char('"'));
    };
    for (const CalibrationMark& mark : m_marks) {
        const CalibrationPoint& point = mark.point;
        const auto& ci = point.measuredCi95Percent;
        const QStringList cells = {QString::number(point.experiment),
                                   QString::number(point.kernel),
                                   quoted(point.designer),
                                   quoted(point.writer),
                                   number(point.predictedPercent.low),
                                   number(point.predictedPercent.high),
                                   number(mark.shown.low),
                                   number(mark.shown.high),
                                   number(point.measuredPercent),
                                   ci ? number(ci->low) : QString(),
                                   ci ? number(ci->high) : QString(),
                                   point.tuned ? QStringLiteral("1") : QStringLiteral("0")};
        text += cells.join(QLatin1Char(',')) % QLatin1Char('\n');
    }
    return text;
}

} // namespace gks
