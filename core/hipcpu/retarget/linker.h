// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/retarget/build.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gks::hipcpu {

// Of one source, on their way to modules of their own.
struct SplitObjects {
    std::string unit; // hash of the compilation unit id
    std::filesystem::path host;
    std::vector<std::filesystem::path> device;
    std::vector<std::filesystem::path> checked; // device code that tells its accesses
};

class Linker {
public:
    Linker(const BuildOptions& options, const Toolchain& toolchain) : m_options(options), m_toolchain(toolchain) {}

    // What the options ask for. The first of `units`, hashes of compilation unit ids, has the device code of all.
    Result<void> link(const std::vector<std::filesystem::path>& objects, const std::vector<std::string>& units,
                      const std::filesystem::path& scratch) const;

    // host.so: host code with an empty fat binary. What it calls of HIP stays open for whoever loads it.
    // device.so: device code alone. It needs no library and leaves nothing open: the runtime's services come through
    // the table of DeviceModule, the compiler's own helper functions are linked in, anything else is refused.
    // checked.so: likewise. `scratch` is for files between.
    Result<void> split(const SplitObjects& objects, const std::filesystem::path& folder,
                       const std::filesystem::path& scratch) const;

private:
    // By way of the compiler's driver.
    Result<void> run(std::vector<std::string> arguments, std::string_view refusal) const;
    bool isLinkedDirectly(const std::vector<std::string>& objects, const std::vector<std::string>& options) const;

    const BuildOptions& m_options;
    const Toolchain& m_toolchain;
};

// Of compilers and linkers, as far as people read them.
std::string boundedDiagnostics(const std::string& diagnostics);

} // namespace gks::hipcpu
