// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QDialog>
#include <QJsonObject>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QTabWidget;

namespace gks {

class EngineBridge;
class HintForm;
class PoliciesForm;
class ShapeWeightsForm;
class StageModels;

// What of a campaign can be changed while it runs: who proposes, which model answers for each stage and how the
// scientist works, the hints in the prompts, and every budget. Only what was changed is sent, as the commands that the
// engine records.
class CampaignSettingsDialog final : public QDialog {
    Q_OBJECT

public:
    explicit CampaignSettingsDialog(EngineBridge& bridge, QWidget* parent = nullptr);

    void accept() override;

    QJsonObject hints() const; // that are others than the campaign's, as HintForm::texts()
    void setHints(const QJsonObject& hints);

Q_SIGNALS:
    void hintTyped();

private:
    QWidget* buildScientist();
    QWidget* buildBudgets();
    void updateModels(); // with the scientist that is chosen
    bool isModelScientist() const;
    Budgets budgets() const;

    EngineBridge& m_bridge;
    const CampaignSettings m_before;
    QComboBox* m_scientist;
    QTabWidget* m_pages;
    StageModels* m_models;
    PoliciesForm* m_policies;
    ShapeWeightsForm* m_weights;
    HintForm* m_hints;
    QSpinBox* m_evaluations;
    QDoubleSpinBox* m_minutes;
    QDoubleSpinBox* m_usd;
    QSpinBox* m_thousandTokens;
    QDoubleSpinBox* m_gpuMinutes;
    QDoubleSpinBox* m_goalUs;
    QSpinBox* m_fruitless;
    QLabel* m_mistake;
};

} // namespace gks
