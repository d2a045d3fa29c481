// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/packages.h"

#include "core/base/process.h"

#include <algorithm>
#include <chrono>

namespace gks {
namespace {

// A package that apt could install, or has; of a name that is only known from others apt shows nothing.
bool existsForApt(const std::string& package) {
    Command command;
    command.arguments = {"apt-cache", "show", "--no-all-versions", package};
    RunOptions options;
    options.timeout = std::chrono::seconds(20);
    const auto run = runProcess(command, options);
    return run && run->ok() && !run->output.empty();
}

} // namespace

std::string packageAdvice(const std::vector<PackageNames>& wanted, const std::string& otherwise,
                          const std::function<bool(const std::string&)>& exists) {
    std::string advice = "apt install";
    for (const PackageNames& names : wanted) {
        const auto found = std::find_if(names.begin(), names.end(), exists);
        if (found == names.end()) {
            return otherwise;
        }
        advice += " " + *found;
    }
    return advice;
}

std::string packageAdvice(const std::vector<PackageNames>& wanted, const std::string& otherwise) {
    return packageAdvice(wanted, otherwise, existsForApt);
}

} // namespace gks
