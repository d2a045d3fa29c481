// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gks {

// One package under the names that distributions have for it; the first that exists counts.
using PackageNames = std::vector<std::string>;

// "apt install clang-19 llvm-19" when each of them exists here, otherwise `otherwise`: a name that this system's
// package manager does not know helps nobody.
std::string packageAdvice(const std::vector<PackageNames>& wanted, const std::string& otherwise,
                          const std::function<bool(const std::string&)>& exists);
// The same, asking apt-cache. Where there is no apt nothing exists.
std::string packageAdvice(const std::vector<PackageNames>& wanted, const std::string& otherwise);

} // namespace gks
