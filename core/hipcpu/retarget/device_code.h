// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/architecture.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gks::hipcpu {

// Device code of a source that may use that of others (-fgpu-rdc): it is retargeted when all are there.
struct DeviceCode {
    std::string unit; // compilation unit id
    Architecture architecture = Architecture::gfx942;
    bool isChecked = false;
    std::filesystem::path bitcode; // as retarget() takes it
};

// An object with nothing but the device code, for deviceCodeIn().
Result<void> emitDeviceCode(const DeviceCode& code, const std::filesystem::path& object);

// What objects of this kind, or archives of them, hold; empty for any other file. The bitcode is put into the folder,
// under names that begin with `stem`.
Result<std::vector<DeviceCode>> deviceCodeIn(const std::filesystem::path& file, const std::filesystem::path& folder,
                                             const std::string& stem);

// The archives among what a linker is told by -l and -L.
std::vector<std::filesystem::path> archivesAmong(const std::vector<std::string>& linkerOptions);

// All of it as one, which is written to `linked`. An object that is named twice counts once; a kernel
// error names what two sources define.
Result<DeviceCode> linkedDeviceCode(const std::vector<DeviceCode>& codes, const std::filesystem::path& linked);

} // namespace gks::hipcpu
