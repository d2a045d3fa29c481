// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

class QLabel;
class QPushButton;

namespace gks {

// What the engine will mutate next and why, before it does; and the levers to choose something else.
class NextParentCard final : public Panel {
    Q_OBJECT

public:
    explicit NextParentCard(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void refresh() override;

private:
    QLabel* m_parent;
    QLabel* m_why;
    QLabel* m_stagnation;
    QLabel* m_reference;
    QPushButton* m_useSelected;
    QPushButton* m_release;
};

} // namespace gks
