// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/latest_work.h"

#include <QMenu>
#include <QStringList>

namespace gks {

// The campaigns that were open, the newest first. One that is no longer there is grey; whether it is, is found out
// beside the window, for it may lie on a machine that does not answer.
class RecentMenu final : public QMenu {
    Q_OBJECT

public:
    explicit RecentMenu(QWidget* parent = nullptr);

Q_SIGNALS:
    void fileRequested(const QString& file);
    void cleared();

private:
    void fill();
    void look();

    LatestWork<QStringList> m_missing;
};

} // namespace gks
