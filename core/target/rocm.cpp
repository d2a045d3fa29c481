// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/rocm.h"

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/base/version_order.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> highestVersionFirst(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().filename().string().starts_with(prefix)) {
            found.push_back(at->path());
        }
    }
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        return versionBefore(b.filename().string(), a.filename().string());
    });
    return found;
}

std::optional<fs::path> firstThere(const fs::path& folder, std::initializer_list<const char*> names,
                                   const char* inIt = "") {
    for (const char* below : names) {
        const fs::path path = folder / below;
        if (isThere(*inIt == '\0' ? path : path / inIt)) {
            return path;
        }
    }
    return std::nullopt;
}

// Beside the installation itself, as far as it is there: what its links and scripts lead to.
std::vector<fs::path> readableParts(const RocmInstallation& rocm) {
    std::vector<fs::path> parts;
    for (const fs::path& part : {rocm.root, rocm.facts.folder, rocm.facts.folder.parent_path() / "lib",
                                 rocm.facts.resources, rocm.headers / "hip", rocm.deviceLibraries}) {
        if (part.is_absolute() && part.has_relative_path() && isThere(part)) {
            parts.push_back(part);
        }
    }
    return parts;
}

RocmSearch refusal(std::string sentence) {
    return {std::nullopt, std::move(sentence)};
}

// Why these headers cannot be used; empty when they can.
std::string whyNot(const RocmInstallation& rocm) {
    if (rocm.hipVersion.empty()) {
        return fmt::format("{} has a compiler but no HIP headers (include/hip)", rocm.root.string());
    }
    if (versionBefore(rocm.hipVersion, oldestRocm)) {
        return fmt::format("HIP {} in {} is older than {}, the first that knows gfx942", rocm.hipVersion,
                           rocm.root.string(), oldestRocm);
    }
    return {};
}

// Asks the compiler and adds what depends on it; a sentence instead when a part is missing.
RocmSearch completed(RocmInstallation rocm) {
    rocm.facts = clangFacts(rocm.compiler);
    if (rocm.facts.version.empty()) {
        return refusal(fmt::format("{} does not run", rocm.compiler.string()));
    }
    if (rocm.deviceLibraries.empty() && !rocm.facts.resources.empty()) {
        rocm.deviceLibraries =
            firstThere(rocm.facts.resources, {"amdgcn/bitcode", "lib/amdgcn/bitcode"}, "ocml.bc").value_or("");
    }
    if (rocm.deviceLibraries.empty()) {
        return refusal(fmt::format("{} has no AMD device libraries (ocml.bc)", rocm.compiler.string()));
    }
    rocm.version = rocm.version.empty() ? rocm.hipVersion : rocm.version;
    rocm.readelf = firstThere(rocm.facts.folder, {"llvm-readelf"});
    rocm.objdump = firstThere(rocm.facts.folder, {"llvm-objdump"});
    rocm.readable = readableParts(rocm);
    return {std::move(rocm), {}};
}

RocmSearch findIn(const fs::path& root) {
    RocmInstallation rocm;
    rocm.compiler = firstThere(root, {"llvm/bin/clang++", "lib/llvm/bin/clang++", "bin/amdclang++"}).value_or("");
    if (rocm.compiler.empty()) {
        return {};
    }
    rocm.root = root;
    const std::string version(trimmed(readFile(root / ".info/version", 4096).value_or("")));
    rocm.version = version.substr(0, version.find_first_of("-\n"));
    rocm.headers = firstThere(root, {"include", "hip/include"}, "hip/hip_runtime.h").value_or(root / "include");
    rocm.hipVersion = hipVersionIn(rocm.headers);
    rocm.deviceLibraries = firstThere(root, {"amdgcn/bitcode", "lib/amdgcn/bitcode"}, "ocml.bc").value_or("");
    std::string refused = whyNot(rocm);
    return refused.empty() ? completed(std::move(rocm)) : refusal(std::move(refused));
}

// A distribution has no hipcc and no folder for ROCm: its headers are among the system's, and the newest of its clangs
// that has device libraries, or can read those that all of them share, is the compiler.
RocmSearch findInSystem(const fs::path& system) {
    RocmInstallation rocm;
    rocm.root = system;
    rocm.headers = system / "include";
    rocm.hipVersion = hipVersionIn(rocm.headers);
    if (rocm.hipVersion.empty()) {
        return {};
    }
    if (std::string refused = whyNot(rocm); !refused.empty()) {
        return refusal(std::move(refused));
    }
    const auto shared =
        firstThere(system, {"lib/x86_64-linux-gnu/amdgcn/bitcode", "lib/aarch64-linux-gnu/amdgcn/bitcode"}, "ocml.bc");
    const int producer = shared ? bitcodeProducerIn(*shared) : 0;
    RocmSearch first;
    for (const fs::path& llvm : highestVersionFirst(system / "lib", "llvm-")) {
        rocm.compiler = llvm / "bin/clang++";
        if (!isThere(rocm.compiler)) {
            continue;
        }
        RocmSearch search = completed(rocm);
        if (!search.found && shared && clangFacts(rocm.compiler).major >= producer) {
            RocmInstallation sharing = rocm;
            sharing.deviceLibraries = *shared;
            search = completed(std::move(sharing));
        }
        if (search.found) {
            return search;
        }
        first = first.refused.empty() ? std::move(search) : std::move(first);
    }
    return first;
}

} // namespace

std::string RocmInstallation::identity() const {
    return facts.identity + " " + folderIdentity(deviceLibraries, ".bc");
}

std::string RocmInstallation::description() const {
    return fmt::format("{} of ROCm {}", facts.version, version);
}

std::vector<std::string> RocmInstallation::flags() const {
    // Without the version clang looks for share/hip/version, and takes HIP for 3.5 when that is missing.
    std::vector<std::string> flags = {"--rocm-path=" + root.string(), "--hip-version=" + hipVersion,
                                      "--rocm-device-lib-path=" + deviceLibraries.string()};
    const std::vector<std::string> first = headerFlags(headers);
    flags.insert(flags.end(), first.begin(), first.end());
    return flags;
}

RocmPlaces rocmPlaces(const fs::path& opt) {
    RocmPlaces places;
    if (const char* named = std::getenv("ROCM_PATH"); named != nullptr && *named != '\0') {
        places.roots.emplace_back(named);
    }
    places.roots.push_back(opt / "rocm");
    const std::vector<fs::path> versioned = highestVersionFirst(opt, "rocm-");
    places.roots.insert(places.roots.end(), versioned.begin(), versioned.end());
    std::error_code ignored;
    if (const auto program = findProgram("amdclang++")) {
        places.roots.push_back(fs::weakly_canonical(*program, ignored).parent_path().parent_path().parent_path());
    }
    std::erase_if(places.roots, [](const fs::path& root) { return !isThere(root); });
    for (fs::path& root : places.roots) {
        root = fs::weakly_canonical(root, ignored);
    }
    return places;
}

RocmSearch findRocm(const RocmPlaces& places) {
    RocmSearch first;
    for (const fs::path& root : places.roots) {
        RocmSearch search = findIn(root);
        if (search.found) {
            return search;
        }
        first = first.refused.empty() ? std::move(search) : std::move(first);
    }
    RocmSearch search = findInSystem(places.system);
    return search.found || first.refused.empty() ? std::move(search) : std::move(first);
}

std::string hipVersionIn(const fs::path& headers) {
    const auto text = readFile(headers / "hip/hip_version.h", 65536);
    if (!text || !isThere(headers / "hip/hip_runtime.h")) {
        return {};
    }
    const auto number = [&](const char* name) {
        return valueAfter(*text, fmt::format("#define HIP_VERSION_{} ", name));
    };
    return fmt::format("{}.{}.{}", number("MAJOR"), number("MINOR"), number("PATCH"));
}

// Clang itself puts a HIP that it was told of behind the system's headers, among which may be those of an older one.
std::vector<std::string> headerFlags(const fs::path& headers) {
    return headers == "/usr/include" ? std::vector<std::string>()
                                     : std::vector<std::string>{"-isystem", headers.string()};
}

} // namespace gks
