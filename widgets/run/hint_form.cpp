// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/hint_form.h"

#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/terms.h"
#include "widgets/common/words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace gks {

HintForm::HintForm(const CampaignSettings& settings, QWidget* parent)
    : QWidget(parent)
    , m_stage(named(new QComboBox, "hintStage", tr("Which prompts show the hint")))
    , m_text(named(new QPlainTextEdit, "campaignHint", tr("Hint added to every prompt"))) {
    m_before[{}] = trimmed(settings.hint);
    m_stage->addItem(QString(), QString());
    for (const ModelStage stage : modelStages) {
        if (takesHint(stage)) {
            const std::string key(name(stage));
            const auto own = settings.hints.find(key);
            m_before[key] = own == settings.hints.end() ? std::string() : std::string(trimmed(own->second));
            m_stage->addItem(QString(), toText(key));
        }
    }
    m_hints = m_before;
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(5 * fontMetrics().height());
    auto* label = new QLabel(tr("&Hint added to every prompt of"));
    label->setBuddy(m_text);
    auto* head = new QHBoxLayout;
    head->setSpacing(spacing2);
    head->addWidget(label);
    head->addWidget(m_stage);
    head->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing1);
    column->addLayout(head);
    column->addWidget(m_text);
    connect(m_stage, &QComboBox::currentIndexChanged, this, &HintForm::showChosen);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_showing) {
            m_hints[m_stage->currentData().toString().toStdString()] = m_text->toPlainText().trimmed().toStdString();
            updateMarks();
            Q_EMIT typed();
        }
    });
    updateMarks();
    showChosen();
}

void HintForm::showChosen() {
    const std::string stage = m_stage->currentData().toString().toStdString();
    m_showing = true;
    m_text->setPlaceholderText(stage.empty()
                                   ? tr("Where to look, what to leave alone")
                                   : tr("What the %1 is told besides the hint for every stage").arg(stageText(stage)));
    m_text->setPlainText(toText(m_hints[stage]));
    m_showing = false;
}

// Which stages have one is seen without choosing them.
void HintForm::updateMarks() {
    for (int row = 0; row < m_stage->count(); ++row) {
        const QString stage = m_stage->itemData(row).toString();
        const QString shown = stage.isEmpty() ? tr("every stage") : stageText(stage.toStdString());
        m_stage->setItemText(row, m_hints[stage.toStdString()].empty() ? shown : tr("%1, has one").arg(shown));
    }
}

std::vector<command::SetHint> HintForm::changes() const {
    std::vector<command::SetHint> changed;
    for (const auto& [stage, hint] : m_hints) {
        if (hint != m_before.at(stage)) {
            changed.push_back({hint, stage});
        }
    }
    return changed;
}

QJsonObject HintForm::texts() const {
    QJsonObject texts;
    for (const command::SetHint& change : changes()) {
        texts.insert(toText(change.stage), toText(change.hint));
    }
    return texts;
}

void HintForm::setTexts(const QJsonObject& texts) {
    for (auto& [stage, hint] : m_hints) {
        if (const QJsonValue text = texts.value(toText(stage)); text.isString()) {
            hint = text.toString().toStdString();
        }
    }
    updateMarks();
    showChosen();
}

} // namespace gks
