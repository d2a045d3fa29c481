// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"

#include <optional>
#include <vector>

class QAction;
class QLineEdit;
class QStackedWidget;
class QTreeView;

namespace gks {

class EmptyState;
class KernelActions;
class KernelSearch;
class KernelTable;
class LineageModel;
class LineageView;
class OutlineView;
class TableFilters;

// Where we are: the ancestry as an outline, as a table and as a picture of the same kernels, sharing selection and
// search. Which of them, and what is folded, is remembered for each campaign.
class LineagePanel final : public Panel {
    Q_OBJECT

public:
    explicit LineagePanel(const PanelContext& context, QWidget* parent = nullptr);

    QWidget* titleWidget() override { return m_title; }
    enum class View { outline, table, canvas };
    void showView(View view);
    View shown() const { return m_shown; }

protected:
    void refresh() override;
    bool isFilled() const override;

private:
    void buildTitle();
    void buildTable();
    QWidget* buildTablePage();
    void filterTable();
    void showColumnMenu(const QPoint& at);
    void addViewActions();
    void addSearchActions();
    void fillShown();
    void showHits();
    void rememberFolds();
    QByteArray keyOf(const char* what) const;
    void followSelection();
    void followBest();

    LineageModel* m_model;
    KernelTable* m_sorted;
    OutlineView* m_outline;
    KernelSearch* m_search;
    LineageView* m_view;
    QTreeView* m_table;
    TableFilters* m_filters;
    QWidget* m_tablePage;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_title = nullptr;
    QLineEdit* m_searchField = nullptr;
    QAction* m_asTable = nullptr;
    QAction* m_asCanvas = nullptr;
    QAction* m_followsBest = nullptr;
    std::optional<KernelId> m_bestSeen;
    View m_shown = View::outline;
    KernelActions* m_kernelActions;
    bool m_following = false;
};

} // namespace gks
