// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/rate_gate.h"

#include <algorithm>
#include <map>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

}

std::shared_ptr<RateGate> RateGate::of(const std::string& service) {
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<RateGate>> gates;
    const std::scoped_lock lock(mutex);
    auto& gate = gates[service];
    if (gate == nullptr) {
        gate = std::make_shared<RateGate>();
    }
    return gate;
}

void RateGate::closeFor(double seconds) {
    const std::scoped_lock lock(m_mutex);
    const auto until =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    m_opensAt = std::max(m_opensAt, until);
}

double RateGate::secondsUntilOpen() const {
    const std::scoped_lock lock(m_mutex);
    return std::max(0.0, std::chrono::duration<double>(m_opensAt - Clock::now()).count());
}

} // namespace gks
