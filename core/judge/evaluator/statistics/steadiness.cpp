// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/steadiness.h"

#include "core/base/files.h"
#include "core/base/process_tree.h"
#include "core/base/text.h"
#include "core/judge/evaluator/statistics/statistics.h"

#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double secondsBetweenReadings = 0.1;
constexpr double shortestThirdSeconds = 0.2; // /proc counts in hundredths of a second
constexpr double loadChangeCores = 0.5;

double number(std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Fields 14 to 17 of proc(5) stat: user and system time, of the process and of the children that it waited for. The
// name before them may hold anything, up to the last bracket.
double ticksOf(const std::string& process) {
    const auto stat = readFile("/proc/" + process + "/stat");
    const std::size_t end = stat ? stat->rfind(')') : std::string::npos;
    if (end == std::string::npos) {
        return 0;
    }
    const auto fields = wordsOf(std::string_view(*stat).substr(end + 1));
    return fields.size() < 15 ? 0 : number(fields[11]) + number(fields[12]) + number(fields[13]) + number(fields[14]);
}

// This process, what it started and what that started.
double ticksOfOwnTree() {
    double ticks = 0;
    for (const std::string& process : processTree(::getpid())) {
        ticks += ticksOf(process);
    }
    return ticks;
}

// First line of proc(5) stat: user, nice, system, idle, iowait, irq, softirq, steal.
double ticksOfAll() {
    const auto stat = readFile("/proc/stat");
    if (!stat) {
        return 0;
    }
    const auto fields = wordsOf(lines(*stat).front());
    double ticks = 0;
    for (std::size_t i = 1; i < fields.size() && i <= 8; ++i) {
        ticks += i == 4 || i == 5 ? 0 : number(fields[i]);
    }
    return ticks;
}

} // namespace

MachineReading readMachine() {
    MachineReading reading;
    reading.seconds = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    reading.othersCpuSeconds = (ticksOfAll() - ticksOfOwnTree()) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return reading;
}

void LoadWatch::tick() {
    const double now = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    if (m_readings.empty() || now - m_lastTick >= secondsBetweenReadings) {
        m_lastTick = now;
        read();
    }
}

void LoadWatch::read() {
    m_readings.push_back(m_read());
}

double LoadWatch::othersCores() const {
    const double seconds = m_readings.empty() ? 0 : m_readings.back().seconds - m_readings.front().seconds;
    return seconds < shortestThirdSeconds
               ? std::numeric_limits<double>::infinity()
               : (m_readings.back().othersCpuSeconds - m_readings.front().othersCpuSeconds) / seconds;
}

std::optional<std::string> LoadWatch::explains(bool slower) const {
    const std::size_t third = m_readings.size() / 3;
    if (third == 0) {
        return std::nullopt;
    }
    const auto cores = [](const MachineReading& begin, const MachineReading& end) {
        const double seconds = end.seconds - begin.seconds;
        return seconds < shortestThirdSeconds ? -1 : (end.othersCpuSeconds - begin.othersCpuSeconds) / seconds;
    };
    const double first = cores(m_readings.front(), m_readings[third]);
    const double last = cores(m_readings[m_readings.size() - 1 - third], m_readings.back());
    const double rise = last - first;
    if (first < 0 || last < 0 || (slower ? rise : -rise) < loadChangeCores) {
        return std::nullopt;
    }
    return fmt::format("other programs used {:.1f} cores at the beginning and {:.1f} at the end", first, last);
}

std::optional<std::string> disturbance(std::span<const double> us, const Cause& cause) {
    const auto shift = levelShift(us);
    const auto why = shift ? cause(*shift > 1) : std::nullopt;
    return why ? std::optional(
                     fmt::format("times of the last third are {:.2f} of those of the first, while {}", *shift, *why))
               : std::nullopt;
}

} // namespace gks
