// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::hipcpu {

// What kernel-scientist-hipcc --split leaves in its folder.
inline constexpr const char* hostModuleFile = "host.so";
inline constexpr const char* deviceModuleFile = "device.so";
inline constexpr const char* checkedModuleFile = "checked.so"; // as device.so, and it tells its accesses
inline constexpr const char* moduleFactsFile = "facts.json";

} // namespace gks::hipcpu
