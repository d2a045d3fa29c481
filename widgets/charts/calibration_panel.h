// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

class QCheckBox;
class QLabel;
class QStackedWidget;
class QTableView;

namespace gks {

class CalibrationModel;
class CalibrationPlot;
class EmptyState;
class WritersModel;

// How far the predictions of gains can be trusted: every measured one in a picture, and what follows for each model;
// and what each writer has brought for what it cost.
class CalibrationPanel final : public Panel {
    Q_OBJECT

public:
    explicit CalibrationPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QLabel* m_summary;
    QCheckBox* m_corrected;
    CalibrationPlot* m_plot;
    CalibrationModel* m_model;
    QTableView* m_table;
    WritersModel* m_writers;
    QTableView* m_writersTable;
};

} // namespace gks
