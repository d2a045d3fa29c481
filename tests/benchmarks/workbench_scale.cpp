// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "tests/benchmarks/large_campaign.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// What large campaigns cost, beside what they may cost: a real file, its kernels with sources, verdicts with samples,
// prompts and replies. Every figure is taken in a process of its own, so that its memory is its own.
//     workbench_scale [--kernels 10000,100000] [--folder DIR] [--programs BUILD/bin]
// A campaign that lies in the folder already is taken again.
namespace gks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double millisecondsOf(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

template<class T>
T orEnd(Result<T> value) {
    if (!value) {
        fmt::print(stderr, "workbench_scale: {}: {}\n", value.error().where, value.error().what);
        std::exit(3);
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*value);
    }
}

struct Cost {
    double milliseconds = -1; // below 0: it ended with an error
    double megabytes = 0;     // the largest resident set
};

// Runs `work`, which returns its milliseconds, in a child.
Cost inChild(const std::function<double()>& work) {
    std::array<int, 2> ends = {};
    if (pipe(ends.data()) != 0) {
        return {};
    }
    std::fflush(nullptr); // what the child would print again
    const pid_t child = fork();
    if (child == 0) {
        const double took = work();
        const bool told = write(ends[1], &took, sizeof took) == sizeof took;
        std::fflush(nullptr);
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    Cost cost;
    if (read(ends[0], &cost.milliseconds, sizeof cost.milliseconds) != sizeof cost.milliseconds) {
        cost.milliseconds = -1;
    }
    close(ends[0]);
    int status = 0;
    rusage usage = {};
    wait4(child, &status, 0, &usage);
    cost.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    return cost;
}

Cost ofProgram(const fs::path& program, const std::vector<std::string>& arguments) {
    return inChild([&] {
        return millisecondsOf([&] {
            const pid_t child = fork();
            if (child == 0) {
                std::vector<char*> line = {const_cast<char*>(program.c_str())};
                for (const std::string& argument : arguments) {
                    line.push_back(const_cast<char*>(argument.c_str()));
                }
                line.push_back(nullptr);
                setenv("QT_QPA_PLATFORM", "offscreen", 1);
                static_cast<void>(std::freopen("/dev/null", "w", stdout));
                static_cast<void>(std::freopen("/dev/null", "w", stderr));
                execv(program.c_str(), line.data());
                _exit(127);
            }
            int status = 0;
            rusage usage = {};
            wait4(child, &status, 0, &usage); // its memory counts as the caller's
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
                _exit(1);
            }
        });
    });
}

class Rows {
public:
    void add(const std::string& figure, double value, double goal, const char* unit) {
        const bool holds = value >= 0 && value <= goal;
        m_table.add({figure, value < 0 ? "failed" : fmt::format("{} {}", formatSignificant(value), unit),
                     fmt::format("{} {}", formatSignificant(goal), unit), holds ? "" : "falls short"});
    }
    Rows() { m_table.add({"figure", "measured", "goal", ""}); }
    std::string text() const { return m_table.text(); }

private:
    cli::Table m_table;
};

void figures(std::int64_t kernels, const fs::path& file, const fs::path& programs) {
    const bool isLarge = kernels > 10'000;
    Rows rows;
    const auto bytes = static_cast<double>(fs::file_size(file));
    rows.add("file, a kernel beyond its source",
             (bytes / static_cast<double>(kernels) - largeCampaignSourceBytes) / 1024, 8, "KB");
    const Cost open = inChild([&] {
        return millisecondsOf([&] {
            const auto store = orEnd(CampaignStore::open(file, CampaignStore::Access::read));
            orEnd(store->population());
        });
    });
    rows.add("population read", open.milliseconds, isLarge ? 1000 : 300, "ms");
    rows.add("  its memory", open.megabytes, isLarge ? 300 : 150, "MB");
    // On a copy: the file is taken again.
    const fs::path copy = fs::path(file).replace_extension("written.gks");
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    const auto write = [&](bool ofPopulation) {
        return inChild([&] {
            const auto store = orEnd(CampaignStore::open(copy));
            orEnd(store->population());
            std::vector<double> took;
            for (int i = 0; i < 9; ++i) {
                const double added = millisecondsOf([&] { appendKernel(*store, kernels + i + 1); });
                const double read = millisecondsOf([&] { orEnd(store->population()); });
                took.push_back(ofPopulation ? read : added);
            }
            std::nth_element(took.begin(), took.begin() + 4, took.end());
            return took[4];
        });
    };
    const double append = write(false).milliseconds;
    const double next = write(true).milliseconds;
    fs::remove(copy);
    rows.add("append: kernel, experiment, exchange, verdict", append, 5, "ms");
    rows.add("population after it", next, 50, "ms");
    const auto search = [&](const char* words, int limit) {
        return inChild([&] {
            const auto store = orEnd(CampaignStore::open(file, CampaignStore::Access::read));
            return millisecondsOf([&] { orEnd(store->searchKernels(words, limit)); });
        });
    };
    rows.add("search, first hit", search("unroll7", 1).milliseconds, 100, "ms");
    rows.add("search, all of a rare word", search("unroll7", 1'000'000).milliseconds, 500, "ms");
    rows.add("search, all of a word in every kernel", search("blockIdx", 1'000'000).milliseconds, 500, "ms");
    const fs::path cli = programs / "kernel-scientist-cli";
    const Cost show = ofProgram(cli, {"show", file.string()});
    rows.add("show", show.milliseconds, 500, "ms");
    rows.add("  its memory", show.megabytes, 100, "MB");
    rows.add("show --best", ofProgram(cli, {"show", file.string(), "--best"}).milliseconds, 100, "ms");
    rows.add("show --search, a rare word", ofProgram(cli, {"show", file.string(), "--search", "unroll7"}).milliseconds,
             500, "ms");
    const fs::path window = programs / "kernel-scientist";
    if (fs::exists(window)) {
        const Cost drawn =
            ofProgram(window, {file.string(), "--screenshot", file.string() + ".png", "--size", "1280x800"});
        rows.add("window: start, open, draw everything, end", drawn.milliseconds, 3000, "ms");
        rows.add("  its memory", drawn.megabytes, isLarge ? 300 : 150, "MB");
    }
    cli::say("{} kernels, {}\n{}\n", kernels, file.filename().string(), rows.text());
}

} // namespace
} // namespace gks

int main(int argc, char** argv) {
    using namespace gks;
    std::vector<std::int64_t> sizes = {10'000, 100'000};
    std::filesystem::path folder;
    std::filesystem::path programs = std::filesystem::path(argv[0]).parent_path().parent_path() / "bin";
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--kernels") {
            sizes.clear();
            for (const std::string& size : split(argv[i + 1], ',')) {
                sizes.push_back(std::atoll(size.c_str()));
            }
        } else if (option == "--folder") {
            folder = argv[i + 1];
        } else if (option == "--programs") {
            programs = argv[i + 1];
        }
    }
    const TemporaryDirectory own = TemporaryDirectory::create("scale").value();
    for (const std::int64_t size : sizes) {
        const auto file = (folder.empty() ? own.path() : folder) / fmt::format("scale-{}.gks", size);
        if (!std::filesystem::exists(file)) {
            const double took = millisecondsOf([&] { orEnd(makeLargeCampaign(file, size)); });
            cli::note("made {} in {} s\n", file.string(), formatSignificant(took / 1000));
        }
        figures(size, file, programs);
    }
}
