// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <cstdint>

namespace gks {

class EngineBridge;

// Takes back a decision of the person, by the history as it is when it is asked.
class DecisionUndo final : public QObject {
    Q_OBJECT

public:
    explicit DecisionUndo(EngineBridge* bridge, QObject* parent = nullptr) : QObject(parent), m_bridge(bridge) {}

    void undo(std::int64_t decision); // 0: the newest that can be

Q_SIGNALS:
    void refused(const gks::Error& error); // it cannot be taken back, and why

private:
    EngineBridge* m_bridge;
};

} // namespace gks
