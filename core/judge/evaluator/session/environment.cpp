// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/environment.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/runner_policy.h"

#include <cstdlib>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace gks {
namespace {

// The value behind `key` and a separator, of the first line that begins so.
std::string field(const std::string& text, std::string_view key, char separator) {
    for (const std::string_view line : lines(text)) {
        if (line.starts_with(key)) {
            if (const std::size_t at = line.find(separator); at != std::string_view::npos) {
                return replaceAll(std::string(trimmed(line.substr(at + 1))), "\"", "");
            }
        }
    }
    return {};
}

std::string fileText(const char* path) {
    return readFile(path).value_or(std::string());
}

} // namespace

std::string loadAverage() {
    double load[3] = {0, 0, 0};
    return ::getloadavg(load, 3) == 3 ? fmt::format("{:.2f} {:.2f} {:.2f}", load[0], load[1], load[2]) : "";
}

std::map<std::string, std::string> describeEnvironment() {
    std::map<std::string, std::string> facts;
    facts["version"] = programVersion();
    facts["os"] = field(fileText("/etc/os-release"), "PRETTY_NAME", '=');
    utsname system{};
    if (::uname(&system) == 0) {
        facts["kernel"] = fmt::format("{} {}", system.sysname, system.release);
        facts["machine"] = system.machine;
    }
    facts["cpu"] = field(fileText("/proc/cpuinfo"), "model name", ':');
    facts["cpu_count"] = std::to_string(::sysconf(_SC_NPROCESSORS_ONLN));
    facts["timed_threads"] = std::to_string(timedThreadsOnCpu());
    facts["governor"] = trimmed(fileText("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && pageBytes > 0) {
        facts["memory"] = formatBytes(static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes));
    }
    const std::string nvidia = fileText("/proc/driver/nvidia/version");
    facts["nvidia_driver"] = trimmed(std::string_view(nvidia).substr(0, nvidia.find('\n')));
    facts["amdgpu_driver"] = trimmed(fileText("/sys/module/amdgpu/version"));
    facts["load"] = loadAverage();
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    return facts;
}

} // namespace gks
