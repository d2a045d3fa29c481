// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/calibration_panel.h"

#include "widgets/charts/calibration_model.h"
#include "widgets/charts/calibration_plot.h"
#include "widgets/charts/writers_model.h"
#include "widgets/common/column_fit.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

CalibrationPanel::CalibrationPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_summary(new MessageLabel(this))
    , m_corrected(named(new QCheckBox(tr("&Corrected ranges"), this), "calibrationCorrected", tr("Corrected ranges")))
    , m_plot(named(new CalibrationPlot(this), "calibrationPlot", tr("Chart: predicted and measured gain")))
    , m_model(new CalibrationModel(this))
    , m_table(named(new QTableView(this), "calibrationTable", tr("Predictions by stage and model")))
    , m_writers(new WritersModel(this))
    , m_writersTable(named(new QTableView(this), "writersTable", tr("What each writer has brought"))) {
    setObjectName(QStringLiteral("calibrationPanel"));
    m_empty->setText(tr("No measured predictions yet"),
                     tr("Each experiment predicts a range for its gain. This page compares predictions with measured "
                        "gains; the models see the result too."));
    m_summary->setObjectName(QStringLiteral("calibrationSummary"));
    m_corrected->setToolTip(tr("Show ranges shifted and widened by how earlier predictions turned out"));
    m_table->setModel(m_model);
    m_writersTable->setModel(m_writers);
    for (QTableView* table : {m_table, m_writersTable}) {
        showAsRows(table);
    }
    new ColumnFit(m_table, {CalibrationModel::modelColumn});
    new ColumnFit(m_writersTable, {WritersModel::modelColumn});
    auto* head = new QHBoxLayout;
    head->setContentsMargins(spacing3, spacing2, spacing3, spacing1);
    head->addWidget(m_summary, 1);
    head->addWidget(m_corrected);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(QStringLiteral("calibrationParts"));
    parts->addWidget(m_plot);
    parts->addWidget(m_table);
    parts->addWidget(m_writersTable);
    parts->setStretchFactor(0, 1);
    parts->setSizes({480, 150, 110});
    parts->setChildrenCollapsible(false);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(parts, 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(m_corrected, &QCheckBox::toggled, this, &Panel::scheduleRefresh);
    connect(m_plot, &CalibrationPlot::kernelClicked, this, [this](KernelId kernel) { selection().select(kernel); });
}

void CalibrationPanel::refresh() {
    const Population& population = *bridge().population();
    const std::vector<CalibrationRow> rows = calibration(population);
    std::vector<CalibrationMark> marks;
    for (CalibrationPoint& point : calibrationPoints(population)) {
        Interval shown = point.predicted;
        if (const Experiment* experiment = population.experiment(point.experiment);
            experiment != nullptr && m_corrected->isChecked()) {
            shown = corrected(*experiment, rows);
        }
        marks.push_back({std::move(point), shown});
    }
    m_writers->setPopulation(population);
    m_writersTable->setVisible(m_writers->rowCount() > 0);
    m_stack->setCurrentIndex(marks.empty() && m_writers->rowCount() == 0 ? 0 : 1);
    const auto inside =
        std::count_if(marks.begin(), marks.end(), [](const CalibrationMark& mark) { return mark.inside(); });
    m_summary->setText((m_corrected->isChecked() ? tr("%1 of %2 results inside the corrected range")
                                                 : tr("%1 of %2 results inside the predicted range"))
                           .arg(inside)
                           .arg(marks.size()));
    m_plot->setMarks(std::move(marks));
    m_plot->setSelected(selection().primary());
    m_model->setCalibration(rows);
}

} // namespace gks
