// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"
#include "widgets/conversation/exchange_page.h"

#include <QDialog>
#include <map>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace gks {

class UnsavedText;
class RichTextView;

// The person in the place of a model: shows the prompt that waits, takes the reply. Beside the window, not in front of
// it: the campaign can be read meanwhile. Closing declines; a reply that is refused comes back as the next prompt, with
// the reason. It comes and goes with the questions of the bridge. A reply that was typed and not sent is kept, whether
// its question was declined or went away: the same prompt has it again, another one of the stage offers it.
class PersonDialog final : public QDialog {
    Q_OBJECT

public:
    explicit PersonDialog(EngineBridge& bridge, QWidget* parent = nullptr);

    void reject() override; // declines

private:
    UnsavedText* createUnsaved();
    void showQuestion();
    QString typed() const;
    void setAside();
    void fillReply();
    void showKept();
    void insertKept();
    void write();
    void answer();
    void copyPrompt();

    EngineBridge& m_bridge;
    PersonQuestion m_question; // id 0: none
    ExchangePageOptions m_options;
    QLabel* m_title;
    QLabel* m_problem;
    RichTextView* m_prompt;
    QPlainTextEdit* m_reply;
    QPushButton* m_answer;
    QLabel* m_kept; // of a reply that was set aside
    QPushButton* m_insert;
    std::map<QString, QString> m_aside; // by call: a reply whose question ended before it was sent
    bool m_isFromAside = false;         // what stands in the field
    UnsavedText* m_unsaved;
};

} // namespace gks
