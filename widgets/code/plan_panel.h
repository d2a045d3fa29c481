// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"

#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTableView;

namespace gks {

class EmptyState;
class PlanModel;
struct RecordedPlans;

// What solve() of the selected kernel asks of the device on one of the shapes that it was timed on, and how that
// differs from the parent's plan.
class PlanPanel final : public Panel {
    Q_OBJECT

public:
    explicit PlanPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_answerAwaited; }

private:
    using Plans = std::shared_ptr<const RecordedPlans>;
    void askPlans(const Kernel& kernel);
    void takeAnswer(const Kernel& kernel, const Result<std::vector<Plans>>& answer);
    void showEmpty(const QString& what, const QString& how);
    void offerShapes();
    void showPlan();
    QTableView* createTable(PlanModel* model, const char* name, const QString& accessible);

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_name;
    QLabel* m_solveTime;
    QLabel* m_summary;
    QLabel* m_changes;
    QComboBox* m_shape;
    QCheckBox* m_compare;
    PlanModel* m_planModel;
    QTableView* m_plan;
    QWidget* m_setupPart;
    PlanModel* m_setupModel;
    QTableView* m_setup;
    // Stays together until the next answer: plans never stand under another kernel's name.
    struct Shown {
        Kernel kernel;
        Plans own;
        Plans parents;
    };
    std::optional<Kernel> m_asked; // for its plans
    std::optional<Shown> m_shown;
    bool m_answerAwaited = false;
};

} // namespace gks
