// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/live_compile.h"
#include "widgets/common/panel.h"

#include <map>
#include <memory>
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
    void setLister(SourceLister lister) { m_lister = std::move(lister); } // for tests

protected:
    void refresh() override;
    bool isFilled() const override { return !m_answerAwaited && !m_work.isBusy(); }
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Listed { // of one kernel
        std::string source;
        Result<SourceListing> listing = SourceListing{};
        std::string normalized;
    };
    using ListedPtr = std::shared_ptr<const Listed>;
    struct Both {
        ListedPtr own;
        ListedPtr parents; // null: there is none
    };
    void build(const Kernel& kernel, std::vector<std::string> sources);
    void showCode(const Kernel& kernel, const Both& both);
    void showEmpty(const QString& what, const QString& how);
    void showCosts();
    void showView();
    void lightFromSource();
    void lightFromCode();
    void light(int line);
    void copyRows() const;

    SourceLister m_lister = listSource;
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
    std::map<KernelId, ListedPtr> m_known; // of kernels, whose sources never change
    std::optional<KernelId> m_asked;
    std::optional<KernelId> m_shown;
    Both m_both;
    bool m_answerAwaited = false;
    int m_lit = 0; // line of the source, 0: none
    LatestWork<Both> m_work;
};

} // namespace gks
