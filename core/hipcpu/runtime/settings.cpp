// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/settings.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sched.h>

namespace gks::hipcpu {

namespace {

constexpr unsigned maxWorkers = 1024;

unsigned availableProcessors() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    }
    return 1;
}

bool is(const char* name, const char* value) {
    const char* text = std::getenv(name);
    return text && std::strcmp(text, value) == 0;
}

std::uint64_t longestBlock() {
    const char* const given = std::getenv("HIPCPU_BLOCK_SECONDS");
    const unsigned long asked = given ? std::strtoul(given, nullptr, 10) : 0;
    return asked ? asked : Settings{}.longestBlockSeconds;
}

Settings read() {
    const char* threads = std::getenv("HIPCPU_THREADS");
    const unsigned long asked = threads ? std::strtoul(threads, nullptr, 10) : 0;
    return {asked ? static_cast<unsigned>(std::min<unsigned long>(asked, maxWorkers)) : availableProcessors(),
            is("HIPCPU_ORDER", "reversed") ? ThreadOrder::reversed : ThreadOrder::forward, is("HIPCPU_POISON_LDS", "1"),
            is("HIPCPU_CHECK_READS", "1"), longestBlock()};
}

std::optional<Settings> given;

} // namespace

void Settings::use(const Settings& settings) {
    given = settings;
}

const Settings& Settings::instance() {
    static const Settings settings = given ? *given : read();
    return settings;
}

} // namespace gks::hipcpu
