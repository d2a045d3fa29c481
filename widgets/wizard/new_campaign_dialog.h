// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QDialog>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace gks {

class ModelForm;
class RichTextView;

// What a new campaign can be made of on this machine.
struct CampaignChoices {
    struct Problem {
        QString name;
        QString title;
        QString description; // Markdown
        struct Seed {
            QString name;
            QString title;
        };
        std::vector<Seed> seeds = {};
    };
    struct TargetChoice {
        TargetKind kind = TargetKind::cpu;
        QStringList devices; // empty: none, and why
        QString reason;
    };
    std::vector<Problem> problems;
    std::vector<TargetChoice> targets;
    QString error;  // why there are no problems
    QString folder; // where campaigns go
};
CampaignChoices loadCampaignChoices();

// Asks for everything that a campaign needs and makes its file. Mistakes are shown at their field.
class NewCampaignDialog final : public QDialog {
    Q_OBJECT

public:
    explicit NewCampaignDialog(CampaignChoices choices, QWidget* parent = nullptr);

    CampaignSettings settings() const;
    std::optional<std::string> onlySeed() const; // nothing: all of them
    QString createdFile() const { return m_createdFile; }
    void accept() override;

private:
    QWidget* buildProblems();
    QWidget* buildForm();
    void showProblem(int row);
    void suggestFile();
    void updateTarget();
    // Marks every field that is wrong and says so beside it.
    bool validate();
    void mark(QWidget* field, const QString& mistake);

    CampaignChoices m_choices;
    QString m_createdFile;
    QListWidget* m_problems;
    RichTextView* m_description;
    QComboBox* m_seeds;
    QComboBox* m_target;
    QLabel* m_targetNote;
    QComboBox* m_scientist;
    ModelForm* m_model;
    QComboBox* m_mode;
    QCheckBox* m_checkCode;
    QSpinBox* m_evaluations;
    QSpinBox* m_minutes;
    QDoubleSpinBox* m_usd;
    QLineEdit* m_file;
    QDialogButtonBox* m_buttons;
    std::map<QWidget*, QLabel*> m_mistakes;
};

} // namespace gks
