// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

class QWidget;

namespace gks {

class EngineBridge;

// Writes what verdicts rest on into a folder of the person's choice: of the whole campaign with its report, or of one
// kernel. Reading, hashing and writing happen on a worker thread; the window goes on.
class EvidenceExport final : public QObject {
    Q_OBJECT

public:
    // Asks for a folder that is not there yet; empty: the person thought better of it. Replaced by tests.
    using AskFolder = std::function<QString(QWidget* parent, const QString& suggestion)>;

    EvidenceExport(EngineBridge* bridge, QWidget* home);
    void setAskFolder(AskFolder ask) { m_askFolder = std::move(ask); }
    void start(std::optional<KernelId> kernel);

Q_SIGNALS:
    // `text`: where it lies and its root hash, or what went wrong.
    void finished(bool written, const QString& text);

private:
    void tell(bool written, const QString& text);

    EngineBridge* m_bridge;
    QWidget* m_home;
    AskFolder m_askFolder;
};

} // namespace gks
