// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>

class QWidget;

namespace gks {

class EngineBridge;

// Copies the campaign as it is now into one file of the person's choice, while the engine goes on. Reading and writing
// happen on a worker thread; progress is shown and can be cancelled.
class CampaignCopy final : public QObject {
    Q_OBJECT

public:
    // Asks for a name, and whether a file that is there may be replaced; empty: the person thought better of it.
    // Replaced by tests.
    using AskFile = std::function<QString(QWidget* parent, const QString& suggestion)>;

    CampaignCopy(EngineBridge* bridge, QWidget* home);
    void setAskFile(AskFile ask) { m_askFile = std::move(ask); }
    void start();

Q_SIGNALS:
    // `text`: where it lies, or what went wrong. Not sent when the person cancelled.
    void finished(bool written, const QString& text);

private:
    EngineBridge* m_bridge;
    QWidget* m_home;
    AskFile m_askFile;
};

} // namespace gks
