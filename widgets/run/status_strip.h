// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/panel.h"

#include <QString>
#include <vector>

class QLabel;
class QToolButton;

namespace gks {

// The last line of a campaign: lanes, sandbox, model, what the campaign has reached, and the warnings with their list.
class StatusStrip final : public Panel {
    Q_OBJECT

public:
    explicit StatusStrip(const PanelContext& context, QWidget* parent = nullptr);
    void setSandbox(const QString& text, const QString& reason);

protected:
    void refresh() override;
    bool isFilled() const override { return !m_answerAwaited; }

private:
    void askHeadline();
    void showHeadline();
    void showWarnings();
    void updateWarnings();

    QLabel* m_judge;
    QLabel* m_lanes;
    QLabel* m_sandbox;
    QLabel* m_model;
    QLabel* m_headline;
    QLabel* m_file;
    QToolButton* m_warnings;
    std::vector<Evaluation> m_ofBest; // without samples
    QString m_asked;                  // for which state of the best kernel they were asked for
    bool m_answerAwaited = false;
};

} // namespace gks
