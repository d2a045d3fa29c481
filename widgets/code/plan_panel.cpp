// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/plan_panel.h"

#include "core/judge/recorded_plans.h"
#include "widgets/code/plan_model.h"
#include "widgets/code/plan_words.h"
#include "widgets/common/column_fit.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/row_table.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

constexpr int setupRowsShown = 4; // without scrolling

QLabel* line(const char* name, QWidget* parent) {
    auto* label = new ElidedLabel(parent);
    label->setObjectName(QLatin1String(name));
    return label;
}

} // namespace

PlanPanel::PlanPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_name(line("planKernel", this))
    , m_solveTime(line("planSolveTime", this))
    , m_summary(line("planSummary", this))
    , m_changes(line("planChanges", this))
    , m_shape(named(new QComboBox(this), "planShape", tr("Shape of the launch plan")))
    , m_compare(named(new QCheckBox(this), "planCompare", tr("Compare with the plan of the parent")))
    , m_planModel(new PlanModel(this))
    , m_plan(createTable(m_planModel, "planTable", tr("Launch plan")))
    , m_setupPart(new QWidget(this))
    , m_setupModel(new PlanModel(this))
    , m_setup(createTable(m_setupModel, "planSetup", tr("Setup, once before the first call"))) {
    setObjectName(QStringLiteral("planPanel"));
    for (const int column : {PlanModel::gridColumn, PlanModel::blockColumn, PlanModel::ldsColumn,
                             PlanModel::streamColumn, PlanModel::argumentsColumn}) { // no launches, one stream
        m_setup->hideColumn(column);
    }
    m_compare->setText(tr("Compare &with parent"));
    m_compare->setChecked(true);
    QFont bold = m_name->font();
    bold.setWeight(QFont::DemiBold);
    m_name->setFont(bold);
    m_summary->setProperty("quiet", true);
    m_solveTime->setProperty("quiet", true);
    m_solveTime->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_solveTime->setToolTip(tr("As the process with the host code says it: no verdict rests on it"));

    auto* shapeLabel = new QLabel(tr("S&hape"), this);
    shapeLabel->setBuddy(m_shape);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(spacing3, spacing2, spacing3, spacing1);
    head->setSpacing(spacing2);
    head->addWidget(m_name, 1);
    head->addWidget(shapeLabel);
    head->addWidget(m_shape);
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(spacing3, 0, spacing3, spacing1);
    tools->setSpacing(spacing2);
    tools->addWidget(m_changes, 1);
    tools->addWidget(m_compare);
    auto* facts = new QHBoxLayout;
    facts->setContentsMargins(spacing3, 0, spacing3, spacing2);
    facts->setSpacing(spacing4);
    facts->addWidget(m_summary, 1);
    facts->addWidget(m_solveTime, 1);
    auto* setup = new QVBoxLayout(m_setupPart);
    setup->setContentsMargins(0, spacing2, 0, 0);
    setup->setSpacing(0);
    auto* setupTitle = new QLabel(tr("Setup, once before the first call"), m_setupPart);
    setupTitle->setContentsMargins(spacing3, 0, spacing3, spacing1);
    setup->addWidget(setupTitle);
    setup->addWidget(m_setup);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(tools);
    column->addLayout(facts);
    column->addWidget(m_plan, 1);
    column->addWidget(m_setupPart);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setTabOrder(m_shape, m_compare);
    setTabOrder(m_compare, m_plan);
    setTabOrder(m_plan, m_setup);
    connect(m_shape, &QComboBox::currentIndexChanged, this, &PlanPanel::showPlan);
    connect(m_compare, &QCheckBox::toggled, this, &PlanPanel::showPlan);
}

QTableView* PlanPanel::createTable(PlanModel* model, const char* name, const QString& accessible) {
    auto* table = named(new QTableView(this), name, accessible);
    table->setModel(model);
    showAsRows(table);
    table->setTextElideMode(Qt::ElideRight);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    new ColumnFit(table, {PlanModel::whatColumn, PlanModel::argumentsColumn});
    return table;
}

void PlanPanel::refresh() {
    const Population& population = *bridge().population();
    const Kernel* kernel = selection().primary() ? population.kernel(*selection().primary()) : nullptr;
    if (kernel == nullptr) {
        m_asked.reset();
        showEmpty(tr("No launch plan yet"),
                  tr("Select a kernel in the lineage to see what its solve() asks of the device."));
    } else if (m_asked != *kernel) {
        askPlans(*kernel);
    } else if (!m_answerAwaited) {
        showPlan(); // colours follow the theme
    }
}

void PlanPanel::showEmpty(const QString& what, const QString& how) {
    m_shown.reset();
    m_empty->setText(what, how);
    m_stack->setCurrentIndex(0);
}

void PlanPanel::askPlans(const Kernel& kernel) {
    m_asked = kernel;
    m_answerAwaited = true;
    std::vector<KernelId> kernels = {kernel.id};
    if (!kernel.parents.empty()) {
        kernels.push_back(kernel.parents.front());
    }
    bridge().askPlans(this, kernels, [this, kernel](const Result<std::vector<Plans>>& answer) {
        m_answerAwaited = false;
        if (m_asked) {
            takeAnswer(kernel, answer);
            Q_EMIT settled();
        }
    });
}

void PlanPanel::takeAnswer(const Kernel& kernel, const Result<std::vector<Plans>>& answer) {
    if (!answer) {
        showEmpty(tr("The launch plan cannot be read"), toText(answer.error().message()));
        return;
    }
    const Plans own = answer->empty() ? nullptr : answer->front();
    if (!own || own->kernel.timed().empty()) {
        if (bridge().population()->settings.judgedByHarness) {
            showEmpty(tr("No launch plan"), tr("A command pack has none: its own harness launches the kernel."));
            return;
        }
        showEmpty(tr("No launch plan yet"), kernel.verdict
                                                ? tr("This kernel was evaluated without one: by an earlier version, or "
                                                     "it did not get as far as a plan.")
                                                : tr("It is made when this kernel is evaluated."));
        return;
    }
    m_shown = Shown{kernel, own, answer->size() > 1 ? (*answer)[1] : nullptr};
    offerShapes();
    showPlan();
}

// The shape that was looked at stays, also with another kernel.
void PlanPanel::offerShapes() {
    const QSignalBlocker quiet(m_shape);
    const QString chosen = m_shape->currentText();
    const std::vector<std::string> dims = bridge().problem() ? bridge().problem()->dims : std::vector<std::string>();
    m_shape->clear();
    for (const ShapePlan* shape : m_shown->own->kernel.timed()) {
        m_shape->addItem(shapeText(shape->shape, dims));
    }
    m_shape->setCurrentIndex(std::max(0, m_shape->findText(chosen)));
}

void PlanPanel::showPlan() {
    const auto timed = m_shown ? m_shown->own->kernel.timed() : std::vector<const ShapePlan*>();
    const int chosen = m_shape->currentIndex();
    if (chosen < 0 || static_cast<std::size_t>(chosen) >= timed.size()) {
        return;
    }
    m_stack->setCurrentIndex(1);
    const Kernel& kernel = m_shown->kernel;
    const Plans& parents = m_shown->parents;
    const ShapePlan& shape = *timed[static_cast<std::size_t>(chosen)];
    const bool hasParent = parents && parents->kernel.timed(shape.shape) != nullptr;
    m_compare->setEnabled(hasParent);
    PlanTable table =
        planTable(m_shown->own->kernel, shape, hasParent && m_compare->isChecked() ? &parents->kernel : nullptr);
    m_name->setText(idText(kernel.id) + QStringLiteral("  ") + QString::fromStdString(kernel.title));
    m_summary->setText(planSummaryOf(planCounts(shape)));
    m_solveTime->setText(solveTimeOf(shape));
    m_changes->setText(table.isCompared ? tr("vs %1: %2").arg(idText(kernel.parents.front()), planChangesOf(table))
                       : kernel.parents.empty() ? tr("no parent")
                       : hasParent              ? QString()
                                                : tr("no plan of the parent can be shown"));
    m_setupPart->setVisible(!table.setup.empty());
    m_planModel->setPlan(std::move(table.plan));
    m_setupModel->setPlan(std::move(table.setup));
    const int rows = std::min(setupRowsShown, m_setupModel->rowCount());
    m_setup->setFixedHeight(m_setup->horizontalHeader()->sizeHint().height() +
                            rows * m_setup->verticalHeader()->defaultSectionSize() + 2);
}

} // namespace gks
