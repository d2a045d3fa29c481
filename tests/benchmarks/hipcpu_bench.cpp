// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the cpu target: seconds to build each seed with cold and warm precompiled headers, and kernel times of
// gemm.hip, fast and with every access checked.
//   hipcpu_bench [PROGRAM]    PROGRAM: gemm.hip built by something else, to be timed in turn with ours
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/retarget/build.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace fs = std::filesystem;
using namespace gks;
using namespace gks::hipcpu;

namespace {

constexpr int warmBuilds = 5;
constexpr int turns = 3;
constexpr const char* timedSize = "512";
constexpr const char* checkedSize = "128"; // a checked one takes seconds
const fs::path root = GKS_SOURCE_DIR;

Result<BuildSeconds> buildOnce(const fs::path& source, const fs::path& output, const fs::path& cache, OutputKind kind,
                               bool isChecked = false) {
    BuildOptions options;
    options.isChecked = isChecked;
    options.sources = {source};
    options.output = output;
    options.kind = kind;
    options.cacheFolder = cache;
    GKS_TRY_ASSIGN(const BuildOutcome outcome, buildModule(options));
    return outcome.seconds;
}

void printBuild(const std::string& name, const fs::path& source, const fs::path& folder, const fs::path& cache,
                OutputKind kind) {
    const auto cold = buildOnce(source, folder / "out", folder / ("cold-" + name), kind);
    if (!cold) {
        fmt::print("{:<28} {}\n", name, cold.error().message());
        return;
    }
    (void)buildOnce(source, folder / "out", cache, kind);
    BuildSeconds best;
    best.total = 1e9;
    for (int i = 0; i < warmBuilds; ++i) {
        const auto warm = buildOnce(source, folder / "out", cache, kind);
        if (warm && warm->total < best.total) {
            best = *warm;
        }
    }
    fmt::print("{:<28} {:7.2f} {:7.2f}  {:7.2f} {:7.2f} {:9.3f} {:9.3f} {:7.3f} {:7.3f}\n", name, cold->total,
               best.total, best.device, best.host, best.prepare, best.optimise, best.emit, best.link);
}

using Times = std::map<std::string, double>;

// Reads the lines "time NAME MS ms" and keeps the best of each.
void runGemm(const fs::path& program, const char* size, Times& times) {
    Command command;
    command.arguments = {program.string(), size};
    const auto run = runProcess(command);
    if (!run || !run->ok()) {
        fmt::print("{} failed: {}\n", program.string(), run ? run->exit.text() : run.error().message());
        return;
    }
    for (const std::string_view line : lines(run->output)) {
        const auto words = split(line, ' ');
        if (words.size() == 4 && words[0] == "time") {
            double ms = 0;
            std::from_chars(words[2].data(), words[2].data() + words[2].size(), ms);
            const auto [entry, isNew] = times.emplace(words[1], ms);
            entry->second = isNew ? ms : std::min(entry->second, ms);
        }
    }
}

void printKernels(const fs::path& program, const fs::path& other) {
    Times ours, others;
    for (int i = 0; i < turns; ++i) {
        runGemm(program, timedSize, ours);
        if (!other.empty()) {
            runGemm(other, timedSize, others);
        }
    }
    fmt::print("\n{:<28} {:>9} {:>9} {:>7}\n", "gemm.hip, 512^3, best", "ms", "other ms", "ratio");
    for (const auto& [name, ms] : ours) {
        if (others.contains(name)) {
            fmt::print("{:<28} {:9.2f} {:9.2f} {:7.2f}\n", name, ms, others[name], ms / others[name]);
        } else {
            fmt::print("{:<28} {:9.2f}\n", name, ms);
        }
    }
}

// The same kernels with and without a check of every access.
void printChecked(const fs::path& fast, const fs::path& checked) {
    Times fastMs, checkedMs;
    for (int i = 0; i < turns; ++i) {
        runGemm(fast, checkedSize, fastMs);
        runGemm(checked, checkedSize, checkedMs);
    }
    fmt::print("\n{:<28} {:>9} {:>9} {:>7}\n", "gemm.hip, 128^3, best", "fast ms", "checked", "times");
    for (const auto& [name, ms] : fastMs) {
        fmt::print("{:<28} {:9.3f} {:9.2f} {:7.0f}\n", name, ms, checkedMs[name], checkedMs[name] / ms);
    }
}

} // namespace

int main(int count, char** arguments) {
    const auto folder = TemporaryDirectory::create("hipcpu-bench");
    if (!folder) {
        fmt::print(stderr, "{}\n", folder.error().message());
        return 3;
    }
    const fs::path cache = folder->path() / "cache";
    fmt::print("{:<28} {:>7} {:>7}  {:>7} {:>7} {:>9} {:>9} {:>7} {:>7}\n", "build, seconds", "cold", "warm", "device",
               "host", "retarget", "optimise", "emit", "link");
    const std::vector<std::string> programs = {"vector_add",  "gemm",      "wave_operations",
                                               "matrix_gemm", "attention", "language"};
    for (const std::string& name : programs) {
        printBuild(name, root / "tests/data/hip" / (name + ".hip"), folder->path(), cache, OutputKind::program);
    }
    const fs::path gemm = folder->path() / "gemm";
    if (buildOnce(root / "tests/data/hip/gemm.hip", gemm, cache, OutputKind::program)) {
        printKernels(gemm, count > 1 ? fs::path(arguments[1]) : fs::path());
    }
    const fs::path checked = folder->path() / "checked";
    if (buildOnce(root / "tests/data/hip/gemm.hip", checked, cache, OutputKind::program, true)) {
        printChecked(gemm, checked);
    }
    return 0;
}
