// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QJsonObject>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

class QComboBox;
class QPlainTextEdit;

namespace gks {

// The person's hints for the prompts: one that all stages see, and one more for each stage that takes any.
class HintForm final : public QWidget {
    Q_OBJECT

public:
    explicit HintForm(const CampaignSettings& settings, QWidget* parent = nullptr);

    std::vector<command::SetHint> changes() const; // those that are others than the campaign's
    QJsonObject texts() const;                     // by stage, of those that were changed; "": of all stages
    void setTexts(const QJsonObject& texts);

Q_SIGNALS:
    void typed();

private:
    void showChosen();
    void updateMarks();

    QComboBox* m_stage;
    QPlainTextEdit* m_text;
    std::map<std::string, std::string> m_before; // by stage, trimmed
    std::map<std::string, std::string> m_hints;
    bool m_showing = false;
};

} // namespace gks
