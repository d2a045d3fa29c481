// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/roofline_plot.h"

#include "core/base/quantity.h"
#include "widgets/charts/chart_export.h"
#include "widgets/charts/chart_reading.h"
#include "widgets/charts/roofline_model.h"
#include "widgets/charts/series_roles.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>

namespace gks {

namespace {

constexpr double pointRadius = 3.5;
constexpr double ringRadius = 5.5;
constexpr double reachPixels = 12;
double flopsPerSecondOf(const RooflineRow& row, double us) {
    return us > 0 ? row.work.flops / us * 1e6 : 0;
}

std::vector<SeriesRole> rolesOf(const RooflinePoint& point) {
    std::vector<SeriesRole> roles;
    for (const RooflineRole role : point.roles) {
        roles.push_back(role == RooflineRole::selected   ? SeriesRole::selected
                        : role == RooflineRole::parent   ? SeriesRole::parent
                        : role == RooflineRole::best     ? SeriesRole::best
                        : role == RooflineRole::baseline ? SeriesRole::baseline
                                                         : SeriesRole::library);
    }
    return roles;
}

// "Selected and best 00012"; of a library its title.
QString whoText(const RooflinePoint& point) {
    return point.kernel ? rolesText(rolesOf(point)) + QLatin1Char(' ') + idText(*point.kernel) : toText(point.title);
}

QString rateText(double flopsPerSecond) {
    return toText(formatFlop(flopsPerSecond)) + QStringLiteral("/s");
}

} // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void RooflinePlot::setTable(RooflineTable table) {
    m_table = std::move(table);
    m_hovered.reset();
    m_x = {1e30, 0};
    m_y = {1e30, 0};
    m_libraries.clear();
    const auto take = [](Interval& range, double value) {
        if (value > 0) {
            range = {std::min(range.low, value), std::max(range.high, value)};
        }
    };
    for (const RooflineRow& row : m_table.rows) {
        take(m_x, row.work.intensity());
        take(m_y, row.work.peakFlops);
        for (const RooflinePoint& point : row.points) {
            take(m_y, flopsPerSecondOf(row, point.medianUs));
            if (const QString title = toText(point.title); !point.kernel && !m_libraries.contains(title)) {
                m_libraries << title;
            }
        }
    }
    if (m_x.high <= 0 || m_y.high <= 0) {
        m_x = {1, 10};
        m_y = {1e9, 1e10};
    }
    if (m_table.peaks.bytesPerSecond > 0) { // the ridge, where both roofs meet, belongs to the picture
        take(m_x, m_y.high / m_table.peaks.bytesPerSecond);
    }
    m_x = {m_x.low / 2, m_x.high * 2};
    m_y = {m_y.low / 2, m_y.high * 2};
    update();
}

void RooflinePlot::setShape(std::optional<int> shape) {
    m_shape = shape;
    update();
}

std::vector<RooflinePlot::Roof> RooflinePlot::roofs() const {
    std::map<double, QStringList, std::greater<>> byRate;
    for (const auto& [type, rate] : m_table.peaks.flopsPerSecond) {
        byRate[rate] << toText(m_table.arithmetic.nameOf(type));
    }
    for (const auto& [type, rate] : m_table.arithmetic.plainFlopsPerSecond) {
        byRate[rate] << toText(name(type));
    }
    std::vector<Roof> roofs;
    for (const auto& [rate, types] : byRate) {
        roofs.push_back({rate, types.size() > 4 ? tr("%1 types").arg(types.size()) : types.join(QStringLiteral(", "))});
    }
    return roofs;
}

bool RooflinePlot::isReachable(const Roof& roof) const {
    return std::any_of(m_table.rows.begin(), m_table.rows.end(), [&](const RooflineRow& row) {
        return std::abs(row.work.peakFlops - roof.flopsPerSecond) <= roof.flopsPerSecond * 1e-9;
    });
}

QRectF RooflinePlot::plotArea() const {
    const QFontMetrics metrics(font());
    const double left = metrics.horizontalAdvance(QStringLiteral("1000 TFLOP/s")) + spacing3;
    return QRectF(rect()).adjusted(left, metrics.height() + 2.0 * spacing2, -2.0 * spacing4,
                                   -(2.0 * metrics.height() + spacing3));
}

QPointF RooflinePlot::placeOf(double flopPerByte, double flopPerSecond) const {
    const QRectF area = plotArea();
    const auto share = [](const Interval& range, double value) {
        return std::log(std::max(value, range.low / 1e6) / range.low) / std::log(range.high / range.low);
    };
    return {area.left() + share(m_x, flopPerByte) * area.width(),
            area.bottom() - share(m_y, flopPerSecond) * area.height()};
}

QPointF RooflinePlot::placeOf(const Hit& hit) const {
    const RooflineRow& row = m_table.rows[hit.row];
    return placeOf(row.work.intensity(), flopsPerSecondOf(row, row.points[hit.point].medianUs));
}

std::optional<RooflinePlot::Hit> RooflinePlot::hitAt(const QPointF& at) const {
    std::optional<Hit> nearest;
    double best = reachPixels * reachPixels;
    for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
        for (std::size_t point = 0; point < m_table.rows[row].points.size(); ++point) {
            const QPointF offset = placeOf(Hit{row, point}) - at;
            if (const double distance = QPointF::dotProduct(offset, offset); distance < best) {
                best = distance;
                nearest = Hit{row, point};
            }
        }
    }
    return nearest;
}

QString RooflinePlot::readingOf(const Hit& hit) const {
    const RooflineRow& row = m_table.rows[hit.row];
    const RooflinePoint& point = row.points[hit.point];
    return QStringList{whoText(point), toText(row.label),
                       toText(point.ci95Us.high > 0 ? formatMicroseconds(point.medianUs, point.ci95Us)
                                                    : formatMicroseconds(point.medianUs)),
                       rateText(flopsPerSecondOf(row, point.medianUs)), limitOf(point)}
        .join(QStringLiteral("   "));
}

void RooflinePlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().palette().surface);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxes(painter);
    painter.save();
    painter.setClipRect(plotArea());
    paintRoofs(painter);
    paintRoofNames(painter);
    for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
        for (std::size_t point = m_table.rows[row].points.size(); point-- > 0;) { // the selected kernel on top
            paintPoint(painter, {row, point});
        }
    }
    painter.restore();
    paintLegend(painter);
    paintReading(painter);
}

void RooflinePlot::paintAxes(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    const QRectF area = plotArea();
    const QFontMetrics metrics(font());
    const auto powers = [](const Interval& range, const auto& draw) {
        const auto first = static_cast<int>(std::ceil(std::log10(range.low)));
        const auto last = static_cast<int>(std::floor(std::log10(range.high)));
        const bool isFine = last - first < 2; // 2 and 5 as well where the powers alone are too few
        for (int power = first - 1; power <= last; ++power) {
            for (const double factor : {1.0, 2.0, 5.0}) {
                const double value = factor * std::pow(10.0, power);
                if ((isFine || factor == 1.0) && value >= range.low && value <= range.high) {
                    draw(value);
                }
            }
        }
    };
    powers(m_x, [&](double value) {
        const double x = placeOf(value, m_y.low).x();
        painter.setPen(QPen(palette.line, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(palette.quietText);
        painter.drawText(QRectF(x - 50, area.bottom() + spacing1, 100, metrics.height()), Qt::AlignCenter,
                         QString::number(value));
    });
    powers(m_y, [&](double value) {
        const double y = placeOf(m_x.low, value).y();
        painter.setPen(QPen(palette.line, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(palette.quietText);
        painter.drawText(QRectF(0, y - metrics.height() / 2.0, area.left() - spacing2, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, rateText(value));
    });
    painter.drawText(QRectF(area.left(), area.bottom() + spacing1 + metrics.height(), area.width(), metrics.height()),
                     Qt::AlignCenter, tr("FLOP for each byte, by the problem's cost model"));
}

void RooflinePlot::paintRoofs(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    const double bandwidth = m_table.peaks.bytesPerSecond;
    const std::vector<Roof> all = roofs();
    const QRectF area = plotArea();
    for (const Roof& roof : all) {
        const double ridge = bandwidth > 0 ? std::max(m_x.low, roof.flopsPerSecond / bandwidth) : m_x.low;
        const QPointF begin = placeOf(ridge, roof.flopsPerSecond);
        painter.setPen(QPen(palette.text, isReachable(roof) ? 1.6 : 1.0));
        painter.drawLine(begin, QPointF(area.right(), begin.y()));
    }
    if (bandwidth <= 0) {
        return;
    }
    const double end = all.empty() ? m_x.high : all.front().flopsPerSecond / bandwidth;
    painter.setPen(QPen(palette.text, 1.6));
    painter.drawLine(placeOf(m_x.low, m_x.low * bandwidth), placeOf(end, end * bandwidth));
    const double low = std::max(m_x.low, m_y.low / bandwidth);
    const QPointF from = placeOf(low, low * bandwidth);
    const QPointF to = placeOf(end, end * bandwidth);
    painter.save();
    painter.translate(from);
    painter.rotate(std::atan2(to.y() - from.y(), to.x() - from.x()) * 180 / M_PI);
    painter.setPen(palette.quietText);
    painter.drawText(QPointF(spacing4, -spacing1),
                     tr("memory %1 GB/s").arg(toText(formatSignificant(bandwidth / 1e9))));
    painter.restore();
}

// Under the marks: those are what was measured.
void RooflinePlot::paintRoofNames(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    const QFontMetrics metrics(font());
    const QRectF area = plotArea();
    QColor behind = palette.surface;
    behind.setAlphaF(0.8F);
    struct Name {
        double y = 0;
        QString text;
        bool isReachable = false;
    };
    std::vector<Name> names;
    for (const Roof& roof : roofs()) {
        const double y = placeOf(m_x.high, roof.flopsPerSecond).y();
        const QString text = roof.types + QStringLiteral("  ") + rateText(roof.flopsPerSecond);
        if (names.empty() || y - metrics.height() >= names.back().y) {
            names.push_back({y, text, isReachable(roof)});
        } else { // roofs that lie close together share a line
            names.back().text.prepend(text + QStringLiteral(",  "));
            names.back().isReachable = names.back().isReachable || isReachable(roof);
        }
    }
    for (const Name& name : names) {
        const double width = metrics.horizontalAdvance(name.text) + 2.0 * spacing1;
        const QRectF place(area.right() - width, name.y - metrics.height() - 1, width, metrics.height());
        painter.fillRect(place, behind);
        painter.setPen(name.isReachable ? palette.text : palette.quietText);
        painter.drawText(place, Qt::AlignCenter, name.text);
    }
}

void RooflinePlot::paintPoint(QPainter& painter, const Hit& hit) const {
    const Palette& palette = Theme::instance().palette();
    const RooflineRow& row = m_table.rows[hit.row];
    const RooflinePoint& point = row.points[hit.point];
    const QColor color = colorOf(point);
    const QPointF at = placeOf(hit);
    painter.setPen(QPen(color, 1.5));
    if (point.ci95Us.low > 0) {
        painter.drawLine(placeOf(row.work.intensity(), flopsPerSecondOf(row, point.ci95Us.high)),
                         placeOf(row.work.intensity(), flopsPerSecondOf(row, point.ci95Us.low)));
    }
    if (m_shape && *m_shape == static_cast<int>(hit.row)) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette.accent, 1.5));
        painter.drawEllipse(at, ringRadius + 3, ringRadius + 3);
    }
    paintMark(painter, point, at);
}

void RooflinePlot::paintMark(QPainter& painter, const RooflinePoint& point, const QPointF& at) const {
    const QColor color = colorOf(point);
    if (point.roles.front() == RooflineRole::selected) { // seen around and behind others
        painter.setPen(QPen(color, 1.8));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, ringRadius, ringRadius);
        return;
    }
    painter.setPen(QPen(Theme::instance().palette().surface, 1));
    painter.setBrush(color);
    if (point.roles.front() == RooflineRole::anchor) { // not one's own: a square
        painter.drawRect(QRectF(at.x() - 4, at.y() - 4, 8, 8));
    } else {
        painter.drawEllipse(at, pointRadius, pointRadius);
    }
}

QColor RooflinePlot::colorOf(const RooflinePoint& point) const {
    const int index = point.kernel ? gks::colorOf(rolesOf(point))
                                   : colorOfLibrary(static_cast<std::size_t>(
                                         std::max<qsizetype>(0, m_libraries.indexOf(toText(point.title)))));
    return seriesColor(index, Theme::instance().palette());
}

void RooflinePlot::paintLegend(QPainter& painter) const {
    const Palette& palette = Theme::instance().palette();
    const QFontMetrics metrics(font());
    double x = plotArea().left();
    std::vector<QString> shown;
    for (const RooflineRow& row : m_table.rows) {
        for (const RooflinePoint& point : row.points) {
            const QString text = whoText(point);
            if (std::find(shown.begin(), shown.end(), text) != shown.end()) {
                continue;
            }
            shown.push_back(text);
            paintMark(painter, point, QPointF(x + ringRadius, spacing2 + metrics.height() / 2.0));
            painter.setPen(palette.text);
            x += 2 * ringRadius + spacing1;
            painter.drawText(QPointF(x, spacing2 + metrics.ascent()), text);
            x += metrics.horizontalAdvance(text) + spacing4;
        }
    }
}

void RooflinePlot::paintReading(QPainter& painter) const {
    if (!m_hovered) {
        return;
    }
    gks::paintReading(painter, font(), size(), m_mouse, readingOf(*m_hovered));
}

void RooflinePlot::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    m_hovered = hitAt(m_mouse);
    update();
}

void RooflinePlot::mousePressEvent(QMouseEvent* event) {
    const auto hit = hitAt(event->position());
    if (event->button() != Qt::LeftButton || !hit) {
        return;
    }
    if (const auto kernel = m_table.rows[hit->row].points[hit->point].kernel) {
        Q_EMIT kernelClicked(*kernel, (event->modifiers() & Qt::ControlModifier) != 0);
    }
}

void RooflinePlot::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

void RooflinePlot::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    addChartExports(menu, this, tr("Roofline"), [this] { return csv(); });
    menu.exec(event->globalPos());
}

} // namespace gks
