// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"

#include <QWidget>
#include <functional>
#include <map>

class QLabel;
class QLineEdit;
class QPushButton;

namespace gks {

// Where a model answers: the address of a server, the line of a command, a folder, the file of a recording. Says which
// program a command starts and whether a folder is there.
class ModelAddress final : public QWidget {
    Q_OBJECT

public:
    // The folder that the person chooses, empty for none.
    using ChooseFolder = std::function<QString(QWidget* parent, const QString& now)>;

    explicit ModelAddress(QWidget* parent = nullptr);
    QLineEdit* line() const { return m_line; }
    QString label() const; // of the row
    void fill(ProviderKind kind, const QString& address);
    // Another provider was chosen: an address of another kind gives way to what was typed for this one, else to
    // `usual`; so does one that `isUsual`.
    void change(ProviderKind kind, const QString& usual, bool isUsual);
    void setChooseFolder(ChooseFolder choose) { m_chooseFolder = std::move(choose); } // for tests

private:
    void showKind();
    void showState();
    void browse();

    QLineEdit* m_line;
    QPushButton* m_browse;
    QLabel* m_state;
    ProviderKind m_kind = ProviderKind::http;
    std::map<ProviderKind, QString> m_left; // of the other kinds, as they were left
    ChooseFolder m_chooseFolder;
};

} // namespace gks
