// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/roofline_panel.h"

#include "widgets/charts/chart_export.h"
#include "widgets/charts/roofline_model.h"
#include "widgets/charts/roofline_plot.h"
#include "widgets/common/column_fit.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

RooflinePanel::RooflinePanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_peaks(new MessageLabel(this))
    , m_plot(named(new RooflinePlot(this), "rooflinePlot", tr("Chart: kernels under the roofs of the device")))
    , m_model(new RooflineModel(this))
    , m_table(named(new QTableView(this), "rooflineTable", tr("What limits the kernel, by shape"))) {
    setObjectName(QStringLiteral("rooflinePanel"));
    m_peaks->setObjectName(QStringLiteral("rooflinePeaks"));
    m_table->setModel(m_model);
    showAsRows(m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    new ColumnFit(m_table, {RooflineModel::boundColumn, RooflineModel::countersColumn});
    m_table->setToolTip(tr("Click a shape for its samples"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(spacing3, spacing2, spacing3, spacing1);
    head->addWidget(m_peaks, 1);
    head->addWidget(exportButton(m_plot, tr("Roofline"), [this] { return m_plot->csv(); }));
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(QStringLiteral("rooflineParts"));
    parts->addWidget(m_plot);
    parts->addWidget(m_table);
    parts->setSizes({420, 240});
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
    connect(m_table, &QTableView::clicked, this, &RooflinePanel::goToSamples);
    connect(m_table, &QTableView::activated, this, &RooflinePanel::goToSamples);
    connect(context.selection, &SelectionContext::shapeChanged, this,
            [this] { m_plot->setShape(selection().shape()); });
    connect(m_plot, &RooflinePlot::kernelClicked, this, [this](KernelId kernel, bool asSecond) {
        if (asSecond) {
            selection().setSecond(kernel);
        } else {
            selection().select(kernel);
        }
    });
}

QString RooflinePanel::questionNow() const {
    const Population& population = *bridge().population();
    QStringList parts = {QString::number(population.anchors.size()),
                         bridge().problem() ? QStringLiteral("problem") : QString()};
    const auto add = [&](std::optional<KernelId> id) {
        if (const Kernel* kernel = id ? population.kernel(*id) : nullptr) {
            parts << QStringLiteral("%1:%2").arg(kernel->id).arg(kernel->evaluations);
        }
    };
    const Kernel* primary = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    add(selection().primary());
    add(primary != nullptr && !primary->parents.empty() ? std::optional(primary->parents.front()) : std::nullopt);
    add(population.best);
    add(population.baseline);
    return parts.join(QLatin1Char(' '));
}

void RooflinePanel::refresh() {
    m_plot->setShape(selection().shape());
    const QString question = questionNow();
    if (question == m_asked) {
        return;
    }
    m_asked = question;
    if (!selection().primary() || !bridge().problem() || bridge().problem()->harness) {
        showTable({});
        return;
    }
    m_work.start(
        [pack = bridge().problem(), population = bridge().population(), queries = bridge().queries(),
         kernel = *selection().primary()](const std::stop_token& stop) {
            return rooflineTable(*pack, *population, kernel, [&](KernelId id) {
                return stop.stop_requested() ? std::nullopt : newestVerdict(queries.get(), id);
            });
        },
        [this](const RooflineTable& table) {
            showTable(table);
            Q_EMIT settled();
        });
}

void RooflinePanel::showTable(const RooflineTable& table) {
    m_stack->setCurrentIndex(table.rows.empty() ? 0 : 1);
    const bool ofHarness = bridge().problem() && bridge().problem()->harness;
    m_empty->setText(tr("Roofline"),
                     ofHarness ? tr("A command pack does not say how much work its problem is: there is no floor.")
                     : table.kernel > 0
                         ? tr("Kernel %1 was not measured: select one that was.").arg(idText(table.kernel))
                         : tr("Select a kernel that was measured: its distance from the floor and what "
                              "binds it are shown shape by shape."));
    QStringList others;
    for (const KernelId id : table.leftOut) {
        others << idText(id);
    }
    m_peaks->setText(
        peaksOf(table) +
        (others.isEmpty() ? QString() : tr(" Measured on another device: %1.").arg(others.join(QStringLiteral(", ")))));
    m_model->setTable(table);
    m_table->setColumnHidden(RooflineModel::countersColumn, std::ranges::all_of(table.rows, [](const RooflineRow& row) {
                                 return row.counters.empty();
                             }));
    m_plot->setTable(table);
}

void RooflinePanel::goToSamples(const QModelIndex& index) {
    selection().setShape(index.row());
    selection().requestPage(QStringLiteral("charts"));
}

} // namespace gks
