// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

#include <QObject>
#include <QStringList>
#include <map>
#include <string>

namespace gks {

class LiveEngineBridge;

// What a person decided in the window, beside what the campaign file has of it.
class DecisionLog final : public QObject {
    Q_OBJECT

public:
    void watch(LiveEngineBridge& bridge);
    // The campaign as the window shows it; to be called when the engine stands still.
    void remember(const LiveEngineBridge& bridge);
    // Of every campaign that was remembered, when its file is closed: decisions without a line in the history, and what
    // the file says otherwise than the window did. Empty: nothing was lost.
    QStringList lost() const;
    int decisions() const;

private:
    struct Campaign {
        std::map<std::string, int> sent; // by the history's word for it
        std::map<std::string, int> before;
        int refused = 0;
        PopulationPtr last;
    };
    static QStringList lostOf(const QString& file, const Campaign& campaign);

    std::map<QString, Campaign> m_campaigns; // by file
};

} // namespace gks
