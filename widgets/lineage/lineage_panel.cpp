// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lineage/lineage_panel.h"

#include "widgets/common/actions.h"
#include "widgets/common/empty_state.h"
#include "widgets/common/engine_bridge.h"
#include "widgets/common/palette.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"
#include "widgets/lineage/kernel_actions.h"
#include "widgets/lineage/kernel_search.h"
#include "widgets/lineage/kernel_table.h"
#include "widgets/lineage/lineage_item.h"
#include "widgets/lineage/lineage_model.h"
#include "widgets/lineage/lineage_view.h"
#include "widgets/lineage/outline_view.h"
#include "widgets/lineage/table_filters.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

namespace gks {

namespace {

const Setting<QStringList> lineageHiddenColumns{"lineage/hiddenColumns",
                                                {QString::number(LineageModel::geomeanColumn),
                                                 QString::number(LineageModel::versusParentColumn),
                                                 QString::number(LineageModel::authorColumn)}};

} // namespace

LineagePanel::LineagePanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent)
    , m_model(new LineageModel(this))
    , m_sorted(new KernelTable(m_model, this))
    , m_outline(new OutlineView(context.selection))
    , m_search(new KernelSearch(context))
    , m_view(new LineageView(context.selection))
    , m_table(new QTreeView)
    , m_filters(new TableFilters(context))
    , m_tablePage(buildTablePage())
    , m_pages(new QStackedWidget)
    , m_empty(new EmptyState)
    , m_kernelActions(new KernelActions(context, this)) {
    setObjectName(QStringLiteral("lineagePanel"));
    m_empty->setText(tr("No kernels yet"), tr("The seed kernels appear here when a campaign is open. "
                                              "New kernels hang below them."));
    buildTable();
    m_pages->addWidget(m_outline);
    m_pages->addWidget(m_view);
    m_pages->addWidget(m_tablePage);
    m_pages->addWidget(m_empty);
    setFocusProxy(m_outline); // also before anything is filled
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_pages, 1);
    column->addWidget(m_search);
    addViewActions();
    addSearchActions();
    buildTitle();
    m_view->item().setDownward(Settings::instance().value(settings::lineageDownward));
    const auto showMenu = [this](const QPoint& at) {
        QMenu menu(this);
        m_kernelActions->fill(menu);
        menu.exec(at);
    };
    const auto openPage = [this] { selection().requestPage(QStringLiteral("kernel")); };
    connect(m_outline, &OutlineView::menuRequested, this, showMenu);
    connect(m_outline, &OutlineView::kernelActivated, this, openPage);
    connect(m_outline, &OutlineView::foldsChanged, this, &LineagePanel::rememberFolds);
    connect(m_outline, &OutlineView::settled, this, &LineagePanel::showHits);
    connect(m_outline, &OutlineView::settled, this, &Panel::settled);
    connect(m_search, &KernelSearch::hitsChanged, this, &LineagePanel::showHits);
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
    m_table->setModel(m_sorted);
    m_table->setUniformRowHeights(true);
    m_table->setAllColumnsShowFocus(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LineageModel::idColumn, Qt::AscendingOrder);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setRootIsDecorated(false);
    m_table->setIndentation(0);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(LineageModel::titleColumn, QHeaderView::Stretch);
    m_table->header()->moveSection(LineageModel::speedupColumn, LineageModel::titleColumn);
    const QStringList hidden = Settings::instance().value(lineageHiddenColumns);
    for (int column = LineageModel::titleColumn; column < LineageModel::columnTotal; ++column) {
        m_table->setColumnHidden(column, hidden.contains(QString::number(column)));
    }
    connect(m_sorted, &KernelTable::sorted, this, [this] {
        m_table->resizeColumnToContents(LineageModel::idColumn);
        m_filters->setCount(m_sorted->rowCount(), static_cast<int>(bridge().population()->kernels.size()));
        followSelection();
        showHits();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        const KernelId kernel = m_sorted->kernelAt(current);
        if (!m_following && kernel != 0) {
            selection().select(kernel);
        }
    });
    // A dock is narrow; on a wide one the remaining columns come back through the header's menu.
    m_table->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table->header(), &QHeaderView::customContextMenuRequested, this, &LineagePanel::showColumnMenu);
}

QWidget* LineagePanel::buildTablePage() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_filters);
    column->addWidget(m_table, 1);
    page->setFocusProxy(m_table);
    connect(m_filters, &TableFilters::changed, this, &LineagePanel::filterTable);
    return page;
}

// By the choices above it, and by the search while one is on.
void LineagePanel::filterTable() {
    const auto shape = m_filters->shape();
    const std::vector<Shape> shapes = bridge().shapes();
    m_table->setColumnHidden(KernelTable::shapeColumn, !shape || *shape >= shapes.size());
    if (shape && *shape < shapes.size()) {
        const auto named = bridge().problem()->namedShape(shapes[*shape]);
        m_sorted->setShape(TableShape{*shape, named, shapeText(named, bridge().problem()->dims)});
    }
    RowFilter filter = m_filters->filter();
    if (m_search->isOn() && (!m_search->isBusy() || !m_search->hits().empty())) {
        filter.among = m_search->hits();
    }
    m_sorted->setFilter(std::move(filter));
}

void LineagePanel::showColumnMenu(const QPoint& at) {
    QMenu menu(this);
    for (int column = LineageModel::titleColumn; column < LineageModel::columnTotal; ++column) {
        QAction* shown = menu.addAction(m_model->headerData(column, Qt::Horizontal).toString());
        shown->setCheckable(true);
        shown->setChecked(!m_table->isColumnHidden(column));
        connect(shown, &QAction::toggled, m_table, [this, column](bool on) {
            m_table->setColumnHidden(column, !on);
            QStringList hidden;
            for (int other = 0; other < LineageModel::columnTotal; ++other) {
                if (m_table->isColumnHidden(other)) {
                    hidden.append(QString::number(other));
                }
            }
            Settings::instance().set(lineageHiddenColumns, hidden);
        });
    }
    menu.exec(m_table->header()->mapToGlobal(at));
}

void LineagePanel::addViewActions() {
    const QString menu = tr("&View");
    const auto addView = [&](const ActionSpec& spec, View view) {
        QAction* action = actions().add(this, spec, [] {});
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, view](bool on) { showView(on ? view : View::outline); });
        return action;
    };
    m_asTable =
        addView({"lineage.table", tr("Show lineage as &table"), menu, QKeySequence(Qt::CTRL | Qt::Key_T), Icon::table},
                View::table);
    m_asCanvas =
        addView({"lineage.canvas", tr("Lineage as &picture"), menu, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
                 Icon::tree, tr("The lineage as a picture. The button beside the title lets the dock float and grow")},
                View::canvas);
    actions().add(this, {"lineage.unfold", tr("Unfold all kernels"), menu, {}, Icon::expand},
                  [this] { m_outline->foldAll(false); });
    actions().add(this, {"lineage.fold", tr("Fold families and rounds"), menu, {}, Icon::collapse}, [this] {
        m_outline->setToggled({});
        rememberFolds();
    });
    QAction* downward = actions().add(this, {"lineage.downward", tr("Grow lineage &downward"), menu}, [] {});
    downward->setCheckable(true);
    downward->setChecked(Settings::instance().value(settings::lineageDownward));
    connect(downward, &QAction::toggled, this, [this](bool on) {
        Settings::instance().set(settings::lineageDownward, on);
        m_view->setDownward(on);
    });
    m_followsBest = actions().add(
        this, {"lineage.follow-best", tr("Follow the &best kernel"), menu, {}, {}, tr("Selects every new best kernel")},
        [] {});
    m_followsBest->setCheckable(true);
    m_followsBest->setChecked(Settings::instance().value(settings::lineageFollowsBest));
    connect(m_followsBest, &QAction::toggled, this, [this](bool on) {
        Settings::instance().set(settings::lineageFollowsBest, on);
        m_bestSeen.reset();
        followBest();
    });
    actions().add(this,
                  {"lineage.fit", tr("&Fit lineage in view"), menu, QKeySequence(Qt::CTRL | Qt::Key_0), Icon::fit},
                  [this] { m_view->fit(); });
    actions().add(this,
                  {"lineage.search", tr("&Search kernels"), menu, QKeySequence(Qt::CTRL | Qt::Key_K), Icon::search},
                  [this] {
                      m_searchField->setFocus(Qt::ShortcutFocusReason);
                      m_searchField->selectAll();
                  });
    actions().add(
        this,
        {"lineage.collapse", tr("&Collapse or expand descendants"), menu, QKeySequence(Qt::Key_C), Icon::collapse},
        [this] {
            if (m_shown == View::outline && selection().primary()) {
                m_outline->toggle(*selection().primary());
            } else {
                m_view->toggleCollapsed();
            }
        },
        true);
    const int first = Settings::instance().value(settings::lineageAsTable) ? 1 : 0;
    const QByteArray key = keyOf("view");
    m_shown = static_cast<View>(std::clamp(Settings::instance().value(Setting<int>{key.constData(), first}), 0, 2));
    const QByteArray folds = keyOf("folds");
    std::unordered_set<OutlineKey> toggled;
    for (const QString& one : Settings::instance().value(Setting<QStringList>{folds.constData(), {}})) {
        toggled.insert(one.toLongLong());
    }
    m_outline->setToggled(std::move(toggled));
}

// One line of the settings for each campaign file; tests and samples have none and share one.
QByteArray LineagePanel::keyOf(const char* what) const {
    return QByteArrayLiteral("lineage/") + what + '/' + QUrl::toPercentEncoding(bridge().file());
}

void LineagePanel::rememberFolds() {
    constexpr std::size_t rememberedFolds = 1000;
    QStringList folds;
    if (m_outline->toggled().size() <= rememberedFolds) {
        for (const OutlineKey key : m_outline->toggled()) {
            folds.append(QString::number(key));
        }
    }
    folds.sort();
    const QByteArray key = keyOf("folds");
    Settings::instance().set(Setting<QStringList>{key.constData(), {}}, folds);
}

// F3 walks through the hits, and only then is one selected.
void LineagePanel::addSearchActions() {
    const QString menu = tr("&View");
    actions().add(
        this, {"lineage.find-next", tr("Next kernel found"), menu, QKeySequence(Qt::Key_F3), Icon::forward},
        [this] { m_search->walk(1); }, true);
    actions().add(
        this,
        {"lineage.find-previous", tr("Previous kernel found"), menu, QKeySequence(Qt::SHIFT | Qt::Key_F3), Icon::back},
        [this] { m_search->walk(-1); }, true);
}

void LineagePanel::buildTitle() {
    m_title = new QWidget;
    m_searchField = new QLineEdit;
    m_searchField->setObjectName(QStringLiteral("lineageSearch"));
    m_searchField->setAccessibleName(tr("Search kernels by ID, title, verdict, author or source"));
    m_searchField->setPlaceholderText(tr("Search"));
    m_searchField->setClearButtonEnabled(true);
    auto* row = new QHBoxLayout(m_title);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_searchField, 1);
    for (const char* id : {"lineage.table", "lineage.canvas"}) {
        row->addWidget(toolButton(actions().action(id)));
    }
    for (const char* id : {"lineage.find-next", "lineage.find-previous"}) {
        m_title->addAction(actions().action(id));
    }
    connect(m_searchField, &QLineEdit::textChanged, m_search, &KernelSearch::setWords);
    connect(m_searchField, &QLineEdit::returnPressed, m_search, [this] { m_search->walk(1); });
    auto* end = new QShortcut(QKeySequence(Qt::Key_Escape), m_searchField, nullptr, nullptr, Qt::WidgetShortcut);
    connect(end, &QShortcut::activated, this, [this] {
        m_searchField->clear();
        m_pages->currentWidget()->setFocus(Qt::OtherFocusReason);
    });
}

void LineagePanel::showView(View view) {
    m_shown = view;
    const QByteArray key = keyOf("view");
    Settings::instance().set(Setting<int>{key.constData(), 0}, static_cast<int>(view));
    Settings::instance().set(settings::lineageAsTable, view == View::table); // where a campaign has none of its own
    fillShown();
}

// Only what is in view is filled: a table of 100,000 kernels takes its time.
void LineagePanel::fillShown() {
    m_asTable->setChecked(m_shown == View::table);
    m_asCanvas->setChecked(m_shown == View::canvas);
    const PopulationPtr& population = bridge().population();
    if (population->kernels.empty()) {
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    QWidget* page = m_outline;
    if (m_shown == View::table) {
        page = m_tablePage;
        m_model->setPopulation(population);
        m_sorted->setPopulation(population);
    } else if (m_shown == View::canvas) {
        page = m_view;
        m_view->setPopulation(population);
    } else {
        m_outline->setPopulation(population);
    }
    // Left alone, the stack gives the keys to the first field of the page: for the table a filter above it.
    const bool hadFocus = page != m_pages->currentWidget() && m_pages->isAncestorOf(window()->focusWidget());
    m_pages->setCurrentWidget(page);
    setFocusProxy(page);
    if (hadFocus) {
        page->setFocus(Qt::OtherFocusReason);
    }
    followSelection();
    showHits();
}

void LineagePanel::refresh() {
    fillShown();
    followBest();
}

// Whoever selects another kernel keeps it until there is a new best.
void LineagePanel::followBest() {
    const std::optional<KernelId> best = bridge().population()->best;
    if (best != std::exchange(m_bestSeen, best) && best && m_followsBest->isChecked()) {
        selection().select(*best);
    }
}

bool LineagePanel::isFilled() const {
    return !m_outline->isBusy() && !m_search->isBusy() && !m_sorted->isBusy();
}

void LineagePanel::showHits() {
    m_outline->setHits({m_search->hits().begin(), m_search->hits().end()});
    m_view->setHits(m_search->isOn()
                        ? std::optional(std::unordered_set<KernelId>(m_search->hits().begin(), m_search->hits().end()))
                        : std::nullopt);
    filterTable();
    m_search->say(m_shown == View::outline ? m_outline->foldedOf(m_search->hits()) : 0);
    if (isFilled()) {
        Q_EMIT settled();
    }
}

void LineagePanel::followSelection() {
    m_following = true;
    const QModelIndex at = selection().primary() ? m_sorted->indexOf(*selection().primary()) : QModelIndex();
    if (at.isValid() && m_table->currentIndex() != at) {
        m_table->setCurrentIndex(at);
    }
    m_following = false;
}

} // namespace gks
