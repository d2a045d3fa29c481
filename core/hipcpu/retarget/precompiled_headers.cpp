// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled HIP headers. Nearly all of a front end's half second goes into parsing the HIP headers, so they are
// parsed once per toolchain, options and set of headers. The set is a subset of the five headers that kernels use, so
// the cache holds few files. A file serves the options that it was made with and no others: a macro or a language mode
// that differs would be an error of the compiler, or pass unseen. The precompiled file is made of -include options over
// an empty main file: no file of ours is recorded in it whose time stamp could differ between machines or processes.
// What the headers themselves use of templates is instantiated in it: left to the sources, that is half of each front
// end's time.
#include "core/hipcpu/retarget/precompiled_headers.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/options/compiler_options.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 5> headersOfHip = {"hip/hip_runtime.h", "hip/hip_fp16.h", "hip/hip_bf16.h",
                                                          "hip/hip_fp8.h", "hip/hip_cooperative_groups.h"};
constexpr int followedDepth = 4;

// Reads directives up to the first line that is neither an include, a comment nor #pragma once.
class LeadingIncludes {
public:
    explicit LeadingIncludes(const std::vector<fs::path>& includeFolders) : m_includeFolders(includeFolders) {}

    // False when reading has to stop for good.
    bool read(const fs::path& file, int depth) {
        const auto text = readFile(file);
        if (!text || depth == 0) {
            return false;
        }
        bool comment = false;
        for (const std::string_view line : lines(*text)) {
            const std::string_view code = withoutComments(line, comment);
            if (code.empty() || code.starts_with("#pragma once")) {
                continue;
            }
            if (!code.starts_with('#') || !trimmed(code.substr(1)).starts_with("include")) {
                return false;
            }
            if (!include(trimmed(trimmed(code.substr(1)).substr(7)), file.parent_path(), depth)) {
                return false;
            }
        }
        return true;
    }

    std::set<std::string_view> found;

private:
    static std::string_view withoutComments(std::string_view line, bool& inside) {
        for (;;) {
            line = trimmed(line);
            if (inside) {
                const std::size_t end = line.find("*/");
                if (end == std::string_view::npos) {
                    return {};
                }
                inside = false;
                line.remove_prefix(end + 2);
            } else if (line.starts_with("/*")) {
                inside = true;
                line.remove_prefix(2);
            } else {
                return line.starts_with("//") ? std::string_view() : line;
            }
        }
    }

    bool include(std::string_view name, const fs::path& folder, int depth) {
        const bool quoted = name.starts_with('"');
        const std::size_t end = name.find(quoted ? '"' : '>', 1);
        if (end == std::string_view::npos) {
            return false;
        }
        name = name.substr(1, end - 1);
        // Many kernels include the file that AMD's header of the shorter name forwards to.
        const std::string plain = replaceAll(std::string(name), "hip/amd_detail/amd_", "hip/");
        if (const auto header = std::find(headersOfHip.begin(), headersOfHip.end(), plain);
            header != headersOfHip.end()) {
            found.insert(*header);
            return true;
        }
        std::error_code ignored;
        if (quoted && fs::exists(folder / name, ignored)) {
            return read(folder / name, depth - 1);
        }
        for (const fs::path& other : m_includeFolders) {
            if (fs::exists(other / name, ignored)) {
                return read(other / name, depth - 1);
            }
        }
        return true; // a system header
    }

    const std::vector<fs::path>& m_includeFolders;
};

std::string cacheKey(const Toolchain& toolchain, const std::vector<std::string>& options,
                     const std::vector<std::string>& headers) {
    std::string all = toolchain.identity() + "\n" + join(options, "\n") + "\n" + join(headers, "\n");
    for (const std::string& header : headers) {
        for (const fs::path& folder : {toolchain.hipPrefix / "include", toolchain.ownHeaders()}) {
            std::error_code missing;
            const auto time = fs::last_write_time(folder / header, missing);
            all += missing ? std::string("\n-") : fmt::format("\n{}", time.time_since_epoch().count());
        }
    }
    // What extends HIP's headers is included by them, under no name that a source writes.
    std::error_code missing;
    for (fs::recursive_directory_iterator own(toolchain.ownHeaders(), missing), end; !missing && own != end;
         own.increment(missing)) {
        std::error_code gone;
        const auto time = own->last_write_time(gone);
        all += fmt::format("\n{} {}", own->path().string(), gone ? 0 : time.time_since_epoch().count());
    }
    return sha256Hex(all).substr(0, 24);
}

// Names that HIP's headers, the C library's or the compiler's own ask for. A kernel's tile sizes are not among them.
bool isMacroOfHeaders(std::string_view name) {
    static constexpr auto others =
        std::to_array<std::string_view>({"NDEBUG", "USE_PROF_API", "GENERIC_GRID_LAUNCH",
                                         "OCML_BASIC_ROUNDED_OPERATIONS", "USE_PEER_NON_UNIFIED", "WAVEFRONT_SIZE"});
    name = name.substr(0, name.find('='));
    return name.starts_with('_') || name.find("HIP") != std::string_view::npos || name.starts_with("CUDA") ||
           std::find(others.begin(), others.end(), name) != others.end();
}

// The front end compiles for gfx942 (see architecture.h); the code is to take it for the other one. Host code is parsed
// with the same builtins.
std::vector<std::string> architectureOptions(const Toolchain& toolchain, Side side, Architecture architecture) {
    const std::string name(nameOf(architecture));
    std::vector<std::string> options = {"-include", (toolchain.ownHeaders() / name / "builtins.h").string()};
    if (side == Side::device) {
        options.insert(options.end(), {"-U__gfx942__", fmt::format("-D__{}__=1", name)});
        for (const char* macro : {"__amdgcn_processor__", "__amdgcn_target_id__"}) {
            options.insert(options.end(), {fmt::format("-U{}", macro), fmt::format("-D{}=\"{}\"", macro, name)});
        }
    }
    return options;
}

} // namespace

std::vector<std::string> sideOptions(const Toolchain& toolchain, Side side, int optimisationLevel,
                                     Architecture architecture) {
    std::vector<std::string> options = toolchain.languageOptions();
    options.insert(options.end(), withoutModules.begin(), withoutModules.end());
    if (architecture != Architecture::gfx942) {
        const std::vector<std::string> more = architectureOptions(toolchain, side, architecture);
        options.insert(options.end(), more.begin(), more.end());
    }
    if (side == Side::device) {
        // The level only tells the front end to leave optimisation to us; the IR comes out unoptimised.
        for (const char* option : {"--cuda-device-only", "-O3", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
                                   "-gline-tables-only"}) {
            options.emplace_back(option);
        }
    } else {
        options.insert(options.end(),
                       {"--cuda-host-only", fmt::format("-O{}", std::min(optimisationLevel, 2)), "-fPIC", "-c"});
    }
    return options;
}

std::vector<std::string> leadingHipHeaders(const fs::path& source, const std::vector<fs::path>& includeFolders) {
    LeadingIncludes includes(includeFolders);
    includes.read(source, followedDepth);
    std::vector<std::string> headers;
    if (!includes.found.contains(headersOfHip.front())) {
        return headers;
    }
    for (const std::string_view header : headersOfHip) {
        if (includes.found.contains(header)) {
            headers.emplace_back(header);
        }
    }
    return headers;
}

std::vector<std::string> optionsOfHeaders(const std::vector<std::string>& frontEndOptions) {
    std::vector<std::string> kept;
    for (std::size_t at = 0; at < frontEndOptions.size(); ++at) {
        const std::string_view word = frontEndOptions[at];
        if (word == "-D" || word == "-U") {
            if (++at < frontEndOptions.size() && isMacroOfHeaders(frontEndOptions[at])) {
                kept.push_back(std::string(word) + frontEndOptions[at]);
            }
        } else if (word.starts_with("-D") || word.starts_with("-U")) {
            if (isMacroOfHeaders(word.substr(2))) {
                kept.emplace_back(word);
            }
        } else if (word.starts_with("-std=") || word.starts_with("-f") || word.starts_with("-m") ||
                   word.starts_with("--gpu-max-threads-per-block=") || word == "-pthread") {
            kept.emplace_back(word);
        }
    }
    return kept;
}

fs::path precompiledHeader(const Toolchain& toolchain, Side side, const std::vector<std::string>& options,
                           const std::vector<std::string>& headers, const fs::path& cacheFolder,
                           const std::stop_token& stop) {
    if (headers.empty() || cacheFolder.empty()) {
        return {};
    }
    std::vector<std::string> making = options;
    making.emplace_back("-fpch-instantiate-templates");
    const fs::path folder = cacheFolder / "hip-headers";
    const fs::path path = folder / fmt::format("{}-{}.pch", cacheKey(toolchain, making, headers),
                                               side == Side::device ? "device" : "host");
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
        return path;
    }
    if (!makeDirectories(folder)) {
        return {};
    }
    const fs::path own = path.string() + fmt::format(".{}.{}", getpid(), static_cast<int>(side));
    Command command;
    command.arguments = {toolchain.clang.string()};
    command.arguments.insert(command.arguments.end(), making.begin(), making.end());
    for (const std::string& header : headers) {
        command.arguments.insert(command.arguments.end(), {"-include", header});
    }
    command.arguments.insert(command.arguments.end(), {"-Xclang", "-emit-pch", "/dev/null", "-o", own.string()});
    const auto made = runProcess(command, {.stop = stop});
    if (!made || !made->ok()) {
        fs::remove(own, ignored);
        return {};
    }
    std::error_code failed;
    fs::rename(own, path, failed);
    return failed ? fs::path() : path;
}

} // namespace gks::hipcpu
