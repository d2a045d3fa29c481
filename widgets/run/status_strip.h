// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

class QLabel;
class QToolButton;

namespace gks {

// The last line of a campaign: lanes, sandbox, model, and the warnings with their list.
class StatusStrip final : public Panel {
    Q_OBJECT

public:
    explicit StatusStrip(const PanelContext& context, QWidget* parent = nullptr);
    void setSandbox(const QString& text, const QString& reason);

protected:
    void refresh() override;

private:
    void showWarnings();
    void updateWarnings();

    QLabel* m_lanes;
    QLabel* m_sandbox;
    QLabel* m_model;
    QLabel* m_file;
    QToolButton* m_warnings;
};

} // namespace gks
