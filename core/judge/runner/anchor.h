// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/driver.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gks::runner {

// A library of the problem pack in the place of plans: its solve() is called where a plan would be issued. Which one is
// said when the process starts, by whoever starts it; nothing that comes later names one.
class Anchor {
public:
    // The error is a sentence.
    static std::optional<Anchor> load(const std::string& path, std::string& error);
    // "cuBLASLt 13.1.0"; empty where the library does not say.
    std::string version() const;
    // struct Problem of the pack's header in hexadecimal digits. False when it is no such text.
    bool setProblem(std::string_view digits);
    std::uint64_t workspaceBytes() const;
    // Queues its work on the stream, like a plan. The status is the runtime's.
    Driver::Status solve(Driver::Address workspace, Driver::Stream stream) const;

private:
    static constexpr std::size_t problemLimitBytes = 1024;

    alignas(16) std::array<std::uint8_t, problemLimitBytes> m_problem = {};
    int (*m_solve)(const void* problem, void* workspace, void* stream) = nullptr;
    std::size_t (*m_workspaceBytes)(const void* problem) = nullptr;
    const char* (*m_version)() = nullptr;
};

} // namespace gks::runner
