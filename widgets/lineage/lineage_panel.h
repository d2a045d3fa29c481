// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

class QLineEdit;
class QStackedWidget;
class QTreeView;

namespace gks {

class EmptyState;
class KernelActions;
class KernelFilterProxy;
class LineageModel;
class LineageView;

// Where we are: the ancestry as a picture or as a table of the same kernels, sharing selection and search.
class LineagePanel final : public Panel {
    Q_OBJECT

public:
    explicit LineagePanel(const PanelContext& context, QWidget* parent = nullptr);

    QWidget* titleWidget() override { return m_title; }
    void showAsTable(bool table);

protected:
    void refresh() override;

private:
    void buildTitle();
    void buildTable();
    void addViewActions();
    void search(const QString& text);
    void selectNextMatch();
    void followSelection();

    LineageModel* m_model;
    KernelFilterProxy* m_proxy;
    LineageView* m_view;
    QTreeView* m_table;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_title = nullptr;
    QLineEdit* m_search = nullptr;
    KernelActions* m_kernelActions;
    bool m_following = false;
    std::size_t m_expandedKernels = 0;
};

} // namespace gks
