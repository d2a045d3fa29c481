// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/base/sanitized.h"
#include "core/base/text.h"
#include "core/hipcpu/lowered_names.h"
#include "core/hipcpu/retarget/build.h"

#include <csignal>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/resource.h>

namespace {

using namespace gks;

constexpr std::string_view usage = R"(Build a HIP program for the CPU.

  kernel-scientist-hipcc [options] FILE.hip... [-o OUTPUT]

  -o FILE        output program (with -shared: shared object; default: a.out, with -c FILE.o)
  -shared        build a shared object
  --genco        build a code object for hipModuleLoad (here a shared object, too)
  -c             build an object; objects are linked by naming them (FILE.o) beside or instead of sources
  --split DIR    with -shared: leave host code (host.so), device code (device.so), the same telling its accesses (checked.so)
                 and what is known of its kernels and variables (facts.json) in DIR; -o is not needed
  --checked      check every access of device code while the program runs: accesses outside or of freed memory, reads of
                 what nobody has written, races, misaligned addresses, barriers where threads have parted, endless loops.
                 The first fault ends the program with what, where and which memory (slower by one or two orders)
  --cache DIR    folder for precompiled HIP headers and compiled kernels (default: the user cache folder)
  --no-cache     do not use precompiled headers and kernels that were compiled before
  --emit-llvm    also write the final IR to OUTPUT.ll
  --lowered-names FILE   for hipRTC: with what its name expressions are called
  -v             print the time of each stage, how each kernel runs, and which options mean nothing here
  --version      print the toolchain
  --help

Options of hipcc:
  -O0 .. -O3 -Ofast -Os   optimisation level (3)
  -std= -D -U -I -isystem -iquote -idirafter -include -f... -W... -w -pthread -fopenmp -munsafe-fp-atomics --gpu-max-threads-per-block=   for the front ends
  -g...                   debugging information of host code; with --checked also names in messages
  -fgpu-rdc               device code of several sources, objects and archives is linked together
  -l -L -Wl,...           for the linker
  --offload-arch=gfx942|gfx950[:...]   which architecture the device code is written for (gfx942; of several the first that is known); others alone
                                       are refused
  -x hip                  accepted: another language is refused
  -mllvm X -R... -m... --save-temps    accepted, and ignored: they are for the code generator of a GPU

Exit status: 0 success, 1 error in the source, 2 usage error, 3 infrastructure error, 137 a compiler was killed (SIGKILL).
)";

struct Arguments {
    hipcpu::BuildOptions build;
    std::filesystem::path loweredNames; // empty: nobody asks
    bool emitLlvm = false;
    bool verbose = false;
    bool version = false;
    bool help = false;
};

bool isLinked(const std::string& word) {
    return word.ends_with(".o") || word.ends_with(".a") || word.ends_with(".so");
}

// As compilers have it, in the folder where one works.
std::filesystem::path usualOutput(const hipcpu::BuildOptions& build) {
    const bool isObject = build.kind == hipcpu::OutputKind::object && !build.sources.empty();
    return isObject ? build.sources.front().filename().replace_extension(".o") : std::filesystem::path("a.out");
}

Result<Arguments> parse(int count, char** values) {
    Arguments arguments;
    arguments.build.kind = hipcpu::OutputKind::program;
    arguments.build.cacheFolder = cacheFolder();
    const std::vector<std::string> words(values + 1, values + count);
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        // The value of an option: the rest of its word, or the next word.
        const auto value = [&](std::string_view option) -> std::optional<std::string> {
            if (word.size() > option.size()) {
                return word.substr(option.size());
            }
            return at + 1 < words.size() ? std::optional<std::string>(words[++at]) : std::nullopt;
        };
        std::optional<std::string> given = "";
        if (word == "--help" || word == "-h") {
            arguments.help = true;
        } else if (word == "--version") {
            arguments.version = true;
        } else if (word == "-v") {
            arguments.verbose = true;
        } else if (word == "-shared" || word == "--genco") {
            arguments.build.kind = hipcpu::OutputKind::sharedObject;
            if (word == "--genco") { // no host code launches its kernels, so it need not declare how
                arguments.build.compiler.frontEnd.push_back("-fno-hip-new-launch-api");
            }
        } else if (word == "--split") {
            given = value("--split");
            arguments.build.splitFolder = given;
        } else if (word == hipcpu::loweredNamesOption) {
            given = value(word);
            arguments.loweredNames = given.value_or("");
        } else if (word == "--checked") {
            arguments.build.isChecked = true;
        } else if (word == "--emit-llvm") {
            arguments.emitLlvm = true;
        } else if (word == "--no-cache") {
            arguments.build.cacheFolder.clear();
        } else if (word == "--cache") {
            given = value("--cache");
            arguments.build.cacheFolder = given.value_or("");
        } else if (word.starts_with("-o")) {
            given = value("-o");
            arguments.build.output = given.value_or("");
        } else if (word.starts_with('-')) {
            GKS_TRY_ASSIGN(const std::size_t taken, hipcpu::readOption(words, at, arguments.build.compiler));
            if (taken == 0) {
                return usageError(fmt::format("unknown option {}", word), {}, "Run with --help");
            }
            at += taken - 1;
        } else if (isLinked(word)) {
            arguments.build.objects.emplace_back(word);
        } else {
            arguments.build.sources.emplace_back(word);
        }
        if (!given) {
            return usageError(fmt::format("{} needs a value", word), {}, "Run with --help");
        }
    }
    GKS_TRY(hipcpu::checkArchitectures(arguments.build.compiler));
    if (arguments.build.compiler.compileOnly && !arguments.build.splitFolder) { // a split build is whole in any case
        arguments.build.kind = hipcpu::OutputKind::object;
    }
    const bool asks = arguments.help || arguments.version;
    const bool hasInput = !arguments.build.sources.empty() || !arguments.build.objects.empty();
    if (!asks && !hasInput) {
        return usageError("missing source file", {}, "Run with --help");
    }
    if (arguments.build.output.empty() && !arguments.build.splitFolder && hasInput) {
        arguments.build.output = usualOutput(arguments.build);
    }
    if (arguments.emitLlvm) {
        if (arguments.build.output.empty()) { // of a split build
            return usageError("--emit-llvm writes beside OUTPUT: -o is needed", {}, "Run with --help");
        }
        arguments.build.irPath = arguments.build.output.string() + ".ll";
    }
    return arguments;
}

// A source may make a compiler ask for any amount of memory; the machine must survive that. The children inherit the
// limit.
void limitMemory() {
    constexpr rlim_t addressSpaceBytes = rlim_t{8} << 30;
    rlimit limit{};
    if (!isSanitized && getrlimit(RLIMIT_AS, &limit) == 0 &&
        (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > addressSpaceBytes)) {
        limit.rlim_cur = addressSpaceBytes;
        (void)setrlimit(RLIMIT_AS, &limit);
    }
}

int fail(const Error& error) {
    fmt::print(stderr, "{}\n", error.message());
    if (tellsOfKill(error)) {
        return 128 + SIGKILL;
    }
    switch (error.kind) {
    case ErrorKind::kernel:
        return 1;
    case ErrorKind::usage:
        return 2;
    default:
        return 3;
    }
}

void report(const hipcpu::CompilerOptions& options, const hipcpu::BuildOutcome& outcome) {
    for (const auto* unused : {&options.deviceBackEnd, &options.ignored}) {
        if (!unused->empty()) {
            fmt::print(stderr, "ignored on the cpu target: {}\n", join(*unused, " "));
        }
    }
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
    if (!arguments->loweredNames.empty()) {
        const auto written = writeFileAtomically(arguments->loweredNames, join(outcome->loweredNames, "\n") + "\n");
        if (!written) {
            return fail(written.error());
        }
    }
    if (arguments->verbose) {
        report(arguments->build.compiler, *outcome);
    }
    return 0;
}
