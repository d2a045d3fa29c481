// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/asked_comparison.h"
#include "widgets/common/panel.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace gks {

// Under the two kernels that are compared: what a measurement of both said that the person had asked for, the button
// that asks for one, and what waits for a lane.
class AskedBar final : public QWidget {
    Q_OBJECT

public:
    explicit AskedBar(const PanelContext& context, QWidget* parent = nullptr);

    void setPair(KernelId left, KernelId right);                                  // right is measured beside left
    void setResults(KernelId kernel, const std::vector<Evaluation>& evaluations); // of either
    // Beside the button, or above it on a narrow page.
    void putAtLeft(const std::vector<QWidget*>& parts);
    void refresh(); // from the population

    QSize minimumSizeHint() const override; // with these above

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void placeLeft();
    int buttonsWidth() const;
    AskedComparison asked() const;
    void measure();
    void showWaiting(const CampaignSettings& settings);

    PanelContext m_context;
    KernelId m_left = 0;
    KernelId m_right = 0;
    std::vector<AskedResult> m_ofLeft;
    std::vector<AskedResult> m_ofRight;
    QLabel* m_result;
    QCheckBox* m_allShapes;
    QAction* m_measure;
    QToolButton* m_waiting;
    QWidget* m_leftParts;
    QHBoxLayout* m_row;
    QVBoxLayout* m_column;
    bool m_isLeftBeside = false;
};

} // namespace gks
