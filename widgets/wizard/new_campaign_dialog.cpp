// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/new_campaign_dialog.h"

#include "core/base/files.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/store.h"
#include "core/engine/trust.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/model_form.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"

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
#include <QVBoxLayout>

namespace gks {

NewCampaignDialog::NewCampaignDialog(CampaignChoices choices, QWidget* parent)
    : QDialog(parent)
    , m_choices(std::move(choices))
    , m_problems(named(new QListWidget, "newProblems", tr("Problem")))
    , m_description(named(new RichTextView, "newDescription", tr("About the problem")))
    , m_seeds(named(new QComboBox, "newSeeds", tr("Seeds")))
    , m_target(named(new QComboBox, "newTarget", tr("Target")))
    , m_targetNote(new QLabel)
    , m_scientist(named(new QComboBox, "newScientist", tr("Scientist")))
    , m_model(new ModelForm)
    , m_mode(named(new QComboBox, "newMode", tr("Mode")))
    , m_checkCode(
          named(new QCheckBox(tr("check code &before it runs")), "newCheckCode", tr("Check code before it runs")))
    , m_evaluations(named(new QSpinBox, "newEvaluations", tr("Budget of evaluations")))
    , m_minutes(named(new QSpinBox, "newMinutes", tr("Budget of minutes")))
    , m_usd(named(new QDoubleSpinBox, "newUsd", tr("Budget of US dollars")))
    , m_file(named(new QLineEdit, "newFile", tr("Campaign file")))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)) {
    setObjectName(QStringLiteral("newCampaignDialog"));
    setWindowTitle(tr("New campaign"));
    auto* columns = new QHBoxLayout;
    columns->setSpacing(spacing4);
    columns->addWidget(buildProblems(), 5);
    columns->addWidget(buildForm(), 6);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    all->setSpacing(spacing3);
    all->addLayout(columns, 1);
    all->addWidget(m_buttons);
    QPushButton* create = m_buttons->button(QDialogButtonBox::Ok);
    create->setText(tr("&Create"));
    named(create, "newCreate", tr("Create"));
    named(m_buttons->button(QDialogButtonBox::Cancel), "newCancel", tr("Cancel"));
    connect(m_buttons, &QDialogButtonBox::accepted, this, &NewCampaignDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &NewCampaignDialog::reject);
    connect(m_problems, &QListWidget::currentRowChanged, this, &NewCampaignDialog::showProblem);
    m_problems->setCurrentRow(0);
    updateTarget();
    resize(880, 560);
}

QWidget* NewCampaignDialog::buildProblems() {
    for (const CampaignChoices::Problem& problem : m_choices.problems) {
        new QListWidgetItem(problem.title.isEmpty() ? problem.name : problem.title, m_problems);
    }
    m_problems->setSpacing(2);
    if (m_choices.problems.empty()) {
        m_description->setPlainText(m_choices.error);
    }
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing1);
    auto* label = new QLabel(tr("&Problem"));
    label->setBuddy(m_problems);
    column->addWidget(label);
    column->addWidget(m_problems, 2);
    column->addWidget(m_description, 3);
    auto* mistake = new QLabel;
    mistake->setProperty("error", true);
    mistake->hide();
    column->addWidget(mistake);
    m_mistakes[m_problems] = mistake;
    return box;
}

QWidget* NewCampaignDialog::buildForm() {
    for (const CampaignChoices::TargetChoice& target : m_choices.targets) {
        const QString device = target.devices.isEmpty() ? tr("none") : target.devices.front();
        m_target->addItem(targetText(target.kind) % QStringLiteral("   ") % device, static_cast<int>(target.kind));
    }
    m_targetNote->setObjectName(QStringLiteral("newTargetNote"));
    m_targetNote->setProperty("quiet", true);
    m_targetNote->setWordWrap(true);
    m_scientist->addItem(tr("Tuner: searches the tunables, needs no model"), static_cast<int>(ScientistKind::tuner));
    m_scientist->addItem(tr("Language model"), static_cast<int>(ScientistKind::model));
    for (const Mode mode : {Mode::automatic, Mode::approveExperiments, Mode::step}) {
        m_mode->addItem(modeText(mode), static_cast<int>(mode));
    }
    m_evaluations->setRange(0, limits::budget);
    m_evaluations->setValue(24);
    m_minutes->setRange(0, limits::budget);
    m_minutes->setSuffix(tr(" min"));
    m_usd->setRange(0, limits::budget);
    m_usd->setPrefix(QStringLiteral("$"));
    for (QSpinBox* box : {m_evaluations, m_minutes}) {
        box->setGroupSeparatorShown(true);
    }
    for (QAbstractSpinBox* box : {static_cast<QAbstractSpinBox*>(m_evaluations),
                                  static_cast<QAbstractSpinBox*>(m_minutes), static_cast<QAbstractSpinBox*>(m_usd)}) {
        box->setSpecialValueText(tr("unlimited"));
    }
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(spacing2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto addField = [&](const QString& label, QWidget* field) {
        auto* mistake = new QLabel;
        mistake->setProperty("error", true);
        mistake->setWordWrap(true);
        mistake->hide();
        m_mistakes[field] = mistake;
        gks::addField(form, label, field, field);
        form->addRow(QString(), mistake);
        form->setRowVisible(mistake, false);
    };
    addField(tr("See&ds"), m_seeds);
    addField(tr("&Target"), m_target);
    form->addRow(QString(), m_targetNote);
    addField(tr("&Scientist"), m_scientist);
    m_model->setBrief();
    m_model->layout()->setContentsMargins(spacing4, 0, 0, 0);
    form->addRow(m_model);
    form->setRowVisible(m_model, false);
    addField(tr("M&ode"), m_mode);
    m_checkCode->setToolTip(tr("A draft of a model waits until you approve its code"));
    form->addRow(QString(), m_checkCode);
    addField(tr("&Evaluations"), m_evaluations);
    addField(tr("T&ime"), m_minutes);
    addField(tr("Mone&y"), m_usd);
    addField(tr("&File"), m_file);
    connect(m_scientist, &QComboBox::currentIndexChanged, this, [this, form] {
        form->setRowVisible(m_model, m_scientist->currentData().toInt() == static_cast<int>(ScientistKind::model));
    });
    connect(m_target, &QComboBox::currentIndexChanged, this, &NewCampaignDialog::updateTarget);
    return box;
}

void NewCampaignDialog::showProblem(int row) {
    if (row >= 0 && static_cast<std::size_t>(row) < m_choices.problems.size()) {
        const CampaignChoices::Problem& problem = m_choices.problems[static_cast<std::size_t>(row)];
        m_description->setProse(problem.description);
        m_seeds->clear();
        m_seeds->addItem(tr("All %1").arg(problem.seeds.size()));
        for (const auto& seed : problem.seeds) {
            m_seeds->addItem(tr("Only %1: %2").arg(seed.name, seed.title), seed.name);
        }
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

void NewCampaignDialog::updateTarget() {
    const int at = m_target->currentIndex();
    if (at < 0) {
        return;
    }
    const CampaignChoices::TargetChoice& target = m_choices.targets[static_cast<std::size_t>(at)];
    QString note = target.reason;
    if (target.kind == TargetKind::cpu && !target.devices.isEmpty()) {
        note = tr("The same HIP source runs on the CPU. Times are CPU times; registers and instructions are reported "
                  "for gfx942.");
    }
    m_targetNote->setText(note);
    m_targetNote->setVisible(!note.isEmpty());
}

CampaignSettings NewCampaignDialog::settings() const {
    CampaignSettings settings;
    if (m_problems->currentRow() >= 0) {
        settings.problem = m_choices.problems[static_cast<std::size_t>(m_problems->currentRow())].name.toStdString();
    }
    settings.target = static_cast<TargetKind>(m_target->currentData().toInt());
    settings.scientist = static_cast<ScientistKind>(m_scientist->currentData().toInt());
    settings.mode = static_cast<Mode>(m_mode->currentData().toInt());
    settings.policies.checkCode = m_checkCode->isChecked();
    settings.budgets.evaluations = m_evaluations->value();
    settings.budgets.minutes = m_minutes->value();
    settings.budgets.usd = m_usd->value();
    if (settings.scientist == ScientistKind::model) {
        settings.models[std::string(defaultModel)] = m_model->choice();
    }
    return settings;
}

std::optional<std::string> NewCampaignDialog::onlySeed() const {
    const QString name = m_seeds->currentData().toString();
    return name.isEmpty() ? std::nullopt : std::optional(name.toStdString());
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
    check(m_problems, m_problems->currentRow() >= 0, tr("Choose a problem."));
    check(m_target, target >= 0 && !m_choices.targets[static_cast<std::size_t>(target)].devices.isEmpty(),
          tr("There is no device of this target."));
    const QString file = m_file->text().trimmed();
    if (file.isEmpty()) {
        check(m_file, false, tr("Name the file of the campaign."));
    } else {
        check(m_file, !QFileInfo::exists(file), tr("This file exists already; campaigns are never overwritten."));
    }
    const bool modelIsGood = !model || m_model->check();
    if (!mistakes.empty()) {
        mistakes.front().first->setFocus();
    }
    return mistakes.empty() && modelIsGood;
}

void NewCampaignDialog::accept() {
    if (!validate()) {
        return;
    }
    QString file = m_file->text().trimmed();
    if (QFileInfo(file).suffix().isEmpty()) {
        file += QStringLiteral(".gks");
    }
    const auto folder = makeDirectories(QFileInfo(file).absolutePath().toStdString());
    if (!folder) {
        mark(m_file, toText(folder.error().message()));
        return;
    }
    const CampaignSettings wanted = settings();
    auto pack = loadProblemPack(wanted.problem);
    if (pack && onlySeed()) {
        if (auto kept = keepSeeds(*pack, {*onlySeed()}); !kept) {
            pack = tl::unexpected(kept.error());
        }
    }
    if (!pack) {
        mark(m_problems, toText(pack.error().message()));
        return;
    }
    const auto store = CampaignStore::create(file.toStdString(), wanted, *pack);
    if (!store) {
        mark(m_file, toText(store.error().message()));
        return;
    }
    if (const auto trusted = trustOwn(**store); !trusted) {
        mark(m_file, toText(trusted.error().message()));
        return;
    }
    m_createdFile = file;
    QDialog::accept();
}

} // namespace gks
