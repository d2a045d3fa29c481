// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/calibration_plot.h"

#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "widgets/charts/chart_export.h"
#include "widgets/charts/chart_reading.h"
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

// 1, 2 and 5 times the powers of ten within the range; finer ones where that is too few.
std::vector<double> gainTicks(const Interval& range) {
    const auto multiples = [&](std::initializer_list<double> factors) {
        std::vector<double> ticks;
        for (int exponent = -1; exponent <= 3; ++exponent) {
            for (const double factor : factors) {
                if (const double at = factor * std::pow(10, exponent);
                    at >= range.low * 0.999 && at <= range.high * 1.001) {
                    ticks.push_back(at);
                }
            }
        }
        return ticks;
    };
    constexpr std::size_t fewTicks = 3;
    const std::vector<double> coarse = multiples({1, 2, 5});
    return coarse.size() > fewTicks ? coarse : multiples({1, 1.1, 1.2, 1.5, 2, 3, 5, 7, 8, 9});
}

std::string measuredText(const CalibrationPoint& point) {
    return point.measuredCi95 ? formatRatio(point.measured, *point.measuredCi95) : formatRatio(point.measured);
}

} // namespace

CalibrationPlot::CalibrationPlot(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void CalibrationPlot::setMarks(std::vector<CalibrationMark> marks) {
    m_marks = std::move(marks);
    m_hovered = -1;
    m_range = {0.9, 1.2};
    for (const CalibrationMark& mark : m_marks) {
        m_range.low = std::min({m_range.low, mark.shown.low, mark.point.measured});
        m_range.high = std::max({m_range.high, mark.shown.high, mark.point.measured});
    }
    m_range.low = std::max(m_range.low, limits::predictedGain.low);
    m_range.high = std::min(m_range.high, limits::predictedGain.high);
    update();
}

void CalibrationPlot::setSelected(std::optional<KernelId> kernel) {
    m_selected = kernel;
    update();
}

QRectF CalibrationPlot::plotArea() const {
    const QFontMetrics metrics(font());
    const double left = metrics.horizontalAdvance(QStringLiteral("1000x")) + metrics.height() + spacing3;
    return QRectF(rect()).adjusted(left, spacing3, -2.0 * spacing4, -(2.0 * metrics.height() + spacing3));
}

QPointF CalibrationPlot::placeOf(double predicted, double measured) const {
    const QRectF area = plotArea();
    const auto share = [this](double gain) {
        return std::log(std::max(gain, limits::predictedGain.low) / m_range.low) / std::log(m_range.high / m_range.low);
    };
    return {area.left() + share(predicted) * area.width(), area.bottom() - share(measured) * area.height()};
}

int CalibrationPlot::markAt(const QPointF& at) const {
    int nearest = -1;
    double best = hoverPixels * hoverPixels;
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const CalibrationMark& mark = m_marks[i];
        const QPointF left = placeOf(mark.shown.low, mark.point.measured);
        const QPointF right = placeOf(mark.shown.high, mark.point.measured);
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
    double writtenUpTo = area.left() - 50; // names of ticks that would run into each other are left out
    for (const double tick : gainTicks(m_range)) {
        const QString label = toText(formatRatio(tick));
        const QPointF across = placeOf(tick, m_range.low);
        const QPointF upward = placeOf(m_range.low, tick);
        painter.setPen(QPen(palette.line, 1));
        painter.drawLine(QPointF(across.x(), area.top()), QPointF(across.x(), area.bottom()));
        painter.drawLine(QPointF(area.left(), upward.y()), QPointF(area.right(), upward.y()));
        painter.setPen(palette.quietText);
        const double half = metrics.horizontalAdvance(label) / 2.0;
        if (across.x() - half < writtenUpTo) {
            continue;
        }
        writtenUpTo = across.x() + half + spacing1;
        painter.drawText(QRectF(across.x() - 50, area.bottom() + spacing1, 100, metrics.height()), Qt::AlignCenter,
                         label);
        painter.drawText(QRectF(area.left() - 108, upward.y() - metrics.height() / 2.0, 100, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, label);
    }
    painter.drawText(QRectF(area.left(), area.bottom() + spacing1 + metrics.height(), area.width(), metrics.height()),
                     Qt::AlignCenter, tr("Predicted gain, time before / time after"));
    painter.save();
    painter.translate(metrics.height() / 2.0 + 2, area.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area.height() / 2, -metrics.height() / 2.0, area.height(), metrics.height()),
                     Qt::AlignCenter, tr("Measured gain"));
    painter.restore();
    painter.setPen(QPen(palette.quietText, 1, Qt::DashLine));
    painter.drawLine(placeOf(m_range.low, m_range.low), placeOf(m_range.high, m_range.high));
    painter.save();
    const QPointF end = placeOf(m_range.high, m_range.high);
    painter.setPen(palette.quietText);
    painter.drawText(QRectF(end.x() - 160, end.y() + 2, 130, metrics.height()), Qt::AlignRight, tr("As predicted"));
    painter.restore();
}

void CalibrationPlot::paintMark(QPainter& painter, const CalibrationMark& mark, bool strong) const {
    const Palette& palette = Theme::instance().palette();
    const QColor color = mark.inside() ? palette.text : palette.slower;
    const double measured = mark.point.measured;
    QColor bar = palette.accent;
    bar.setAlphaF(strong ? 0.9F : 0.45F);
    painter.setPen(QPen(bar, strong ? 5 : 4, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(placeOf(mark.shown.low, measured), placeOf(mark.shown.high, measured));
    const QPointF middle = placeOf(std::sqrt(mark.shown.low * mark.shown.high), measured);
    painter.setPen(QPen(color, strong ? 2.5 : 1.5));
    if (mark.point.measuredCi95) {
        const QPointF low(middle.x(), placeOf(1, mark.point.measuredCi95->low).y());
        const QPointF high(middle.x(), placeOf(1, mark.point.measuredCi95->high).y());
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
        painter.drawText(plotArea(), Qt::AlignCenter, tr("Each measured prediction adds a point"));
        return;
    }
    if (m_hovered < 0) {
        return;
    }
    const CalibrationMark& mark = m_marks[static_cast<std::size_t>(m_hovered)];
    QString text = idText(mark.point.kernel) % QStringLiteral("   ") %
                   tr("Predicted %1, measured %2").arg(gainRangeOf(mark.shown), toText(measuredText(mark.point)));
    text += mark.point.tuned ? tr(", tuned vs tuned") : QString();
    gks::paintReading(painter, font(), size(), m_mouse, text);
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
        QStringLiteral("experiment,kernel,designer,writer,predicted low,predicted high,shown low,shown high,measured,"
                       "ci95 low,ci95 high,tuned\n");
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    for (const CalibrationMark& mark : m_marks) {
        const CalibrationPoint& point = mark.point;
        const auto& ci = point.measuredCi95;
        const QStringList cells = {QString::number(point.experiment),
                                   QString::number(point.kernel),
                                   csvQuoted(toText(point.designer)),
                                   csvQuoted(toText(point.writer)),
                                   number(point.predicted.low),
                                   number(point.predicted.high),
                                   number(mark.shown.low),
                                   number(mark.shown.high),
                                   number(point.measured),
                                   ci ? number(ci->low) : QString(),
                                   ci ? number(ci->high) : QString(),
                                   point.tuned ? QStringLiteral("1") : QStringLiteral("0")};
        text += cells.join(QLatin1Char(',')) % QLatin1Char('\n');
    }
    return text;
}

} // namespace gks
