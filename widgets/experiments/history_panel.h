// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"
#include "widgets/experiments/history_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace gks {

class DecisionUndo;

// What the person, models and the engine decided, the newest first; what has not come to anything yet is undone here.
class HistoryPanel final : public Panel {
    Q_OBJECT

public:
    explicit HistoryPanel(const PanelContext& context, QWidget* parent = nullptr);

    void showRefusal(const Error& error); // to undo one; until the person looks at another or decides anew

protected:
    void refresh() override;
    bool isFilled() const override { return !m_awaited && !m_work.isBusy(); }

private:
    QWidget* buildTools();
    void buildTable();
    void showChoice();
    void undoChosen();

    QStackedWidget* m_stack;
    HistoryModel* m_model;
    HistoryFilter* m_filter;
    DecisionUndo* m_undo;
    QLineEdit* m_words;
    QComboBox* m_who;
    QTableView* m_table;
    QLabel* m_why;
    QLabel* m_refusal;
    QPushButton* m_undoButton;
    bool m_awaited = false;
    LatestWork<std::vector<HistoryRow>> m_work;
};

} // namespace gks
