// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace gks {

// What a model thought in one round: why this parent, what limits it, which avenues it saw and what became of them. An
// avenue that no experiment took up can be asked for. All of it is plain text.
class RoundView final : public QWidget {
    Q_OBJECT

public:
    explicit RoundView(QWidget* parent = nullptr);

    // The round with this number, or the newest one where it has none. Hidden while there is no round.
    void showRound(const Population& population, std::int64_t number, bool writable);

Q_SIGNALS:
    void askRequested(const gks::command::AskForAvenue& ask);

private:
    void showAvenues(const Population& population);
    void showButton();
    const Avenue* current() const;

    QLabel* m_title;
    QPlainTextEdit* m_diagnosis;
    QListWidget* m_list;
    QPushButton* m_ask;
    std::vector<Avenue> m_avenues; // of the round
    std::vector<bool> m_open;      // no experiment took it up
    bool m_writable = false;
};

} // namespace gks
