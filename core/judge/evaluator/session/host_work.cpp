// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/host_work.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>

// Host code of a kernel plans and launches, which takes a microsecond or two. It is judged by the median of several
// calls: page faults of the first ones and a busy machine's interrupts hit a few, a computation takes its time in all.
namespace gks {
namespace {

constexpr std::size_t fewestCalls = 5;
constexpr double allowanceUs = 20; // a sleep or a line of print costs that in the system
constexpr double allowedShare = 0.4;

template<std::size_t Size>
double medianOf(std::array<double, Size> values, std::size_t count) {
    const auto at = [&](std::size_t index) { return values.begin() + static_cast<std::ptrdiff_t>(index); };
    std::nth_element(values.begin(), at(count / 2), at(count));
    return values[count / 2];
}

} // namespace

std::optional<std::string> HostWork::afterCall(double hostCodeUs, double processorUs) {
    m_hostCodeUs[m_calls % window] = hostCodeUs;
    m_share[m_calls % window] = processorUs > 0 ? hostCodeUs / processorUs : 0;
    if (++m_calls < fewestCalls) {
        return std::nullopt;
    }
    const double us = medianOf(m_hostCodeUs, std::min(m_calls, window));
    const double share = medianOf(m_share, std::min(m_calls, window));
    if (us <= allowanceUs || share <= allowedShare) {
        return std::nullopt;
    }
    return fmt::format("solve() computes on the host: {}, {} of a call, are its own host code and neither a "
                       "launch nor a copy nor a wait",
                       formatMicroseconds(us), formatShare(std::min(share, 1.0)));
}

} // namespace gks
