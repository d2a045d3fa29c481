// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_panel.h"

#include "widgets/common/actions.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/lineage/kernel_actions.h"
#include "widgets/lineage/kernel_filter_proxy.h"
#include "widgets/lineage/lineage_item.h"
#include "widgets/lineage/lineage_model.h"
#include "widgets/lineage/lineage_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace gks {

LineagePanel::LineagePanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_model(new LineageModel(this))
    , m_proxy(new KernelFilterProxy(this))
    , m_view(new LineageView(context.selection))
    , m_table(new QTreeView)
    , m_pages(new QStackedWidget)
    , m_empty(new EmptyState)
    , m_kernelActions(new KernelActions(context, this)) {
    setObjectName(QStringLiteral("lineagePanel"));
    m_proxy->setSourceModel(m_model);
    m_empty->setText(tr("No kernels yet"), tr("The seeds of the problem stand here as soon as a campaign is open; "
                                              "everything that is made from them grows to their right."));
    buildTable();
    m_pages->addWidget(m_view);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    addViewActions();
    buildTitle();
    m_view->item().setDownward(Settings::instance().value(settings::lineageDownward));
    const auto showMenu = [this](const QPoint& at) {
        QMenu menu(this);
        m_kernelActions->fill(menu);
        menu.exec(at);
    };
    const auto openPage = [this] { selection().requestPage(QStringLiteral("kernel")); };
    connect(m_view, &LineageView::menuRequested, this, showMenu);
    connect(m_view, &LineageView::kernelActivated, this, openPage);
    connect(m_table, &QTreeView::customContextMenuRequested, this,
            [this, showMenu](const QPoint& at) { showMenu(m_table->viewport()->mapToGlobal(at)); });
    connect(m_table, &QTreeView::activated, this, openPage);
    connect(context.selection, &SelectionContext::changed, this, &LineagePanel::followSelection);
    connect(context.bridge, &EngineBridge::activityChanged, this, [this] {
        for (const auto& [lane, activity] : bridge().lanes()) {
            if (activity.kernel && activity.activity == Activity::measuring) {
                m_view->item().setProgress(*activity.kernel, activity.fraction);
            }
        }
    });
}

void LineagePanel::buildTable() {
    m_table->setObjectName(QStringLiteral("lineageTable"));
    m_table->setAccessibleName(tr("Kernels"));
    m_table->setModel(m_proxy);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LineageModel::idColumn, Qt::AscendingOrder);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setIndentation(14);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(LineageModel::titleColumn, QHeaderView::Stretch);
    m_table->header()->moveSection(LineageModel::speedupColumn, LineageModel::titleColumn);
    for (const int column :
         {LineageModel::geomeanColumn, LineageModel::versusParentColumn, LineageModel::authorColumn}) {
        m_table->setColumnHidden(column, true);
    }
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        const Kernel* kernel = m_model->kernel(m_proxy->mapToSource(current));
        if (!m_following && kernel != nullptr) {
            selection().select(kernel->id);
        }
    });
    // A dock is narrow; on a wide one the remaining columns come back through the header's menu.
    m_table->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->header(), &QHeaderView::customContextMenuRequested, this, [this](const QPoint& at) {
        QMenu menu(this);
        for (int column = LineageModel::titleColumn; column < LineageModel::columnTotal; ++column) {
            QAction* shown = menu.addAction(m_model->headerData(column, Qt::Horizontal).toString());
            shown->setCheckable(true);
            shown->setChecked(!m_table->isColumnHidden(column));
            connect(shown, &QAction::toggled, m_table,
                    [this, column](bool on) { m_table->setColumnHidden(column, !on); });
        }
        menu.exec(m_table->header()->mapToGlobal(at));
    });
}

void LineagePanel::addViewActions() {
    const QString menu = tr("&View");
    QAction* table = actions().add(
        this, {"lineage.table", tr("Lineage as &table"), menu, QKeySequence(Qt::CTRL | Qt::Key_T), Icon::table}, [] {});
    table->setCheckable(true);
    connect(table, &QAction::toggled, this, [this](bool on) {
        Settings::instance().set(settings::lineageAsTable, on);
        showAsTable(on);
    });
    QAction* downward = actions().add(this, {"lineage.downward", tr("Lineage grows &downward"), menu}, [] {});
    downward->setCheckable(true);
    downward->setChecked(Settings::instance().value(settings::lineageDownward));
    connect(downward, &QAction::toggled, this, [this](bool on) {
        Settings::instance().set(settings::lineageDownward, on);
        m_view->setDownward(on);
    });
    actions().add(this, {"lineage.fit", tr("&Fit lineage"), menu, QKeySequence(Qt::CTRL | Qt::Key_0), Icon::fit},
                  [this] { m_view->fit(); });
    actions().add(this,
                  {"lineage.search", tr("&Search kernels"), menu, QKeySequence(Qt::CTRL | Qt::Key_K), Icon::search},
                  [this] {
                      m_search->setFocus(Qt::ShortcutFocusReason);
                      m_search->selectAll();
                  });
    actions().add(
        this,
        {"lineage.collapse", tr("&Collapse or expand descendants"), menu, QKeySequence(Qt::Key_C), Icon::collapse},
        [this] { m_view->toggleCollapsed(); }, true);
    const bool asTable = Settings::instance().value(settings::lineageAsTable);
    table->setChecked(asTable);
}

void LineagePanel::buildTitle() {
    m_title = new QWidget;
    m_search = new QLineEdit;
    m_search->setObjectName(QStringLiteral("lineageSearch"));
    m_search->setAccessibleName(tr("Search kernels by ID, title, verdict or author"));
    m_search->setPlaceholderText(tr("search"));
    m_search->setClearButtonEnabled(true);
    auto* row = new QHBoxLayout(m_title);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_search, 1);
    for (const char* id : {"lineage.fit", "lineage.table"}) {
        row->addWidget(toolButton(actions().action(id)));
    }
    connect(m_search, &QLineEdit::textChanged, this, &LineagePanel::search);
    connect(m_search, &QLineEdit::returnPressed, this, &LineagePanel::selectNextMatch);
}

void LineagePanel::showAsTable(bool table) {
    if (m_model->rowCount() > 0) {
        m_pages->setCurrentWidget(table ? static_cast<QWidget*>(m_table) : m_view);
        setFocusProxy(m_pages->currentWidget());
        followSelection();
    }
}

void LineagePanel::refresh() {
    const PopulationPtr& population = bridge().population();
    m_model->setPopulation(population);
    if (population->kernels.size() != m_expandedKernels) {
        m_expandedKernels = population->kernels.size();
        m_table->expandAll();
        m_table->resizeColumnToContents(LineageModel::idColumn);
    }
    if (population->kernels.empty()) {
        m_pages->setCurrentWidget(m_empty);
    } else {
        showAsTable(actions().action("lineage.table")->isChecked());
    }
    m_view->setPopulation(population);
}

void LineagePanel::search(const QString& text) {
    m_proxy->setQuery(text);
    m_view->setSearch(text);
    m_table->expandAll();
}

void LineagePanel::selectNextMatch() {
    const std::vector<Kernel>& kernels = bridge().population()->kernels;
    const KernelId after = selection().primary().value_or(0);
    std::optional<KernelId> first;
    std::optional<KernelId> next;
    for (const Kernel& kernel : kernels) {
        if (matchesSearch(kernel, m_search->text())) {
            first = first ? first : std::optional(kernel.id);
            next = !next && kernel.id > after ? std::optional(kernel.id) : next;
        }
    }
    if (first) {
        selection().select(next.value_or(*first));
    }
}

void LineagePanel::followSelection() {
    m_following = true;
    const QModelIndex at =
        selection().primary() ? m_proxy->mapFromSource(m_model->indexOf(*selection().primary())) : QModelIndex();
    if (at.isValid() && m_table->currentIndex() != at) {
        m_table->setCurrentIndex(at);
    }
    m_following = false;
}

} // namespace gks
