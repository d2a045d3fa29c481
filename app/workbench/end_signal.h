// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace gks {

// Turns SIGTERM into a Qt signal, so that campaigns are put away before the process ends. One for the process.
class EndSignal final : public QObject {
    Q_OBJECT

public:
    explicit EndSignal(QObject* parent = nullptr);
    ~EndSignal() override; // SIGTERM ends the process at once again

Q_SIGNALS:
    void asked();
};

} // namespace gks
