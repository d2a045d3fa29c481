// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/stage_models.h"

#include "core/campaign/model_stages.h"
#include "widgets/common/model_form.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace gks {

namespace {

QString whatFor(const std::string& slot) {
    const auto stage = modelStageFromName(slot);
    if (!stage) {
        return QObject::tr("every stage without a model of its own");
    }
    switch (*stage) {
    case ModelStage::selector:
        return QObject::tr("chooses the kernel to go on from");
    case ModelStage::designer:
        return QObject::tr("proposes experiments");
    case ModelStage::writer:
        return QObject::tr("writes the kernels");
    case ModelStage::repair:
        return QObject::tr("mends drafts that fail; without a choice: the writer's model");
    case ModelStage::checker:
        return QObject::tr("checks the writer's report against the code; without a choice: the selector's model");
    case ModelStage::digest:
        return QObject::tr("draws from a document what matters");
    }
    return {};
}

} // namespace

StageModels::StageModels(std::map<std::string, ModelChoice> models, MayAsk mayTry, QWidget* parent)
    : QWidget(parent)
    , m_models(std::move(models))
    , m_list(named(new QListWidget, "stageList", tr("Stages")))
    , m_own(named(new QCheckBox, "stageOwn", tr("The stage has a model of its own")))
    , m_form(new ModelForm) {
    m_form->setMayTry(std::move(mayTry));
    for (const std::string& stage : modelSlots()) {
        auto* item = new QListWidgetItem(m_list);
        item->setData(Qt::UserRole, toText(stage));
        item->setToolTip(whatFor(stage));
    }
    m_list->setFixedWidth(220);
    auto* right = new QVBoxLayout;
    right->setSpacing(spacing2);
    right->addWidget(m_own);
    right->addWidget(m_form);
    right->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing4);
    row->addWidget(m_list);
    row->addLayout(right, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &StageModels::showCurrent);
    connect(m_own, &QCheckBox::toggled, this, [this](bool own) {
        if (own) {
            m_models[stage()] = inherited(stage());
        } else {
            m_models.erase(stage());
        }
        updateList();
        showCurrent();
    });
    connect(m_form, &ModelForm::edited, this, &StageModels::take);
    updateList();
    m_list->setCurrentRow(0);
}

std::string StageModels::stage() const {
    return m_list->currentItem()->data(Qt::UserRole).toString().toStdString();
}

ModelChoice StageModels::inherited(const std::string& stage) const {
    auto others = m_models;
    others.erase(stage);
    const ModelChoice* found = modelOf(others, modelStageFromName(stage).value_or(ModelStage::digest));
    return found == nullptr ? ModelChoice{} : *found;
}

void StageModels::showCurrent() {
    const auto own = m_models.find(stage());
    const bool isDefault = stage() == defaultModel;
    const QSignalBlocker quiet(m_own);
    m_own->setText(isDefault ? whatFor(stage()) : tr("a model of its &own: %1").arg(whatFor(stage())));
    m_own->setChecked(isDefault || own != m_models.end());
    m_own->setEnabled(!isDefault);
    m_form->setChoice(own != m_models.end() ? own->second : inherited(stage()));
    m_form->setEnabled(isDefault || own != m_models.end());
}

void StageModels::take() {
    m_models[stage()] = m_form->choice();
    updateList();
}

void StageModels::updateList() {
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const QString name = item->data(Qt::UserRole).toString();
        const auto own = m_models.find(name.toStdString());
        QString model;
        if (own != m_models.end()) {
            model = own->second.provider == manualProviderName ? tr("you") : toText(own->second.label());
        }
        item->setText(model.isEmpty() ? name : QString(name % QStringLiteral("   ") % model));
    }
}

void StageModels::showStage(const QString& stage) {
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() == stage) {
            m_list->setCurrentRow(row);
        }
    }
}

QString StageModels::mistake() const {
    for (const std::string& name : modelSlots()) {
        const auto found = m_models.find(name);
        const bool wanted = found != m_models.end() || name == defaultModel;
        const QString wrong =
            wanted ? ModelForm::mistakeIn(found != m_models.end() ? found->second : ModelChoice{}) : QString();
        if (!wrong.isEmpty()) {
            return toText(name) % QStringLiteral(": ") % wrong;
        }
    }
    return {};
}

} // namespace gks
