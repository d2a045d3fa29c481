// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "widgets/charts/timing_plot.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"

#include <QTimer>
#include <map>

class QLabel;
class QStackedWidget;
class QWidget;

namespace gks {

class EmptyState;

// Timings that move while the loop runs: best so far over the evaluations, times by shape of the kernels one looks at,
// and the samples of the evaluation that is running.
class ChartsPanel final : public Panel {
    Q_OBJECT

public:
    explicit ChartsPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_awaited && !m_work.isBusy(); }

private:
    void takeSamples(const SamplesArrived& samples);
    void drawSamples();
    void showProgress();
    void askSamplesOfShape();

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    TimingPlot* m_progress;
    TimingPlot* m_shapes;
    TimingPlot* m_samples;
    QWidget* m_samplesPart; // with its button
    QTimer m_sampleTimer;   // 10 Hz at most
    KernelId m_sampled = 0;
    std::map<std::pair<std::string, bool>, std::vector<ChartPoint>> m_samplesOf; // by shape and whether of the baseline
    std::vector<std::pair<std::string, bool>> m_sampleOrder; // as they first came: the legend's order
    double m_sampleCount = 0;
    std::vector<PlotSeries> m_recorded; // of the chosen shape, instead of the running evaluation's
    QString m_recordedTitle;
    bool m_awaited = false;
    struct Progress {
        std::vector<PlotSeries> series;
        QStringList labels;
    };
    PopulationPtr m_progressOf; // that was drawn, or is being drawn
    LatestWork<Progress> m_work;
};

} // namespace gks
