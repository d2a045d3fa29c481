// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/limits.h"
#include "core/campaign/templates.h"
#include "widgets/common/form_fields.h"
#include "widgets/common/model_form.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/rich_text.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"
#include "widgets/wizard/more_settings.h"
#include "widgets/wizard/new_campaign_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

// The two columns of the dialog: the problem on the left, all the rest on the right.
namespace gks {

QWidget* NewCampaignDialog::buildProblems() {
    for (const CampaignChoices::Problem& problem : m_choices.problems) {
        new QListWidgetItem(problem.title.isEmpty() ? problem.name : problem.title, m_problems);
    }
    m_problems->setSpacing(2);
    if (m_choices.problems.empty()) {
        m_description->setPlainText(m_choices.error);
    }
    m_browsePack->setToolTip(tr(
        "A folder with problem.toml, reference.cpp, notes.md and seeds, or with harness.toml; it is checked at once"));
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing1);
    auto* label = new QLabel(tr("&Problem"));
    label->setBuddy(m_problems);
    auto* mistake = new QLabel;
    mistake->setObjectName(QStringLiteral("newProblemMistake"));
    mistake->setProperty("error", true);
    mistake->setWordWrap(true);
    mistake->hide();
    m_mistakes[m_problems] = mistake;
    column->addWidget(label);
    column->addWidget(m_problems, 2);
    column->addWidget(m_browsePack);
    column->addWidget(mistake);
    column->addWidget(m_description, 3);
    return box;
}

void NewCampaignDialog::fillFields() {
    for (const CampaignTemplate& one : campaignTemplates()) {
        if (one.name != demoTemplateName) { // which has a problem of its own
            m_template->addItem(word(one.title), toText(one.name));
            m_template->setItemData(m_template->count() - 1, toText(one.about), Qt::ToolTipRole);
        }
    }
    for (const CampaignChoices::TargetChoice& target : m_choices.targets) {
        const QString device = target.devices.isEmpty() ? tr("none") : target.devices.front();
        m_target->addItem(targetText(target.kind) % QStringLiteral("   ") % device, static_cast<int>(target.kind));
    }
    m_targetNote->setObjectName(QStringLiteral("newTargetNote"));
    m_targetNote->setProperty("quiet", true);
    m_targetNote->setWordWrap(true);
    m_scientist->addItem(tr("Tuner (searches tunables, needs no model)"), static_cast<int>(ScientistKind::tuner));
    m_scientist->addItem(tr("Language model"), static_cast<int>(ScientistKind::model));
    for (const Mode mode : {Mode::automatic, Mode::approveExperiments, Mode::step}) {
        m_mode->addItem(modeText(mode), static_cast<int>(mode));
    }
    m_evaluations->setRange(0, limits::budget);
    m_minutes->setRange(0, limits::budget);
    m_minutes->setSuffix(tr(" min"));
    m_usd->setRange(0, limits::budget);
    m_usd->setPrefix(QStringLiteral("$"));
    for (QSpinBox* box : {m_evaluations, m_minutes}) {
        box->setGroupSeparatorShown(true);
    }
    for (QAbstractSpinBox* box : {static_cast<QAbstractSpinBox*>(m_evaluations),
                                  static_cast<QAbstractSpinBox*>(m_minutes), static_cast<QAbstractSpinBox*>(m_usd)}) {
        box->setSpecialValueText(tr("Unlimited"));
    }
    m_checkCode->setToolTip(tr("A draft of a model waits until you approve its code"));
}

QWidget* NewCampaignDialog::buildForm() {
    fillFields();
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, spacing2, 0);
    form->setSpacing(spacing2);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addFields(form);
    connect(m_scientist, &QComboBox::currentIndexChanged, this, [this, form] {
        form->setRowVisible(m_model, m_scientist->currentData().toInt() == static_cast<int>(ScientistKind::model));
    });
    connect(m_target, &QComboBox::currentIndexChanged, this, &NewCampaignDialog::updateTarget);
    connect(m_template, &QComboBox::currentIndexChanged, this, &NewCampaignDialog::applyTemplate);
    connect(m_moreButton, &QToolButton::toggled, this, [this, form](bool shown) {
        m_moreButton->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
        form->setRowVisible(m_more, shown);
    });
    auto* area = named(new QScrollArea, "newForm", tr("Settings of the campaign"));
    area->setFocusPolicy(Qt::NoFocus);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setWidget(box);
    // It has no scroll bar for the width: in every language all of it is seen.
    area->setMinimumWidth(box->minimumSizeHint().width() + area->verticalScrollBar()->sizeHint().width());
    return area;
}

void NewCampaignDialog::addFields(QFormLayout* form) {
    const auto addField = [&](const QString& label, QWidget* field, auto* shown) {
        auto* mistake = new QLabel;
        mistake->setProperty("error", true);
        mistake->setWordWrap(true);
        mistake->hide();
        m_mistakes[field] = mistake;
        gks::addField(form, label, field, shown);
        form->addRow(QString(), mistake);
        form->setRowVisible(mistake, false);
    };
    addField(tr("Te&mplate"), m_template, m_template);
    addField(tr("See&ds"), m_seeds->list(), m_seeds);
    addField(tr("&Target"), m_target, m_target);
    form->addRow(QString(), m_targetNote);
    addField(tr("&Scientist"), m_scientist, m_scientist);
    m_model->setBrief();
    m_model->layout()->setContentsMargins(spacing4, 0, 0, 0);
    form->addRow(m_model);
    form->setRowVisible(m_model, false);
    addField(tr("M&ode"), m_mode, m_mode);
    form->addRow(QString(), m_checkCode);
    addField(tr("&Evaluations"), m_evaluations, m_evaluations);
    addField(tr("Wall t&ime"), m_minutes, m_minutes);
    addField(tr("Cost (US&D)"), m_usd, m_usd);
    auto* file = new QHBoxLayout;
    file->setSpacing(spacing2);
    file->addWidget(m_file, 1);
    file->addWidget(m_browseFile);
    addField(tr("&File"), m_file, file);
    m_moreButton->setText(tr("More settin&gs"));
    m_moreButton->setCheckable(true);
    m_moreButton->setAutoRaise(true);
    m_moreButton->setArrowType(Qt::RightArrow);
    m_moreButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    form->addRow(QString(), m_moreButton);
    m_more->layout()->setContentsMargins(spacing4, 0, 0, 0);
    form->addRow(m_more);
    form->setRowVisible(m_more, false);
}

} // namespace gks
