// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/compiler_identity.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

inline constexpr std::string_view oldestRocm = "6.0"; // the first that knows gfx942

// AMD's compiler with the HIP headers and device libraries that belong to it: ROCm as AMD delivers it, or the packages
// of a distribution.
struct RocmInstallation {
    std::filesystem::path root;     // "/opt/rocm-6.4.3"; "/usr" for a distribution's packages
    std::string version;            // "6.4.3"; that of HIP when the installation does not say its own
    std::string hipVersion;         // "6.4.43484", from its headers
    std::filesystem::path compiler; // its clang++, as found
    CompilerFacts facts;
    std::filesystem::path headers;                // the folder that holds hip/
    std::filesystem::path deviceLibraries;        // the folder that holds ocml.bc
    std::optional<std::filesystem::path> readelf; // its own llvm-readelf
    std::optional<std::filesystem::path> objdump; // and llvm-objdump
    std::vector<std::filesystem::path> readable;  // all that a compilation reads

    std::string identity() const;    // of compiler and device libraries
    std::string description() const; // "clang 21.1.8 of ROCm 6.4.3"
    // What every compilation is told: where things are, and this HIP's headers before any other's.
    std::vector<std::string> flags() const;
};

// Folders in which an installation may be, the first one that is complete counts.
struct RocmPlaces {
    std::vector<std::filesystem::path> roots;
    std::filesystem::path system = "/usr";
};
// ROCM_PATH, /opt/rocm, /opt/rocm-* (the highest version first), where an amdclang++ in PATH is, and the system.
RocmPlaces rocmPlaces(const std::filesystem::path& opt = "/opt");

struct RocmSearch {
    std::optional<RocmInstallation> found;
    std::string refused; // why one that is there cannot be used: a sentence, empty when there is none
};
RocmSearch findRocm(const RocmPlaces& places);

// "6.4.43484" from hip/hip_version.h below this folder; empty when there is no HIP.
std::string hipVersionIn(const std::filesystem::path& headers);
// The option that makes a folder of headers come before the system's.
std::vector<std::string> headerFlags(const std::filesystem::path& headers);

} // namespace gks
