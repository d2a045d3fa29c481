// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/stage_models.h"

#include "widgets/common/model_form.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <array>

namespace gks {

namespace {

constexpr std::array stages = {"default", "selector", "designer", "writer", "repair", "checker", "digest"};

QString whatFor(const std::string& stage) {
    if (stage == "default") {
        return QObject::tr("every stage without a model of its own");
    }
    if (stage == "selector") {
        return QObject::tr("chooses the kernel to go on from");
    }
    if (stage == "designer") {
        return QObject::tr("proposes experiments");
    }
    if (stage == "writer") {
        return QObject::tr("writes the kernels");
    }
    if (stage == "repair") {
        return QObject::tr("mends drafts that fail; without a choice: the writer's model");
    }
    return stage == "checker" ? QObject::tr("checks the writer's report against the code")
                              : QObject::tr("draws from a document what matters");
}

} // namespace

StageModels::StageModels(std::map<std::string, ModelChoice> models, QWidget* parent)
    : QWidget(parent)
    , m_models(std::move(models))
    , m_list(named(new QListWidget, "stageList", tr("Stages")))
    , m_own(named(new QCheckBox, "stageOwn", tr("The stage has a model of its own")))
    , m_form(new ModelForm) {
    for (const char* stage : stages) {
        auto* item = new QListWidgetItem(m_list);
        item->setData(Qt::UserRole, QString::fromLatin1(stage));
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
    const auto writer = m_models.find("writer");
    if (stage == "repair" && writer != m_models.end()) {
        return writer->second;
    }
    const auto found = m_models.find("default");
    return found == m_models.end() ? ModelChoice{} : found->second;
}

void StageModels::showCurrent() {
    const auto own = m_models.find(stage());
    const bool isDefault = stage() == "default";
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
            model = own->second.provider == "manual" ? tr("you") : toText(own->second.model);
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
    for (const char* name : stages) {
        const auto found = m_models.find(name);
        const bool wanted = found != m_models.end() || std::string_view(name) == "default";
        const QString wrong =
            wanted ? ModelForm::mistakeIn(found != m_models.end() ? found->second : ModelChoice{}) : QString();
        if (!wrong.isEmpty()) {
            return QString::fromLatin1(name) % QStringLiteral(": ") % wrong;
        }
    }
    return {};
}

} // namespace gks
