// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QPointer>
#include <QString>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace gks {

class CampaignSettingsDialog;
class UnsavedText;

// The top of a campaign: what is computed where, the levers of the run, what is spent of which budget.
class RunBar final : public Panel {
    Q_OBJECT

public:
    explicit RunBar(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    void addRunActions();
    QWidget* buildButtons();
    QWidget* buildBudgets();
    void showSettings();
    UnsavedText* createUnsaved();
    void updateActions();
    void updateClock();
    void sendBudgets();

    QLabel* m_problem;
    QLabel* m_state;
    QComboBox* m_mode;
    QCheckBox* m_checkCode;
    QLabel* m_evaluations;
    QSpinBox* m_evaluationBudget;
    QLabel* m_usd;
    QDoubleSpinBox* m_usdBudget;
    QLabel* m_clock;
    QPointer<CampaignSettingsDialog> m_settings; // while it is open
    QJsonObject m_hintsFromLastTime;             // until it is opened
    UnsavedText* m_unsaved;
    QTimer m_tick;
    QElapsedTimer m_sincePopulation;
};

} // namespace gks
