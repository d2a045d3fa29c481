// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/engine/new_campaign.h"
#include "widgets/common/latest_work.h"
#include "widgets/wizard/seed_list.h"

#include <QDialog>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace gks {

class ModelForm;
class MoreSettings;
class RichTextView;

// What a new campaign can be made of on this machine.
struct CampaignChoices {
    struct Problem {
        QString name;
        QString title;
        QString description; // Markdown
        std::vector<SeedList::Seed> seeds = {};
        QString folder = {};    // of a pack that did not come with the program
        bool ofHarness = false; // a command pack
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
CampaignChoices::Problem problemChoice(const ProblemPack& pack);

// What the dialog asks for from outside; replaced by tests.
struct BrowseSeams {
    std::function<QString(QWidget*)> packFolder;
    SeedList::AskFiles kernelFiles;
    std::function<QString(QWidget*, const QString& suggestion)> campaignFile;
};
BrowseSeams realBrowseSeams();

// Asks for everything that a campaign needs and makes its file. Mistakes are shown at their field.
class NewCampaignDialog final : public QDialog {
    Q_OBJECT

public:
    explicit NewCampaignDialog(CampaignChoices choices, QWidget* parent = nullptr,
                               BrowseSeams browse = realBrowseSeams());

    CampaignSettings settings() const;
    // A pack from anywhere, by the rule that every reader of packs has; its mistakes are shown beside the list.
    void addPack(const QString& folder);
    void addKernels(const QStringList& files) { m_seeds->addKernels(files); }
    QString createdFile() const { return m_createdFile; }
    void accept() override;
    void reject() override;

private:
    QWidget* buildProblems();
    QWidget* buildForm();
    void fillFields();
    void addFields(QFormLayout* form);
    void applyTemplate(int at);
    void packRead(const Result<ProblemPack>& pack);
    void browseFile();
    NewCampaign wanted() const;
    void made(const Result<QString>& file);
    void showProblem(int row);
    void suggestFile();
    void updateTarget();
    // Marks every field that is wrong and says so beside it.
    bool validate();
    void mark(QWidget* field, const QString& mistake);

    CampaignChoices m_choices;
    QString m_createdFile;
    BrowseSeams m_browse;
    CampaignSettings m_base; // of the template
    QListWidget* m_problems;
    QPushButton* m_browsePack;
    RichTextView* m_description;
    QComboBox* m_template;
    SeedList* m_seeds;
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
    QPushButton* m_browseFile;
    QToolButton* m_moreButton;
    MoreSettings* m_more;
    QDialogButtonBox* m_buttons;
    std::map<QWidget*, QLabel*> m_mistakes;
    LatestWork<Result<ProblemPack>> m_packWork;
    LatestWork<Result<QString>> m_making;
};

} // namespace gks
