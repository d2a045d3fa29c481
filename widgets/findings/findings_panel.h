// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

class QStackedWidget;
class QTextBrowser;

namespace gks {

class EmptyState;

// What the campaign has learnt, each lesson with the evaluations that taught it.
class FindingsPanel final : public Panel {
    Q_OBJECT

public:
    explicit FindingsPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QTextBrowser* m_text;
};

} // namespace gks
