// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/hipcpu/retarget/build.h"

#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/resource.h>

namespace {

using namespace gks;

constexpr std::string_view usage = R"(Builds a HIP program for the CPU.

  kernel-scientist-hipcc [options] FILE.hip... -o OUTPUT

  -o FILE        program to write (with -shared: shared object)
  -shared        build a shared object for the runner
  -O0 .. -O3     optimisation level (3)
  -I DIR         folder for #include
  -D NAME[=V]    macro
  -l NAME, -L DIR, -Wl,...   passed to the linker
  -std=..., -f..., -W...     passed to the compiler
  --cache DIR    where precompiled HIP headers are kept (default: the user's cache folder)
  --no-cache     do without precompiled headers
  --emit-llvm    also write the final IR to OUTPUT.ll
  -v             print the time of each stage and how each kernel runs
  --version      print the toolchain
  --help

Exit status: 0 done, 1 the source is at fault, 2 wrong usage, 3 the machine is.
)";

struct Arguments {
    hipcpu::BuildOptions build;
    bool emitLlvm = false;
    bool verbose = false;
    bool version = false;
    bool help = false;
};

Result<Arguments> parse(int count, char** values) {
    Arguments arguments;
    arguments.build.kind = hipcpu::OutputKind::program;
    arguments.build.cacheFolder = cacheFolder();
    for (int i = 1; i < count; ++i) {
        const std::string_view word = values[i];
        // The value of an option: the rest of its word, or the next word.
        const auto value = [&](std::string_view option) -> std::optional<std::string> {
            if (word.size() > option.size()) {
                return std::string(word.substr(option.size()));
            }
            return i + 1 < count ? std::optional<std::string>(values[++i]) : std::nullopt;
        };
        std::optional<std::string> given = "";
        if (word == "--help" || word == "-h") {
            arguments.help = true;
        } else if (word == "--version") {
            arguments.version = true;
        } else if (word == "-v") {
            arguments.verbose = true;
        } else if (word == "-shared") {
            arguments.build.kind = hipcpu::OutputKind::sharedObject;
        } else if (word == "--emit-llvm") {
            arguments.emitLlvm = true;
        } else if (word == "--no-cache") {
            arguments.build.cacheFolder.clear();
        } else if (word == "--cache") {
            given = value("--cache");
            arguments.build.cacheFolder = given.value_or("");
        } else if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3') {
            arguments.build.optimisationLevel = word[2] - '0';
        } else if (word.starts_with("-o")) {
            given = value("-o");
            arguments.build.output = given.value_or("");
        } else if (word.starts_with("-I")) {
            given = value("-I");
            arguments.build.includeFolders.emplace_back(given.value_or(""));
        } else if (word.starts_with("-D")) {
            given = value("-D");
            arguments.build.defines.push_back(given.value_or(""));
        } else if (word.starts_with("-l") || word.starts_with("-L") || word.starts_with("-Wl,")) {
            arguments.build.linkerOptions.emplace_back(word);
        } else if (word.starts_with("-std=") || word.starts_with("-f") || word.starts_with("-W")) {
            arguments.build.compilerOptions.emplace_back(word);
        } else if (word.starts_with('-')) {
            return usageError(fmt::format("unknown option {}", word), {}, "See --help");
        } else {
            arguments.build.sources.emplace_back(word);
        }
        if (!given) {
            return usageError(fmt::format("{} needs a value", word), {}, "See --help");
        }
    }
    const bool asks = arguments.help || arguments.version;
    if (!asks && (arguments.build.sources.empty() || arguments.build.output.empty())) {
        return usageError("a source and -o OUTPUT are needed", {}, "See --help");
    }
    if (arguments.emitLlvm) {
        arguments.build.irPath = arguments.build.output.string() + ".ll";
    }
    return arguments;
}

// A source may make a compiler ask for any amount of memory; the machine must survive that. The children inherit the
// limit.
void limitMemory() {
    constexpr rlim_t addressSpaceBytes = rlim_t{8} << 30;
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > addressSpaceBytes)) {
        limit.rlim_cur = addressSpaceBytes;
        (void)setrlimit(RLIMIT_AS, &limit);
    }
}

int fail(const Error& error) {
    fmt::print(stderr, "{}\n", error.message());
    switch (error.kind) {
    case ErrorKind::kernel:
        return 1;
    case ErrorKind::usage:
        return 2;
    default:
        return 3;
    }
}

void report(const hipcpu::BuildOutcome& outcome) {
    for (const hipcpu::KernelSummary& kernel : outcome.kernels) {
        fmt::print(stderr, "{}: {}, {} static LDS{}\n", kernel.readableName, kernel.loops ? "loop" : "fibres",
                   formatBytes(kernel.staticLdsBytes), kernel.usesDynamicLds ? " and dynamic LDS" : "");
    }
    const hipcpu::BuildSeconds& seconds = outcome.seconds;
    fmt::print(stderr,
               "headers {:.3f} s, device {:.3f} s, host {:.3f} s, retarget {:.3f} s, optimise {:.3f} s, emit {:.3f} s, "
               "link {:.3f} s, total {:.3f} s\n",
               seconds.headers, seconds.device, seconds.host, seconds.prepare, seconds.optimise, seconds.emit,
               seconds.link, seconds.total);
}

} // namespace

int main(int count, char** values) {
    const auto arguments = parse(count, values);
    if (!arguments) {
        return fail(arguments.error());
    }
    if (arguments->help) {
        fmt::print("{}", usage);
        return 0;
    }
    if (arguments->version) {
        const auto toolchain = hipcpu::findToolchain();
        if (!toolchain) {
            return fail(toolchain.error());
        }
        fmt::print("kernel-scientist-hipcc {}\n{}\n", programVersion(), toolchain->identity());
        return 0;
    }
    limitMemory();
    const auto outcome = hipcpu::buildModule(arguments->build);
    if (!outcome) {
        return fail(outcome.error());
    }
    fmt::print(stderr, "{}", outcome->diagnostics);
    if (arguments->verbose) {
        report(*outcome);
    }
    return 0;
}
