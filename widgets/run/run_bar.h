// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QPointer>
#include <QString>
#include <vector>

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

    // Of the narrow form: a small window drops the words beside icons.
    QSize minimumSizeHint() const override;

protected:
    void refresh() override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void addRunActions();
    QWidget* buildButtons();
    QWidget* buildBudgets();
    void showSettings();
    UnsavedText* createUnsaved();
    void updateActions();
    void updateClock();
    void sendBudgets();
    void setNarrow(bool narrow);
    void measureForms(); // how wide the bar is with its words and without
    void fitForm();

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
    std::vector<QToolButton*> m_buttons; // with words beside their icons
    std::vector<QLabel*> m_words;        // what the narrow form leaves out
    int m_wholeWidth = 0;
    int m_narrowWidth = 0;
    bool m_isNarrow = false;
    QTimer m_tick;
    QElapsedTimer m_sincePopulation;
};

} // namespace gks
