// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/harness_commands.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace gks {

std::string harnessCommands(const Harness& harness) {
    std::vector<std::string> said;
    for (const auto& [what, words] : {std::pair("build", &harness.build), std::pair("verify", &harness.verify),
                                      std::pair("measure", &harness.measure)}) {
        if (!words->empty()) {
            said.push_back(fmt::format("{} {}", what, join(*words, " ")));
        }
    }
    return sanitizedUtf8(abbreviated(fmt::format("{}: {}", harness.name, join(said, "; ")), commandsTextBytes));
}

} // namespace gks
