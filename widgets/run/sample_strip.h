// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QTimer>
#include <QWidget>
#include <vector>

namespace gks {

// The samples of the shape that is being measured, as they come: candidate and baseline, oldest left, medians as lines.
// Ten frames a second.
class SampleStrip final : public QWidget {
    Q_OBJECT

public:
    explicit SampleStrip(QWidget* parent = nullptr);
    void add(const SamplesArrived& samples);
    void setDims(std::vector<std::string> dims) { m_dims = std::move(dims); } // the order in which a shape is written
    std::size_t sampleCount() const { return m_candidate.size() + m_baseline.size(); }
    QSize sizeHint() const override { return {280, 96}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintSeries(QPainter& painter, const std::vector<double>& values, const QColor& color, const QRectF& area,
                     double low, double high) const;

    KernelId m_kernel = 0;
    std::map<std::string, std::int64_t> m_shape;
    std::vector<std::string> m_dims;
    std::vector<double> m_candidate;
    std::vector<double> m_baseline;
    QTimer m_frame;
};

} // namespace gks
