// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>

namespace gks {

// What a service told one call (wait so long), told to all: calls to one service in one process wait at one gate.
class RateGate {
public:
    // One gate for each service, for the whole process. `service`: address and model, never a key.
    static std::shared_ptr<RateGate> of(const std::string& service);

    void closeFor(double seconds); // the later end wins
    double secondsUntilOpen() const;

private:
    mutable std::mutex m_mutex;
    std::chrono::steady_clock::time_point m_opensAt;
};

} // namespace gks
