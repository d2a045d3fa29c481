// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/code/static_summary.h"
#include "widgets/common/panel.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

class QCheckBox;
class QGridLayout;
class QLabel;
class QStackedWidget;

namespace gks {

class AskedBar;
class CompileView;
class DiffView;
class DraftDecision;
class EmptyState;

// Two kernels side by side: what each takes, how they compare, what the compiler made of them, and every changed word.
// Right is the selected kernel; left the second one, else its parent, else the baseline. Of a draft that waits for the
// person it is compiled here, and decided.
class ComparePanel final : public Panel {
    Q_OBJECT

public:
    explicit ComparePanel(const PanelContext& context, QWidget* parent = nullptr);
    CompileView& compileView() { return *m_compile; } // for tests

protected:
    void refresh() override;
    bool isFilled() const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    void connectDraft();
    void placeRatio();
    void showPair(const Kernel& left, const Kernel& right);
    void showDraft(const Kernel& right);
    void takeSources();
    void showStatic();
    void showChanges();
    void askStatic(KernelId kernel, bool isLeft);

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_leftName;
    QLabel* m_rightName;
    QLabel* m_leftTime;
    QLabel* m_rightTime;
    QLabel* m_ratio;
    QGridLayout* m_header = nullptr;
    enum class RatioPlace { beside, below, across }; // of the time of the right kernel
    RatioPlace m_ratioPlace = RatioPlace::beside;
    QLabel* m_static;
    AskedBar* m_asked;
    QLabel* m_changes;
    QCheckBox* m_ignoreWhitespace;
    DiffView* m_view;
    CompileView* m_compile;
    DraftDecision* m_decision;
    std::string m_draftSource; // that is compiled
    std::pair<KernelId, KernelId> m_pair = {0, 0};
    std::pair<std::string, std::string> m_builds; // verdicts that the static line was made of
    std::optional<StaticFacts> m_leftStatic;
    std::optional<StaticFacts> m_rightStatic;
    int m_answersAwaited = 0;
};

} // namespace gks
