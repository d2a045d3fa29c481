// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/new_campaign_dialog.h"

#include "core/base/files.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/templates.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/model_form.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/wizard/more_settings.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTextCursor>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {
namespace {

// Folder, if need be, and file; the errors name the file.
Result<QString> makeFile(NewCampaign wanted) {
    const std::filesystem::path folder = wanted.file.parent_path();
    GKS_TRY(makeDirectories(folder));
    GKS_TRY(makeCampaign(wanted));
    return toText(wanted.file.string());
}

// A name alone is one in the folder where campaigns go, wherever this program was started.
QString campaignPath(QString file, const QString& folder) {
    if (!file.endsWith(QLatin1String(".gks"))) {
        file += QStringLiteral(".gks");
    }
    if (file.startsWith(QLatin1String("~/"))) {
        file.replace(0, 1, QDir::homePath());
    }
    return QDir::cleanPath(QDir(folder).absoluteFilePath(file));
}

} // namespace

NewCampaignDialog::NewCampaignDialog(CampaignChoices choices, QWidget* parent, BrowseSeams browse)
    : QDialog(parent)
    , m_choices(std::move(choices))
    , m_browse(std::move(browse))
    , m_problems(named(new QListWidget, "newProblems", tr("Problem")))
    , m_browsePack(
          named(new QPushButton(tr("&Browse for a problem pack...")), "newBrowsePack", tr("Browse for a problem pack")))
    , m_description(named(new RichTextView, "newDescription", tr("About the problem")))
    , m_template(named(new QComboBox, "newTemplate", tr("Template")))
    , m_seeds(new SeedList(m_browse.kernelFiles))
    , m_target(named(new QComboBox, "newTarget", tr("Target")))
    , m_targetNote(new QLabel)
    , m_scientist(named(new QComboBox, "newScientist", tr("Scientist")))
    , m_model(new ModelForm)
    , m_mode(named(new QComboBox, "newMode", tr("Mode")))
    , m_checkCode(
          named(new QCheckBox(tr("Check &code before it runs")), "newCheckCode", tr("Check code before it runs")))
    , m_evaluations(named(new QSpinBox, "newEvaluations", tr("Evaluation budget")))
    , m_minutes(named(new QSpinBox, "newMinutes", tr("Wall-time budget in minutes")))
    , m_usd(named(new QDoubleSpinBox, "newUsd", tr("Cost budget in US dollars")))
    , m_file(named(new QLineEdit, "newFile", tr("Campaign file")))
    , m_browseFile(named(new QPushButton(tr("Bro&wse...")), "newBrowseFile", tr("Choose the campaign file")))
    , m_moreButton(named(new QToolButton, "newMore", tr("More settings")))
    , m_more(new MoreSettings)
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setObjectName(QStringLiteral("newCampaignDialog"));
    setWindowTitle(tr("New campaign"));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(spacing4);
    columns->addWidget(buildProblems(), 4);
    columns->addWidget(buildForm(), 6);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    all->setSpacing(spacing3);
    all->addLayout(columns, 1);
    all->addWidget(m_buttons);
    QPushButton* create = m_buttons->button(QDialogButtonBox::Ok);
    create->setText(tr("Cr&eate"));
    named(create, "newCreate", tr("Create"));
    named(m_buttons->button(QDialogButtonBox::Cancel), "newCancel", tr("Cancel"));
    create->setDefault(true);
    for (QPushButton* button : findChildren<QPushButton*>()) {
        button->setAutoDefault(button == create); // Enter creates, wherever the focus is
    }
    connect(m_buttons, &QDialogButtonBox::accepted, this, &NewCampaignDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &NewCampaignDialog::reject);
    connect(m_problems, &QListWidget::currentRowChanged, this, &NewCampaignDialog::showProblem);
    connect(m_browsePack, &QPushButton::clicked, this, [this] {
        if (const QString folder = m_browse.packFolder(this); !folder.isEmpty()) {
            addPack(folder);
        }
    });
    connect(m_browseFile, &QPushButton::clicked, this, &NewCampaignDialog::browseFile);
    m_problems->setCurrentRow(0);
    applyTemplate(0);
    updateTarget();
    resize(960, 640);
}

void NewCampaignDialog::applyTemplate(int at) {
    const auto chosen = campaignTemplate(m_template->itemData(at).toString().toStdString());
    if (!chosen) {
        return;
    }
    m_base = chosen->settings;
    m_template->setToolTip(toText(chosen->about));
    m_scientist->setCurrentIndex(m_scientist->findData(static_cast<int>(m_base.scientist)));
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(m_base.mode)));
    m_checkCode->setChecked(m_base.policies.checkCode);
    m_evaluations->setValue(static_cast<int>(m_base.budgets.evaluations));
    m_minutes->setValue(static_cast<int>(m_base.budgets.minutes));
    m_usd->setValue(m_base.budgets.usd);
    m_more->setSettings(m_base);
}

void NewCampaignDialog::addPack(const QString& folder) {
    mark(m_problems, {});
    m_browsePack->setEnabled(false);
    m_packWork.start([path = folder.toStdString()](const std::stop_token&) { return loadCampaignProblem(path); },
                     [this](const Result<ProblemPack>& pack) { packRead(pack); });
}

void NewCampaignDialog::packRead(const Result<ProblemPack>& pack) {
    m_browsePack->setEnabled(true);
    if (!pack) {
        mark(m_problems, toText(pack.error().message()));
        return;
    }
    CampaignChoices::Problem problem = problemChoice(*pack);
    const auto known = std::ranges::find_if(m_choices.problems, [&](const CampaignChoices::Problem& one) {
        return one.name == problem.name && one.folder == problem.folder;
    });
    auto row = static_cast<int>(known - m_choices.problems.begin());
    if (known == m_choices.problems.end()) {
        auto* item = new QListWidgetItem(tr("%1   your own").arg(problem.title), m_problems);
        item->setToolTip(problem.folder);
        m_choices.problems.push_back(std::move(problem));
    } else {
        *known = std::move(problem); // it may have changed since
    }
    m_problems->setCurrentRow(row);
    showProblem(row);
}

void NewCampaignDialog::showProblem(int row) {
    if (row >= 0 && static_cast<std::size_t>(row) < m_choices.problems.size()) {
        const CampaignChoices::Problem& problem = m_choices.problems[static_cast<std::size_t>(row)];
        m_description->setProse(problem.description);
        m_description->moveCursor(QTextCursor::Start);
        m_seeds->setSeeds(problem.seeds);
        updateTarget();
        suggestFile();
    }
}

void NewCampaignDialog::suggestFile() {
    if (m_file->isModified()) {
        return;
    }
    const QString base = m_choices.problems[static_cast<std::size_t>(m_problems->currentRow())].name;
    QString file = QDir(m_choices.folder).filePath(base % QStringLiteral(".gks"));
    for (int number = 2; QFileInfo::exists(file); ++number) {
        file =
            QDir(m_choices.folder).filePath(base % QLatin1Char('-') % QString::number(number) % QStringLiteral(".gks"));
    }
    m_file->setText(file);
}

void NewCampaignDialog::browseFile() {
    if (const QString file = m_browse.campaignFile(this, m_file->text()); !file.isEmpty()) {
        m_file->setText(file);
        m_file->setModified(true);
    }
}

void NewCampaignDialog::updateTarget() {
    const int at = m_target->currentIndex();
    if (at < 0) {
        return;
    }
    const CampaignChoices::TargetChoice& target = m_choices.targets[static_cast<std::size_t>(at)];
    QString note = target.reason;
    const int row = m_problems->currentRow();
    const bool ofHarness = row >= 0 && m_choices.problems[static_cast<std::size_t>(row)].ofHarness;
    if (ofHarness && !target.devices.isEmpty()) {
        note = tr("Your harness builds and runs the kernels. It sees this device and no other one.");
    } else if (target.kind == TargetKind::cpu && !target.devices.isEmpty()) {
        note = tr("The same HIP source runs on the CPU. Timings are CPU timings; the static report is for gfx942.");
    }
    m_targetNote->setText(note);
    m_targetNote->setVisible(!note.isEmpty());
    m_more->setDevices(target.devices);
}

CampaignSettings NewCampaignDialog::settings() const {
    CampaignSettings settings = m_base;
    if (m_problems->currentRow() >= 0) {
        const auto& problem = m_choices.problems[static_cast<std::size_t>(m_problems->currentRow())];
        settings.problem = (problem.folder.isEmpty() ? problem.name : problem.folder).toStdString();
    }
    settings.target = static_cast<TargetKind>(m_target->currentData().toInt());
    settings.scientist = static_cast<ScientistKind>(m_scientist->currentData().toInt());
    settings.mode = static_cast<Mode>(m_mode->currentData().toInt());
    settings.policies.checkCode = m_checkCode->isChecked();
    settings.budgets.evaluations = m_evaluations->value();
    settings.budgets.minutes = m_minutes->value();
    settings.budgets.usd = m_usd->value();
    m_more->write(settings);
    if (settings.scientist == ScientistKind::model) {
        settings.models[std::string(defaultModel)] = m_model->choice();
    }
    return settings;
}

NewCampaign NewCampaignDialog::wanted() const {
    NewCampaign wanted;
    wanted.file = campaignPath(m_file->text().trimmed(), m_choices.folder).toStdString();
    wanted.settings = settings();
    m_seeds->write(wanted);
    return wanted;
}

void NewCampaignDialog::mark(QWidget* field, const QString& mistake) {
    QLabel* label = m_mistakes.at(field);
    label->setText(mistake);
    auto* form =
        qobject_cast<QFormLayout*>(label->parentWidget() != nullptr ? label->parentWidget()->layout() : nullptr);
    if (form != nullptr) {
        form->setRowVisible(label, !mistake.isEmpty());
    } else {
        label->setVisible(!mistake.isEmpty());
    }
    markField(field, mistake);
}

bool NewCampaignDialog::validate() {
    std::vector<std::pair<QWidget*, QString>> mistakes;
    const auto check = [&](QWidget* field, bool good, const QString& mistake) {
        mark(field, good ? QString() : mistake);
        if (!good) {
            mistakes.emplace_back(field, mistake);
        }
    };
    const int target = m_target->currentIndex();
    const bool model = m_scientist->currentData().toInt() == static_cast<int>(ScientistKind::model);
    check(m_problems, m_problems->currentRow() >= 0, tr("Select a problem."));
    check(m_seeds->list(), !m_seeds->isEmpty(), tr("Tick at least one kernel to begin with, or add one of your own."));
    check(m_target, target >= 0 && !m_choices.targets[static_cast<std::size_t>(target)].devices.isEmpty(),
          tr("No device found for this target. Choose another target."));
    const QString file = m_file->text().trimmed();
    if (file.isEmpty()) {
        check(m_file, false, tr("Enter a campaign file."));
    } else {
        check(m_file, !QFileInfo::exists(toText(wanted().file.string())),
              tr("This file already exists. Choose another name."));
    }
    const bool modelIsGood = !model || m_model->check();
    if (!mistakes.empty()) {
        mistakes.front().first->setFocus();
    }
    return mistakes.empty() && modelIsGood;
}

void NewCampaignDialog::accept() {
    if (m_making.isBusy() || !validate()) {
        return;
    }
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    m_making.start([wanted = wanted()](const std::stop_token&) { return makeFile(wanted); },
                   [this](const Result<QString>& file) { made(file); });
}

// Not while the file is made: nobody would open it.
void NewCampaignDialog::reject() {
    if (!m_making.isBusy()) {
        QDialog::reject();
    }
}

// What is wrong with a kernel or a pack is said where it was chosen.
void NewCampaignDialog::made(const Result<QString>& file) {
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(true);
    if (file) {
        m_createdFile = *file;
        QDialog::accept();
        return;
    }
    const NewCampaign asked = wanted();
    const std::string& where = file.error().where;
    const bool isOfKernels = where == "baseline" || std::ranges::any_of(asked.kernels, [&](const auto& kernel) {
                                 return where.starts_with(kernel.string());
                             });
    const bool isOfPack = !asked.settings.problem.empty() && where.find(asked.settings.problem) != std::string::npos &&
                          where.find(".gks") == std::string::npos;
    QWidget* field = isOfKernels ? m_seeds->list() : isOfPack ? static_cast<QWidget*>(m_problems) : m_file;
    mark(field, toText(file.error().message()));
    field->setFocus();
}

} // namespace gks
