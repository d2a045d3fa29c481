// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/kernel_listings.h"
#include "widgets/common/panel.h"

#include <optional>

class QCheckBox;
class QLabel;
class QStackedWidget;
class QTableView;

namespace gks {

class DiffView;
class EmptyState;
class MachineCodeModel;
class SourceEditor;

// The machine code of the selected kernel beside its source: a line leads to its instructions and an instruction to its
// line. Against the parent: how many of each cost there are, and the instructions without their registers.
class MachineCodePanel final : public Panel {
    Q_OBJECT

public:
    explicit MachineCodePanel(const PanelContext& context, QWidget* parent = nullptr);
    void setLister(SourceLister lister) { m_listings.setLister(std::move(lister)); } // for tests

protected:
    void refresh() override;
    bool isFilled() const override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showListing(KernelId kernel, const Result<ListedPair>& listed);
    void showCode(const Kernel& kernel);
    void showEmpty(const QString& what, const QString& how);
    void showCosts();
    void showView();
    void lightFromSource();
    void lightFromCode();
    void light(int line);
    void fitColumns();
    void copyRows() const;

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_name;
    QLabel* m_about;
    QLabel* m_costs;
    QCheckBox* m_compare;
    QStackedWidget* m_view;
    SourceEditor* m_source;
    MachineCodeModel* m_model;
    QTableView* m_code;
    DiffView* m_diff;
    std::optional<KernelId> m_asked;
    std::optional<KernelId> m_shown;
    ListedPair m_both; // the other is the parent
    int m_lit = 0;     // line of the source, 0: none
    KernelListings m_listings;
};

} // namespace gks
