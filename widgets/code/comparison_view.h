// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/comparison_table.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"

#include <vector>

class QAction;
class QTableView;

namespace gks {

class ComparisonModel;
class MessageLabel;

// The table of the compared kernels: those of the comparison, and the pair of the page while there are fewer than two.
// A click on a kernel's head selects it, Ctrl+click takes it as the second, so that the page shows the two as code.
class ComparisonView final : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(const PanelContext& context, QWidget* parent = nullptr);

    void setPair(KernelId left, KernelId right);
    bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void settled();

private:
    void createActions();
    std::vector<KernelId> columns() const;
    QString questionNow(const std::vector<KernelId>& kernels) const;
    void ask();
    void showTable(const ComparisonTable& table);
    void placeColumns();
    void choose(int column, bool asSecond);
    KernelId current() const; // whose column has the cursor; 0: none
    void updateActions();
    void copyCsv() const;

    PanelContext m_context;
    ComparisonModel* m_model;
    QTableView* m_table;
    MessageLabel* m_notes;
    QAction* m_remove = nullptr;
    QAction* m_first = nullptr;
    QAction* m_clear = nullptr;
    QAction* m_copy = nullptr;
    KernelId m_left = 0;
    KernelId m_right = 0;
    QString m_asked;
    LatestWork<ComparisonTable> m_work;
};

} // namespace gks
