// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/bottleneck.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"

class QLabel;
class QModelIndex;
class QStackedWidget;
class QTableView;

namespace gks {

class EmptyState;
class RooflineModel;
class RooflinePlot;

// Where the selected kernel stands under the roofs of the device that it was measured on, and what holds it back on
// each shape. A click on a shape goes to its samples.
class RooflinePanel final : public Panel {
    Q_OBJECT

public:
    explicit RooflinePanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_work.isBusy(); }

private:
    QString questionNow() const; // changes when the table does
    void showTable(const RooflineTable& table);
    void goToSamples(const QModelIndex& index);

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_peaks;
    RooflinePlot* m_plot;
    RooflineModel* m_model;
    QTableView* m_table;
    QString m_asked;
    LatestWork<RooflineTable> m_work;
};

} // namespace gks
