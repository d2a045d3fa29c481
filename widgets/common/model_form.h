// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/types.h"
#include "core/llm/chat.h"
#include "core/scientist/scientist.h"
#include "widgets/common/latest_work.h"

#include <QWidget>
#include <array>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace gks {

class ModelAddress;

// Which model answers, and how: provider, where it answers, name, where its key is, and what is asked of it. The key
// itself is never part of the choice; "Key..." puts it into the desktop's keyring. "Test" sends one tiny request and
// says what came of it.
class ModelForm final : public QWidget {
    Q_OBJECT

public:
    explicit ModelForm(QWidget* parent = nullptr);

    void setChoice(const ModelChoice& choice);
    ModelChoice choice() const;

    // Asked before a test; what it refuses is not sent.
    void setMayTry(MayAsk mayTry) { m_mayTry = std::move(mayTry); }

    // Only what names the model, without how it is asked; for a dialog that asks for much else.
    void setBrief();
    // Marks every field that is wrong and says why; true when all are good.
    bool check();
    static QString mistakeIn(const ModelChoice& choice); // the first, "" when it is good

Q_SIGNALS:
    void edited();

private:
    struct Mistakes {
        QString model;
        QString address;
        QString keyVariable;
    };
    static Mistakes mistakesIn(const ModelChoice& choice);
    void build();
    void showMistakes(const Mistakes& mistakes);
    void providerChosen();
    ProviderKind kind() const; // a provider of a newer version is taken for a server
    void showFields();
    void showKey();
    void askKey();
    void test(); // or, while one is on its way, cancel it
    void showTest(const QString& text, const char* kind);

    QFormLayout* m_form;
    QComboBox* m_provider;
    ModelAddress* m_place;
    QLabel* m_placeLabel = nullptr;
    QLineEdit* m_address; // in it
    QLineEdit* m_model;
    QLineEdit* m_keyVariable;
    QPushButton* m_key;
    QLabel* m_keyState;
    QDoubleSpinBox* m_temperature;
    QComboBox* m_effort;
    QSpinBox* m_outputTokens;
    std::array<QDoubleSpinBox*, callLimitFacts.size()> m_limits;
    QCheckBox* m_resend;
    std::array<QLayout*, 2> m_limitRows{};
    QLabel* m_mistake;
    QPushButton* m_test;
    QLabel* m_testResult;
    LatestWork<Result<ChatReply>> m_trial;
    MayAsk m_mayTry;
    bool m_filling = false;
};

} // namespace gks
