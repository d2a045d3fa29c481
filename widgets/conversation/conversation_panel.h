// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"
#include "widgets/conversation/exchange_page.h"

#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QListView;
class QStackedWidget;
class QToolButton;
class QUrl;

namespace gks {

class EmptyState;
class ExchangeFilter;
class ExchangeModel;
class FindBar;
class RichTextView;

// Every prompt and reply that led to the kernel or experiment that was selected last, or of the whole campaign:
// readable or as they were sent, with tokens, money, time and what was put into the prompt.
class ConversationPanel final : public Panel {
    Q_OBJECT

public:
    explicit ConversationPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_awaited; }

private:
    QWidget* buildList();
    QWidget* buildPage();
    void addActions();
    void ask(std::optional<KernelId> kernel, std::optional<ExperimentId> experiment);
    void take(std::vector<Exchange> exchanges);
    void offer(QComboBox* box, const QString& all, const QStringList& values);
    void showCurrent();
    void write();
    void follow(const QUrl& link);
    void countElsewhere();
    void goToAnother(bool forward);
    void showCall();

    QStackedWidget* m_stack;
    EmptyState* m_empty;
    ExchangeModel* m_model;
    ExchangeFilter* m_filter;
    QComboBox* m_scope;
    QComboBox* m_stage;
    QComboBox* m_modelName;
    QCheckBox* m_onlyErrors;
    QListView* m_list;
    QLabel* m_facts;
    QLabel* m_call; // that is on its way
    QTimer m_tick;
    QToolButton* m_raw;
    RichTextView* m_text;
    FindBar* m_find;
    ExchangePageOptions m_options;
    std::int64_t m_shown = 0;         // exchange
    bool m_followsExperiment = false; // which was chosen after the kernel
    bool m_awaited = false;
    QString m_asked; // what for; the same is not asked again
};

} // namespace gks
