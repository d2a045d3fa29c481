// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/running.h"
#include "widgets/common/latest_work.h"

#include <QTimer>
#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace gks {

// The engines of this user that are alive, each with what can be done about it. Looks again every second while it is in
// view; reading the records is left to another thread.
class RunningList final : public QWidget {
    Q_OBJECT

public:
    explicit RunningList(QWidget* parent = nullptr);
    void look(); // now
    // While something is being done about a run nothing else can be asked of any.
    void setBusy(bool busy);

Q_SIGNALS:
    void looked();
    void openRequested(const QString& file); // goes on in this process, without a tab
    void watchRequested(const QString& file);
    void takeOverRequested(const QString& file);
    void stopRequested(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void fill(const std::vector<RunningCampaign>& runs);
    void addRow(const RunningCampaign& run);
    void clear();

    QLabel* m_title;
    QVBoxLayout* m_rows;
    std::vector<RunningCampaign> m_shown;
    std::vector<QLabel*> m_details; // of the rows
    QTimer m_tick;
    LatestWork<std::vector<RunningCampaign>> m_work;
};

} // namespace gks
