// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/running.h"
#include "widgets/common/latest_work.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace gks {

class EngineBridge;

// On top of a campaign that another process runs: who that is, whether what is decided here is carried out there, that
// it has ended, and the button that takes the campaign over. What the run does is seen in the panels.
class WatchBar final : public QWidget {
    Q_OBJECT

public:
    explicit WatchBar(const EngineBridge& bridge, QWidget* parent = nullptr);
    void setBusy(bool busy); // while it is being taken over

Q_SIGNALS:
    void takeOverRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void look();
    void fillRemote();
    void fill(const CampaignWriter& writer);

    const EngineBridge& m_bridge;
    QLabel* m_text;
    QPushButton* m_takeOver;
    bool m_busy = false;
    QTimer m_tick;
    LatestWork<CampaignWriter> m_work;
};

} // namespace gks
