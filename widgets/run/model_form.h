// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace gks {

// Which model answers, and how: provider, address, name, where its key is, and what is asked of it. The key itself is
// never part of the choice; "Key..." puts it into the desktop's keyring.
class ModelForm final : public QWidget {
    Q_OBJECT

public:
    explicit ModelForm(QWidget* parent = nullptr);

    void setChoice(const ModelChoice& choice);
    ModelChoice choice() const;

    static QString mistakeIn(const ModelChoice& choice); // "" when it is good

Q_SIGNALS:
    void edited();

private:
    void providerChosen();
    void showFields();
    void showKey();
    void askKey();

    QComboBox* m_provider;
    QLineEdit* m_address;
    QLineEdit* m_model;
    QLineEdit* m_keyVariable;
    QPushButton* m_key;
    QLabel* m_keyState;
    QDoubleSpinBox* m_temperature;
    QComboBox* m_effort;
    QSpinBox* m_outputTokens;
    bool m_filling = false;
};

} // namespace gks
