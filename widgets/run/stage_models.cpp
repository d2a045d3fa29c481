// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/stage_models.h"

#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "widgets/common/model_form.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

namespace gks {

namespace {

QString whatFor(const std::string& slot) {
    const auto stage = modelStageFromName(slot);
    if (slot.starts_with(writerSlotPrefix)) {
        return QObject::tr("writes kernels too: who is asked is decided by what each has brought for its cost");
    }
    if (!stage) {
        return QObject::tr("Used by every stage without its own model");
    }
    switch (*stage) {
    case ModelStage::selector:
        return QObject::tr("Selects the next parent");
    case ModelStage::designer:
        return QObject::tr("Proposes experiments");
    case ModelStage::writer:
        return QObject::tr("Writes kernels");
    case ModelStage::repair:
        return QObject::tr("Fixes drafts that fail (default: the Writer's model)");
    case ModelStage::checker:
        return QObject::tr("Checks the Writer's report against the code (default: the Selector's model)");
    case ModelStage::digest:
        return QObject::tr("Summarises documents");
    }
    return {};
}

} // namespace

StageModels::StageModels(std::map<std::string, ModelChoice> models, MayAsk mayTry, QWidget* parent)
    : QWidget(parent)
    , m_models(std::move(models))
    , m_list(named(new QListWidget, "stageList", tr("Stages")))
    , m_writerName(named(new QLineEdit, "writerName", tr("Name of a further writer")))
    , m_add(named(new QPushButton(tr("Add &writer")), "writerAdd", tr("Add a further writer")))
    , m_remove(named(new QPushButton(tr("Remo&ve")), "writerRemove", tr("Remove the further writer")))
    , m_own(named(new QCheckBox, "stageOwn", tr("Use a separate model for this stage")))
    , m_form(new ModelForm) {
    m_form->setMayTry(std::move(mayTry));
    m_list->setFixedWidth(220);
    m_writerName->setPlaceholderText(tr("deep"));
    m_writerName->setToolTip(tr("Small letters, digits and hyphens"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing2);
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    auto* left = new QVBoxLayout;
    left->setSpacing(spacing2);
    left->addWidget(m_list, 1);
    left->addWidget(m_writerName);
    left->addLayout(buttons);
    m_writerName->setFixedWidth(220);
    auto* right = new QVBoxLayout;
    right->setSpacing(spacing2);
    right->addWidget(m_own);
    right->addWidget(m_form);
    right->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing4);
    row->addLayout(left);
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
    connect(m_writerName, &QLineEdit::textChanged, this, &StageModels::updateButtons);
    connect(m_writerName, &QLineEdit::returnPressed, this, &StageModels::addWriter);
    connect(m_add, &QPushButton::clicked, this, &StageModels::addWriter);
    connect(m_remove, &QPushButton::clicked, this, &StageModels::removeWriter);
    updateRows();
    m_list->setCurrentRow(0);
}

// The default, the stages, then the further writers.
std::vector<std::string> StageModels::allSlots() const {
    std::vector<std::string> all = modelSlots();
    for (const std::string& writer : writersOf(m_models)) {
        all.push_back(writerSlot(writer));
    }
    return all;
}

// Those of before keep their items: the one that is looked at stays the current one.
void StageModels::updateRows() {
    const std::vector<std::string> wanted = allSlots();
    for (int row = m_list->count() - 1; row >= 0; --row) {
        const std::string slot = m_list->item(row)->data(Qt::UserRole).toString().toStdString();
        if (std::find(wanted.begin(), wanted.end(), slot) == wanted.end()) {
            delete m_list->takeItem(row);
        }
    }
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        const int row = static_cast<int>(at);
        const QString slot = toText(wanted[at]);
        if (row >= m_list->count() || m_list->item(row)->data(Qt::UserRole).toString() != slot) {
            auto* item = new QListWidgetItem;
            item->setData(Qt::UserRole, slot);
            item->setToolTip(whatFor(wanted[at]));
            m_list->insertItem(row, item);
        }
    }
    updateList();
}

void StageModels::addWriter() {
    const std::string slot = writerSlot(m_writerName->text().trimmed().toStdString());
    if (!m_add->isEnabled()) {
        return;
    }
    m_models[slot] = inherited(slot);
    m_writerName->clear();
    updateRows();
    showStage(toText(slot));
    m_form->setFocus();
}

void StageModels::removeWriter() {
    const std::string slot = stage();
    showStage(toText(name(ModelStage::writer)));
    m_models.erase(slot);
    updateRows();
    updateButtons();
}

void StageModels::updateButtons() {
    const std::string writer = m_writerName->text().trimmed().toStdString();
    m_add->setEnabled(!writer.empty() && checkModelSlot(writerSlot(writer)) && !m_models.contains(writerSlot(writer)) &&
                      writersOf(m_models).size() < limits::writers);
    m_remove->setEnabled(stage().starts_with(writerSlotPrefix));
}

std::string StageModels::stage() const {
    return m_list->currentItem()->data(Qt::UserRole).toString().toStdString();
}

ModelChoice StageModels::inherited(const std::string& stage) const {
    auto others = m_models;
    others.erase(stage);
    const ModelStage like = stage.starts_with(writerSlotPrefix)
                                ? ModelStage::writer
                                : modelStageFromName(stage).value_or(ModelStage::digest);
    const ModelChoice* found = modelOf(others, like);
    return found == nullptr ? ModelChoice{} : *found;
}

void StageModels::showCurrent() {
    const auto own = m_models.find(stage());
    const bool isDefault = stage() == defaultModel;
    const bool isFixed = isDefault || stage().starts_with(writerSlotPrefix); // has a model as long as it is there
    const QSignalBlocker quiet(m_own);
    m_own->setText(isFixed ? whatFor(stage()) : tr("Use a separate m&odel: %1").arg(whatFor(stage())));
    m_own->setChecked(isDefault || own != m_models.end());
    m_own->setEnabled(!isFixed);
    m_form->setChoice(own != m_models.end() ? own->second : inherited(stage()));
    m_form->setEnabled(isDefault || own != m_models.end());
    updateButtons();
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
            model = own->second.provider == manualProviderName ? tr("You") : toText(own->second.label());
        }
        const QString shown = stageText(name.toStdString());
        item->setText(model.isEmpty() ? shown : QString(shown % QStringLiteral("   ") % model));
    }
}

void StageModels::showStage(const QString& stage) {
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() == stage) {
            m_list->setCurrentRow(row);
        }
    }
}

std::optional<StageModels::Mistake> StageModels::mistake() const {
    for (const std::string& name : allSlots()) {
        const auto found = m_models.find(name);
        const bool wanted = found != m_models.end() || name == defaultModel;
        const QString wrong =
            wanted ? ModelForm::mistakeIn(found != m_models.end() ? found->second : ModelChoice{}) : QString();
        if (!wrong.isEmpty()) {
            return Mistake{toText(name), stageText(name) % QStringLiteral(": ") % wrong};
        }
    }
    return {};
}

} // namespace gks
