// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/code/static_summary.h"
#include "widgets/common/panel.h"

#include <optional>
#include <string>

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QTabBar;

namespace gks {

class AskedBar;
class CompareHead;
class CompileView;
class ComparisonView;
class DiffView;
class DraftDecision;
class EmptyState;
class MachineCodeDifference;
class UnifiedView;

// Two kernels side by side: what each takes, how they compare, what the compiler made of them, and every changed word,
// of the source in two panes or in one, and of the machine code. Right is the selected kernel; left the second one,
// else its parent, else the baseline. Beside them the table of any kernels that were added to the comparison. Of a
// draft that waits for the person it is compiled here, and decided.
class ComparePanel final : public Panel {
    Q_OBJECT

public:
    explicit ComparePanel(const PanelContext& context, QWidget* parent = nullptr);
    MachineCodeDifference& machineCode() const { return *m_code; }
    CompileView& compileView() { return *m_compile; } // for tests

protected:
    void refresh() override;
    bool isFilled() const override;

private:
    enum class View { source, unified, machineCode, table }; // the tabs
    void createActions();
    void connectDraft();
    void showDraft();
    void takeSources();
    QHBoxLayout* createTools();
    QWidget* createViews();
    View view() const;
    void chooseView(View view);
    void showView();
    DiffView& walkedView() const; // whose changes are walked
    void showPair(const Kernel& left, const Kernel& right);
    void showNoPair();
    void showStatic();
    QString whyNoStatic() const; // of the right one
    void showChanges();
    QString whyNoChange() const;
    void askSources();
    void askStatic(KernelId kernel, bool isLeft);

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    CompareHead* m_head;
    QLabel* m_static;
    AskedBar* m_asked;
    QLabel* m_changes;
    QCheckBox* m_ignoreWhitespace;
    QWidget* m_walk = nullptr; // what walks the changes
    QTabBar* m_tabs;
    QLabel* m_unread; // in the place of sources that cannot be read: why
    QStackedWidget* m_views;
    DiffView* m_view;
    CompileView* m_compile;
    DraftDecision* m_decision;
    std::string m_draftSource; // that is compiled
    UnifiedView* m_unified;
    MachineCodeDifference* m_code;
    ComparisonView* m_table;
    std::pair<KernelId, KernelId> m_pair = {0, 0};
    std::pair<std::string, std::string> m_builds;  // verdicts that the static line was made of
    std::pair<std::string, std::string> m_sources; // by hash, that were asked for
    std::optional<CodeSummary> m_leftStatic;
    std::optional<CodeSummary> m_rightStatic;
    int m_answersAwaited = 0;
    bool m_sourcesAwaited = false;
};

} // namespace gks
