// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QStackedWidget;

namespace gks {

class EmptyState;

// Every prompt and reply that led to the kernel or experiment that was selected last, as they were sent, with tokens,
// money and time.
class ConversationPanel final : public Panel {
    Q_OBJECT

public:
    explicit ConversationPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_awaited; }

private:
    void showList();
    void showExchange(int row);
    void findNext();

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QListWidget* m_list;
    QLabel* m_facts;
    QLineEdit* m_search;
    QPlainTextEdit* m_text;
    std::vector<Exchange> m_exchanges;
    bool m_followsExperiment = false; // which was chosen after the kernel
    bool m_awaited = false;
};

} // namespace gks
