// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/scientist/scientist.h"

#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace gks {

class ModelForm;

// The model of every stage and of further writers: a list of them on the left, the choice for the one that is looked at
// on the right. A stage without a choice of its own takes the default; repair takes the writer's.
class StageModels final : public QWidget {
    Q_OBJECT

public:
    explicit StageModels(std::map<std::string, ModelChoice> models, MayAsk mayTry = {}, QWidget* parent = nullptr);

    const std::map<std::string, ModelChoice>& models() const { return m_models; }
    void showStage(const QString& stage);
    struct Mistake {
        QString stage; // its id, for showStage()
        QString text;  // "Designer: ..."
    };
    std::optional<Mistake> mistake() const; // of the first stage that has one

private:
    std::string stage() const;
    ModelChoice inherited(const std::string& stage) const;
    void showCurrent();
    void take();
    void updateList();
    void updateRows();
    void updateButtons();
    std::vector<std::string> allSlots() const;
    void addWriter();
    void removeWriter();

    std::map<std::string, ModelChoice> m_models;
    QListWidget* m_list;
    QLineEdit* m_writerName;
    QPushButton* m_add;
    QPushButton* m_remove;
    QCheckBox* m_own;
    ModelForm* m_form;
};

} // namespace gks
