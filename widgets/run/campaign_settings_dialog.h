// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPlainTextEdit;
class QSpinBox;
class QTableWidget;

namespace gks {

class EngineBridge;

// What of a campaign can be changed while it runs: who proposes and which model answers for each stage, the hint in the
// prompts, and every budget. Only what was changed is sent, as the commands that the engine records.
class CampaignSettingsDialog final : public QDialog {
    Q_OBJECT

public:
    explicit CampaignSettingsDialog(EngineBridge& bridge, QWidget* parent = nullptr);

    void accept() override;

private:
    QWidget* buildModels();
    QWidget* buildHint();
    QWidget* buildBudgets();
    void updateModels(); // with the scientist that is chosen
    QString cell(int row, int column) const;
    QString mistake() const;
    std::map<std::string, ModelChoice> models() const;
    Budgets budgets() const;

    EngineBridge& m_bridge;
    const CampaignSettings m_before;
    QComboBox* m_scientist;
    QTableWidget* m_models;
    QPlainTextEdit* m_hint;
    QSpinBox* m_evaluations;
    QDoubleSpinBox* m_minutes;
    QDoubleSpinBox* m_usd;
    QSpinBox* m_thousandTokens;
    QDoubleSpinBox* m_gpuMinutes;
    QLabel* m_mistake;
};

} // namespace gks
