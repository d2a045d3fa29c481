// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/fork.h"

#include <QObject>
#include <QString>
#include <functional>

class QWidget;

namespace gks {

class EngineBridge;

// Starts a campaign of its own in a file of the person's choice, at a kernel of this one, which goes on. Reading and
// writing happen on a worker thread.
class CampaignFork final : public QObject {
    Q_OBJECT

public:
    // Asks for the name of a new file; empty: the person thought better of it. Replaced by tests.
    using AskFile = std::function<QString(QWidget* parent, const QString& suggestion)>;

    CampaignFork(EngineBridge* bridge, QWidget* home);
    void setAskFile(AskFile ask) { m_askFile = std::move(ask); }
    void start(const ForkPoint& at);

Q_SIGNALS:
    void forked(const QString& file);
    void failed(const QString& why);

private:
    EngineBridge* m_bridge;
    QWidget* m_home;
    AskFile m_askFile;
};

} // namespace gks
