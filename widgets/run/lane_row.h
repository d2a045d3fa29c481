// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace gks {

// One lane of the activity panel: who, on what, since when, how far, and a button that ends it.
class LaneRow final : public QWidget {
    Q_OBJECT

public:
    LaneRow(const QString& lane, QWidget* parent = nullptr);
    void show(const ActivityChanged& activity, bool mayCancel);
    // Out of service: why, what to do, and the button that puts it back.
    void showOutage(const LaneOutage& outage, bool mayRestore);
    void updateElapsed();

Q_SIGNALS:
    void cancelRequested();
    void restoreRequested();

private:
    QLabel* m_what;
    QLabel* m_elapsed;
    QProgressBar* m_progress;
    QWidget* m_cancel;
    QWidget* m_restore;
    ActivityChanged m_activity;
};

} // namespace gks
