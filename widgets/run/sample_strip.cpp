// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/sample_strip.h"

#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QFontInfo>
#include <QPainter>
#include <algorithm>

namespace gks {

namespace {

constexpr std::size_t sampleLimit = 600; // older ones leave the picture; all of them are in the evaluation
constexpr int frameMs = 100;

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Outliers must not flatten the picture: the range ends at the 98th percentile and they stand at the upper edge.
double upperEdge(std::vector<double> values) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 98 / 100);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

} // namespace

SampleStrip::SampleStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sampleStrip"));
    setAccessibleName(tr("Live samples"));
    setMinimumSize(160, 56);
    m_frame.setSingleShot(true);
    m_frame.setInterval(frameMs);
    connect(&m_frame, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SampleStrip::add(const SamplesArrived& samples) {
    if (samples.kernel != m_kernel || samples.shape != m_shape) {
        m_kernel = samples.kernel;
        m_shape = samples.shape;
        m_candidate.clear();
        m_baseline.clear();
    }
    std::vector<double>& series = samples.ofBaseline ? m_baseline : m_candidate;
    series.insert(series.end(), samples.us.begin(), samples.us.end());
    if (series.size() > sampleLimit) {
        series.erase(series.begin(), series.end() - static_cast<std::ptrdiff_t>(sampleLimit));
    }
    if (!m_frame.isActive()) {
        m_frame.start();
    }
}

void SampleStrip::paintSeries(QPainter& painter, const std::vector<double>& values, const QColor& color,
                              const QRectF& area, double low, double high) const {
    if (values.empty()) {
        return;
    }
    const auto y = [&](double value) {
        return area.bottom() - (std::clamp(value, low, high) - low) / (high - low) * area.height();
    };
    QPolygonF points;
    const double step = area.width() / static_cast<double>(std::max<std::size_t>(values.size(), 60));
    for (std::size_t i = 0; i < values.size(); ++i) {
        points.append({area.left() + (static_cast<double>(i) + 0.5) * step, y(values[i])});
    }
    painter.setPen(QPen(color, 2.2, Qt::SolidLine, Qt::RoundCap));
    painter.drawPoints(points);
    QColor line = color;
    line.setAlphaF(0.7F);
    painter.setPen(QPen(line, 1));
    const double middle = y(median(values));
    painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle));
}

void SampleStrip::paintEvent(QPaintEvent*) {
    const Palette& colors = Theme::instance().palette();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), colors.surface);
    if (m_candidate.empty() && m_baseline.empty()) {
        painter.setPen(colors.quietText);
        painter.drawText(rect().adjusted(spacing2, 0, -spacing2, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Samples appear here while a kernel is measured"));
        return;
    }
    std::vector<double> all = m_candidate;
    all.insert(all.end(), m_baseline.begin(), m_baseline.end());
    const double low = *std::min_element(all.begin(), all.end());
    const double high = std::max(upperEdge(all), low * 1.002);
    QFont font = painter.font();
    font.setPixelSize(std::max(10, QFontInfo(font).pixelSize() - 1));
    painter.setFont(font);
    const int line = QFontMetrics(font).height();
    const QRectF area = QRectF(rect()).adjusted(spacing2, line + spacing1 + 4, -72, -spacing2);
    paintSeries(painter, m_baseline, colors.quietText, area, low, high);
    paintSeries(painter, m_candidate, colors.accent, area, low, high);
    painter.setPen(colors.quietText);
    const QRectF header(spacing2, spacing1, width() - 2 * spacing2, line);
    painter.drawText(header, Qt::AlignLeft, idText(m_kernel) % QStringLiteral("  ") % shapeText(m_shape, m_dims));
    if (!m_candidate.empty()) {
        painter.setPen(colors.text);
        painter.drawText(header, Qt::AlignRight,
                         tr("%1 samples, median %2")
                             .arg(countText(static_cast<std::int64_t>(m_candidate.size())),
                                  toText(formatMicroseconds(median(m_candidate)))));
    }
    painter.setPen(colors.quietText);
    const QRectF scale(area.right() + spacing1, area.top(), 72 - spacing2 - spacing1, area.height());
    painter.drawText(scale, Qt::AlignRight | Qt::AlignTop, toText(formatMicroseconds(high)));
    painter.drawText(scale, Qt::AlignRight | Qt::AlignBottom, toText(formatMicroseconds(low)));
}

} // namespace gks
