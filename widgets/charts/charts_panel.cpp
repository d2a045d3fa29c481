// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/charts_panel.h"

#include "core/campaign/ranking.h"
#include "widgets/charts/campaign_series.h"
#include "widgets/charts/chart_export.h"
#include "widgets/charts/series_roles.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/statements.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QGridLayout>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

constexpr int samplePeriodMs = 100;
constexpr std::size_t sampleLimit = 50000; // of one series; the oldest go first

// The extents alone below the axis, which says once what they are: "64×64×128".
struct ShapeNames {
    QString title;
    QStringList labels;
};

ShapeNames shapeNames(const EngineBridge& bridge) {
    ShapeNames names{QObject::tr("Shape"), {}};
    const QString times = QStringLiteral(" \u00d7 ");
    if (bridge.problem() && bridge.problem()->dims.empty()) {
        names.labels = QStringList(static_cast<qsizetype>(bridge.shapes().size()), shapeText({}));
    } else if (bridge.problem()) {
        QStringList dims;
        for (const std::string& dim : bridge.problem()->dims) {
            dims.append(toText(dim));
        }
        names.title = QObject::tr("Shape: %1").arg(dims.join(times));
        for (const Shape& shape : bridge.shapes()) {
            QStringList extents;
            for (const std::int64_t extent : shape) {
                extents.append(QString::number(extent));
            }
            names.labels.append(extents.join(QStringLiteral("\u00d7")));
        }
    }
    return names;
}

} // namespace

ChartsPanel::ChartsPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_progress(new TimingPlot(tr("Best so far"), tr("Evaluation"), tr("Geomean"), this))
    , m_shapes(new TimingPlot(tr("Timings by shape"), tr("Shape"), tr("Median"), this))
    , m_samples(new TimingPlot(tr("Samples of the running evaluation"), tr("Sample"), tr("Time per call"), this)) {
    setObjectName(QStringLiteral("chartsPanel"));
    m_empty->setText(tr("No timings yet"), tr("Press Run. Each evaluation adds a point."));
    m_progress->setEmptyText(tr("Each measured kernel adds a point"));
    m_shapes->setEmptyText(tr("Select a measured kernel"));
    m_samples->showSpread();
    m_samples->setEmptyText(tr("Samples appear while a kernel is measured"));
    const auto label = [](TimingPlot* plot, const char* name, const QString& accessible) {
        plot->setObjectName(QLatin1String(name));
        plot->setAccessibleName(accessible);
    };
    label(m_progress, "progressPlot", tr("Chart: best time so far"));
    label(m_shapes, "shapesPlot", tr("Chart: timings by shape"));
    label(m_samples, "samplesPlot", tr("Chart: samples of the running evaluation"));

    for (TimingPlot* plot : {m_progress, m_shapes}) {
        connect(plot, &TimingPlot::kernelClicked, this, [this](KernelId kernel, bool asSecond) {
            if (asSecond) {
                selection().setSecond(kernel);
            } else {
                selection().select(kernel);
            }
        });
    }
    const auto withExport = [](TimingPlot* plot, const QString& title) {
        auto* part = new QWidget;
        auto* cell = new QGridLayout(part); // the button lies on the chart
        cell->setContentsMargins(0, 0, 0, 0);
        cell->addWidget(plot, 0, 0);
        cell->addWidget(exportButton(plot, title, [plot] { return plot->csv(); }), 0, 0, Qt::AlignRight | Qt::AlignTop);
        return part;
    };
    auto* lower = new QSplitter(Qt::Horizontal, this);
    lower->setObjectName(QStringLiteral("chartsLower"));
    lower->addWidget(withExport(m_shapes, tr("Timings by shape")));
    m_samplesPart = withExport(m_samples, tr("Samples"));
    lower->addWidget(m_samplesPart);
    lower->setSizes({1000, 1000});
    auto* all = new QSplitter(Qt::Vertical, this);
    all->setObjectName(QStringLiteral("chartsAll"));
    all->addWidget(withExport(m_progress, tr("Best so far")));
    all->addWidget(lower);
    all->setSizes({900, 1100}); // below stand names
    m_stack->addWidget(m_empty);
    m_stack->addWidget(all);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    m_sampleTimer.setSingleShot(true);
    m_sampleTimer.setInterval(samplePeriodMs);
    connect(&m_sampleTimer, &QTimer::timeout, this, &ChartsPanel::drawSamples);
    connect(context.bridge, &EngineBridge::stateChanged, this, &Panel::scheduleRefresh);
    connect(context.bridge, &EngineBridge::samplesArrived, this, &ChartsPanel::takeSamples);
    connect(context.selection, &SelectionContext::shapeChanged, this, &ChartsPanel::askSamplesOfShape);
    connect(context.selection, &SelectionContext::changed, this, &ChartsPanel::askSamplesOfShape);
}

void ChartsPanel::refresh() {
    const Population& population = *bridge().population();
    const bool hasVerdict = std::any_of(population.kernels.begin(), population.kernels.end(),
                                        [](const Kernel& kernel) { return kernel.verdict.has_value(); });
    m_stack->setCurrentIndex(!hasVerdict && m_samplesOf.empty() ? 0 : 1);
    const bool isOfHarness = population.settings.judgedByHarness;
    QStringList marks;
    if (population.settings.target == TargetKind::cpu) {
        marks << tr("CPU timings");
    }
    if (isOfHarness) {
        marks << judgedByHarnessText();
    }
    const QString cpu = marks.isEmpty()
                            ? QString()
                            : QString(QStringLiteral(" (") % marks.join(QStringLiteral(", ")) % QLatin1Char(')'));
    m_progress->setTitles({tr("Best so far") + cpu});
    m_shapes->setTitles({tr("Timings by shape") + cpu});
    m_samples->setTitles(!m_recorded.empty() ? QStringList{m_recordedTitle + cpu}
                         : m_sampled != 0
                             ? QStringList{tr("Samples of %1").arg(idText(m_sampled)) + cpu}
                             : QStringList{tr("Samples of the running evaluation") + cpu, tr("Samples") + cpu});
    // Of a harness there is one whole run: no mean over shapes.
    m_progress->setYTitle(isOfHarness ? tr("Time") : capitalized(word(meanName(population.settings))));
    showProgress();

    const ShapeNames shapes = shapeNames(bridge());
    m_shapes->setXTitle(shapes.title);
    m_shapes->setXLabels(shapes.labels, TimingPlot::Labels::onTheAxis);
    m_shapes->setSeries(shapeSeries(population, selection().primary(), selection().second()));
    drawSamples();
}

// Beside the window: a campaign may have 100,000 kernels.
void ChartsPanel::showProgress() {
    if (m_progressOf == bridge().population()) {
        return;
    }
    m_progressOf = bridge().population();
    m_work.start(
        [population = m_progressOf](const std::stop_token&) {
            Progress progress;
            progress.series = progressSeries(*population, progress.labels);
            return progress;
        },
        [this](const Progress& progress) {
            m_progress->setXLabels(progress.labels);
            m_progress->setSeries(progress.series);
            Q_EMIT settled();
        });
}

void ChartsPanel::takeSamples(const SamplesArrived& samples) {
    if (samples.kernel != m_sampled) {
        m_sampled = samples.kernel;
        m_samplesOf.clear();
        m_sampleOrder.clear();
        m_sampleCount = 0;
        m_recorded.clear(); // what happens now comes first
        scheduleRefresh();
    }
    const std::vector<std::string> dims = bridge().problem() ? bridge().problem()->dims : std::vector<std::string>();
    const std::pair key(shapeText(samples.shape, dims).toStdString(), samples.ofBaseline);
    auto [series, isNew] = m_samplesOf.try_emplace(key);
    if (isNew) {
        m_sampleOrder.push_back(key);
    }
    for (const double us : samples.us) {
        series->second.push_back({++m_sampleCount, us});
    }
    if (series->second.size() > sampleLimit) {
        series->second.erase(series->second.begin(), series->second.end() - static_cast<std::ptrdiff_t>(sampleLimit));
    }
    if (isVisible() && !m_sampleTimer.isActive()) {
        m_sampleTimer.start();
    }
}

// Those of the newest evaluation that measured the shape, for what was clicked on the Roofline page.
void ChartsPanel::askSamplesOfShape() {
    const std::vector<Shape> shapes = bridge().shapes();
    const auto number = static_cast<std::size_t>(selection().shape().value_or(-1));
    m_recorded.clear();
    scheduleRefresh();
    if (number >= shapes.size() || !selection().primary() || !bridge().problem()) {
        return;
    }
    const KernelId kernel = *selection().primary();
    const auto shape = bridge().problem()->namedShape(shapes[number]);
    m_awaited = true;
    bridge().askEvaluations(this, kernel, [this, kernel, shape](const Result<std::vector<Evaluation>>& answer) {
        m_awaited = false;
        const auto pointsOf = [](const std::vector<double>& us) {
            std::vector<ChartPoint> points;
            for (const double one : us) {
                points.push_back({static_cast<double>(points.size() + 1), one});
            }
            return points;
        };
        for (const Evaluation& evaluation : answer.value_or(std::vector<Evaluation>{})) {
            for (const MeasurementFact& fact : evaluation.verdict.measurements) {
                if (fact.shape != shape || fact.sampleUs.empty()) {
                    continue;
                }
                m_recordedTitle =
                    tr("Samples of %1, %2").arg(idText(kernel), shapeText(shape, bridge().problem()->dims));
                m_recorded = {{idText(kernel), PlotSeries::Style::points, selectedColor, pointsOf(fact.sampleUs)}};
                if (!fact.baselineSampleUs.empty()) {
                    m_recorded.push_back(
                        {tr("Compared with"), PlotSeries::Style::points, otherColor, pointsOf(fact.baselineSampleUs)});
                }
            }
        }
        scheduleRefresh();
        Q_EMIT settled();
    });
}

void ChartsPanel::drawSamples() {
    // Without samples the shapes have the room: their names need it.
    m_samplesPart->setVisible(!m_recorded.empty() || !m_sampleOrder.empty() ||
                              bridge().state() == EngineState::running);
    if (!m_recorded.empty()) {
        m_samples->setSeries(m_recorded);
        return;
    }
    std::vector<PlotSeries> series;
    for (const auto& key : m_sampleOrder) {
        const QString name = QString::fromStdString(key.first) + (key.second ? tr(", kernel beside it") : QString());
        series.push_back({name, PlotSeries::Style::points, static_cast<int>(series.size()), m_samplesOf.at(key)});
    }
    m_samples->setSeries(std::move(series));
}

} // namespace gks
