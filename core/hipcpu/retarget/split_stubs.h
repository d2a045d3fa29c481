// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace gks::hipcpu {

// What host object and device object of a source need of each other when each is linked by itself. `unit` is the hash
// of the compilation unit id.

// A fat binary that is empty, and the handle that goes with it.
Result<void> emitHostStubs(const std::string& unit, const std::filesystem::path& object);

// The DeviceModule of abi.h, the table of services, and for each service a function that jumps through it.
Result<void> emitDeviceStubs(const std::string& unit, const std::filesystem::path& object);

} // namespace gks::hipcpu
