// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"
#include "widgets/conversation/exchange_page.h"

#include <QTimer>
#include <map>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace gks {

class UnsavedText;
class RichTextView;

// The prompts of this campaign. Beside the text stands what the stage would send right now, with the values of this
// campaign; a mistake is marked in its line. What is edited is kept in the campaign, the files stay as they came.
class PromptPanel final : public Panel {
    Q_OBJECT

public:
    explicit PromptPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_work.isBusy() && !m_pause.isActive(); }

private:
    using Preview = Result<std::vector<ChatMessage>>;
    UnsavedText* createUnsaved();
    QWidget* buildEditor();
    QWidget* buildPreview();
    void addActions();
    QString name() const;
    QString saved(const QString& name) const; // as the campaign has it
    void showPrompt();
    void typed();
    void preview();
    void showPreview(const Preview& preview);
    void writeMessagesOf(const std::vector<ChatMessage>& messages);
    void markLine(int line); // from 1; 0: none
    void updateMarks();
    void save();
    void reset();

    QListWidget* m_list;
    QPlainTextEdit* m_text;
    QLabel* m_state;
    QLabel* m_mistake;
    QPushButton* m_save;
    QPushButton* m_reset;
    RichTextView* m_preview;
    QLabel* m_size;
    UnsavedText* m_unsaved;
    std::map<QString, QString> m_defaults;
    std::map<QString, QString> m_drafts; // typed and not saved
    std::vector<ChatMessage> m_messages; // of the preview
    ExchangePageOptions m_options;
    QString m_shown;
    QString m_previewOf; // what the campaign was then
    QTimer m_pause;      // of the typing
    LatestWork<Preview> m_work;
    bool m_filling = false;
};

} // namespace gks
