// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <string_view>

namespace gks {

// The modules of the amd target: a plain code object, and host code that nothing of HIP is linked to.
std::vector<BuildStep> amdModuleSteps(const DeviceCompiler& compiler, const BuildRequest& request,
                                      const std::filesystem::path& source, const std::filesystem::path& hostModule,
                                      const std::filesystem::path& codeObject);
// A library of the problem pack with host and device code, linked to what `linking` says.
BuildStep amdAnchorStep(const DeviceCompiler& compiler, const BuildRequest& request,
                        const std::filesystem::path& source, const std::vector<std::string>& linking,
                        const std::filesystem::path& library);
// ROCm's compiler; where there is none, the one of the report, whose code objects are sound too.
Result<DeviceCompiler> amdModuleCompiler(const std::string& architecture);
// What host code names of the device code that it would carry, as an assembler's source: empty places. It lies beside
// the kernel's source.
inline constexpr const char* carriedCodeFile = "carried_code.s";
std::string_view carriedCode();

} // namespace gks
