// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace gks {

// Whether the calls of one shape are made on the host instead of the device. On the cpu target both are the same
// processor: a kernel that copies its tensors to the host, computes there and copies back would pass for a fast one,
// though a GPU would show its time to be a CPU's.
class HostWork {
public:
    // Processor time of solve() outside the runtime library, of the time of the call. A sentence when this is what most
    // of the last calls consist of.
    std::optional<std::string> afterCall(double hostCodeUs, double processorUs);

private:
    static constexpr std::size_t window = 15; // calls that are looked at

    std::array<double, window> m_hostCodeUs{};
    std::array<double, window> m_share{};
    std::size_t m_calls = 0;
};

} // namespace gks
