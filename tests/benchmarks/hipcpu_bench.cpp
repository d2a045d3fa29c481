// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the cpu target: seconds from source to program for the test programs and every seed of the built-in
// problems, and the times of kernels beside their goals, beside plain loops of C++ on the same threads and, where it is
// named, beside another build; and what it costs to check every access.
//   hipcpu_bench [HIPCC]    HIPCC: kernel-scientist-hipcc of another build, whose programs take turns with ours
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/retarget/build.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace fs = std::filesystem;
using namespace gks;
using namespace gks::hipcpu;

namespace {

constexpr int builds = 4;
constexpr int turns = 3;
constexpr double goalSeconds = 0.5;
constexpr double keptGoalSeconds = 0.25;
const fs::path root = GKS_SOURCE_DIR;

// The best of some builds with all kernels in the cache, or none; headers always are.
Result<BuildSeconds> bestBuild(const BuildOptions& options, bool hasKernels) {
    BuildSeconds best;
    best.total = 1e9;
    for (int i = 0; i < builds; ++i) {
        if (!hasKernels) {
            std::error_code ignored;
            fs::remove_all(options.cacheFolder / "kernels", ignored);
        }
        GKS_TRY_ASSIGN(const BuildOutcome built, buildModule(options));
        best = built.seconds.total < best.total ? built.seconds : best;
    }
    return best;
}

void printBuild(const std::string& name, const BuildOptions& options) {
    const auto first = buildModule(options); // makes the precompiled headers
    const auto fresh = first ? bestBuild(options, false) : tl::unexpected(first.error());
    const auto kept = fresh ? bestBuild(options, true) : fresh;
    if (!kept) {
        fmt::print("{:<32} {}\n", name, kept.error().message());
        return;
    }
    fmt::print("{:<32} {:7.2f} {:7.2f} {:7.2f} {:9.3f} {:9.3f} {:7.3f} {:7.3f} {:7.2f}{}{}\n", name, fresh->total,
               fresh->device, fresh->host, fresh->prepare, fresh->optimise, fresh->emit, fresh->link, kept->total,
               fresh->total > goalSeconds ? "  falls short" : "",
               kept->total > keptGoalSeconds ? "  kept falls short" : "");
}

void printBuilds(const fs::path& folder) {
    fmt::print("best of {}; goals {} s, and {} s with all kernels kept\n", builds, goalSeconds, keptGoalSeconds);
    fmt::print("{:<32} {:>7} {:>7} {:>7} {:>9} {:>9} {:>7} {:>7} {:>7}\n", "build, seconds", "total", "device", "host",
               "retarget", "optimise", "emit", "link", "kept");
    BuildOptions options;
    options.output = folder / "built";
    options.cacheFolder = folder / "cache";
    for (const char* name : {"vector_add", "gemm", "wave_operations", "matrix_gemm", "attention", "language"}) {
        options.sources = {root / "tests/data/hip" / fmt::format("{}.hip", name)};
        options.kind = OutputKind::program;
        printBuild(name, options);
    }
    const auto packs = builtinProblems();
    for (const ProblemPack& pack : packs.value_or(std::vector<ProblemPack>())) {
        for (const SeedKernel& seed : pack.seeds) {
            options.sources = {folder / "seed.hip"};
            options.kind = OutputKind::sharedObject;
            if (writeFileAtomically(options.sources.front(), seed.source) &&
                writeFileAtomically(folder / "problem.h", generateProblemHeader(pack))) {
                printBuild(fmt::format("{} {}", pack.name, seed.name), options);
            }
        }
    }
}

using Times = std::map<std::string, double>;

// Reads the lines "time NAME MS ms" and keeps the best of each.
void runTimed(const std::vector<std::string>& program, Times& times) {
    Command command;
    command.arguments = program;
    const auto run = runProcess(command);
    if (!run || !run->ok()) {
        fmt::print("{} failed: {}\n", program.front(), run ? run->exit.text() : run.error().message());
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

bool isMade(std::vector<std::string> arguments, const std::string& source, const fs::path& output) {
    arguments.insert(arguments.end(), {(root / source).string(), "-o", output.string()});
    Command command;
    command.arguments = std::move(arguments);
    const auto run = runProcess(command);
    const bool isOk = run && run->ok();
    if (!isOk) {
        fmt::print("{}: {}\n", source, run ? run->error : run.error().message());
    }
    return isOk;
}

struct Program {
    const char* name;
    const char* argument;
};
constexpr Program timedPrograms[] = {{"gemm", "512"}, {"matrix_gemm", "512"}, {"vector_add", "16777216"}};

struct Row {
    const char* kernel;
    const char* title;
    double goalMs; // 0: beside the plain loop
};
constexpr Row rows[] = {{"naive", "512^3 f32, naive", 0},
                        {"tiled16", "512^3 f32, tiles of 16", 12},
                        {"tiled32", "512^3 f32, tiles of 32", 10},
                        {"register", "512^3 f32, register tile", 6},
                        {"fp8", "512^3 fp8, MFMA", 5},
                        {"add", "16M vector add", 0}};
constexpr double mostOfPlainAdd = 1.2;
constexpr Program checkedPrograms[] = {{"gemm", "512"}, {"vector_add", "1048576"}};
constexpr double mostOfFast = 30;

void printKernels(const fs::path& folder, const std::string& otherCompiler) {
    const auto toolchain = findToolchain();
    const std::string plain = (folder / "plain").string();
    if (!toolchain ||
        !isMade({toolchain->clang.string(), "-std=c++20", "-O3", "-march=native", "-ffp-contract=fast", "-pthread"},
                "tests/benchmarks/plain_loops.cpp", plain)) {
        return;
    }
    for (const Program& program : timedPrograms) {
        const std::string source = fmt::format("tests/data/hip/{}.hip", program.name);
        BuildOptions options;
        options.sources = {root / source};
        options.output = folder / program.name;
        options.kind = OutputKind::program;
        options.cacheFolder = folder / "cache";
        if (const auto built = buildModule(options); !built) {
            fmt::print("{}\n", built.error().message());
            return;
        }
        if (!otherCompiler.empty() &&
            !isMade({otherCompiler}, source, folder / fmt::format("other_{}", program.name))) {
            return;
        }
    }
    Times ours, others, loops;
    for (int i = 0; i < turns; ++i) {
        runTimed({plain, timedPrograms[0].argument, timedPrograms[2].argument}, loops);
        for (const Program& program : timedPrograms) {
            runTimed({(folder / program.name).string(), program.argument}, ours);
            if (!otherCompiler.empty()) {
                runTimed({(folder / fmt::format("other_{}", program.name)).string(), program.argument}, others);
            }
        }
    }
    fmt::print("\n{:<28} {:>9} {:>9} {:>9} {:>9}\n", "kernel, ms, best", "ours", "goal", "plain C++", "other");
    for (const Row& row : rows) {
        const bool isAdd = std::string_view(row.kernel) == "add";
        const double plainMs = loops[isAdd ? "add" : "ikj"];
        const double goalMs = isAdd ? mostOfPlainAdd * plainMs : row.goalMs;
        const auto figure = [](double ms) { return ms > 0 ? fmt::format("{:9.2f}", ms) : std::string("         "); };
        fmt::print("{:<28} {} {} {} {}{}\n", row.title, figure(ours[row.kernel]), figure(goalMs), figure(plainMs),
                   figure(others[row.kernel]), goalMs > 0 && ours[row.kernel] > goalMs ? "  falls short" : "");
    }
}

// The same kernels with and without a check of every access; the fast ones are there.
void printChecked(const fs::path& folder) {
    Times fast, checked;
    for (const Program& program : checkedPrograms) {
        BuildOptions options;
        options.sources = {root / fmt::format("tests/data/hip/{}.hip", program.name)};
        options.output = folder / fmt::format("checked_{}", program.name);
        options.kind = OutputKind::program;
        options.isChecked = true;
        options.cacheFolder = folder / "cache";
        if (const auto built = buildModule(options); !built) {
            fmt::print("{}\n", built.error().message());
            return;
        }
        for (int i = 0; i < turns; ++i) {
            runTimed({(folder / program.name).string(), program.argument}, fast);
            runTimed({options.output.string(), program.argument}, checked);
        }
    }
    fmt::print("\n{:<28} {:>9} {:>9} {:>9} {:>9}\n", "kernel, ms, best", "fast", "checked", "times", "goal");
    for (const auto& [name, ms] : fast) {
        const double times = checked[name] / ms;
        fmt::print("{:<28} {:9.3f} {:9.2f} {:9.0f} {:9.0f}{}\n",
                   name == "add" ? "1M vector add" : fmt::format("512^3 f32, {}", name), ms, checked[name], times,
                   mostOfFast, times > mostOfFast ? "  falls short" : "");
    }
}

} // namespace

int main(int count, char** arguments) {
    const auto folder = TemporaryDirectory::create("hipcpu-bench");
    if (!folder) {
        fmt::print(stderr, "{}\n", folder.error().message());
        return 3;
    }
    printBuilds(folder->path());
    printKernels(folder->path(), count > 1 ? arguments[1] : "");
    printChecked(folder->path());
    return 0;
}
