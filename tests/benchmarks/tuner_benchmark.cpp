// SPDX-License-Identifier: GPL-3.0-or-later
// How soon the tuner finds a good point, against a search at random. Spaces of a few hundred points were measured
// whole, once; searches are replayed on those tables, so that a hundred of them cost seconds.
//   tuner_benchmark measure SPACE --table FILE.csv   goes through the real evaluator, and on where it was stopped
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/files.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/judge/evaluator_client.h"
#include "tests/benchmarks/tuning_table.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>
#include <random>

using namespace gks;
using namespace gks::cli;
using namespace gks::tuning;

namespace {

constexpr const char* tables = GKS_SOURCE_DIR "/tests/data/tuning";

Result<SmallSpace> spaceNamed(const std::string& name) {
    std::vector<std::string> known;
    for (const SmallSpace& space : smallSpaces()) {
        if (space.name == name) {
            return space;
        }
        known.push_back(space.name);
    }
    return usageError(fmt::format("there is no space \"{}\"", name), {}, "There are " + join(known, ", "));
}

std::string loadAverage() {
    std::ifstream file("/proc/loadavg");
    std::string load;
    file >> load;
    return load;
}

// Every point once in each pass; later passes find their builds in the cache.
Result<void> measure(const SmallSpace& small, const std::filesystem::path& file, int passes, double seconds) {
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("tuner-benchmark"));
    const std::filesystem::path pack = folder.path() / small.problem;
    GKS_TRY(writePack(small, pack));
    GKS_TRY_ASSIGN(const std::string source, sourceOf(small));
    GKS_TRY_ASSIGN(const SearchSpace space, SearchSpace::of(source));
    tuning::Table table;
    if (std::filesystem::exists(file)) {
        GKS_TRY_ASSIGN(const std::string text, readFile(file));
        GKS_TRY_ASSIGN(table, fromCsv(text, space));
    } else {
        for (std::uint64_t i = 0; i < space.size(); ++i) {
            if (space.allows(space.pointAt(i))) {
                table.rows.push_back({space.pointAt(i), "open", {}});
            }
        }
    }
    EvaluatorClient client;
    for (int pass = 1; pass <= passes; ++pass) {
        std::size_t done = 0;
        for (Row& row : table.rows) {
            ++done;
            const bool failed = row.verdict != "correct" && row.verdict != "open";
            if (failed || row.us.size() >= static_cast<std::size_t>(pass)) {
                continue;
            }
            EvaluationRequest request;
            request.id = fmt::format("{}-{}", pass, done);
            request.problem = pack.string();
            GKS_TRY_ASSIGN(request.source, withTunables(source, space.valuesOf(row.point)));
            request.target = small.target;
            request.measureSeconds = seconds;
            const Verdict verdict = client.evaluate(request, [](const EvaluationEvent&) {}, {});
            if (verdict.kind == VerdictKind::infrastructureFailed) {
                return infrastructureError(verdict.reason, small.problem, verdict.next);
            }
            row.verdict = name(verdict.kind);
            if (verdict.geomeanUs > 0) {
                row.us.push_back(verdict.geomeanUs);
            }
            const std::string load = loadAverage();
            if (table.remarks.empty()) {
                table.remarks = {
                    fmt::format("{} timings, geometric mean of the shapes {} of {}, seed {}, in microseconds",
                                small.target == TargetKind::cpu ? "CPU" : "GPU",
                                small.shapes.empty() ? name(request.shapes) : small.shapes, small.problem, small.seed),
                    fmt::format("made with: tuner_benchmark measure {} --passes {} --seconds {}", small.name, passes,
                                formatSignificant(seconds)),
                    fmt::format("{}; load average at the first point {}", verdict.device, load)};
            }
            GKS_TRY(writeFileAtomically(file, toCsv(table, space)));
            fmt::print(stderr, "{} pass {}, {} of {}: {} {}, load {}\n", small.name, pass, done, table.rows.size(),
                       row.verdict, formatMicroseconds(verdict.geomeanUs), load);
        }
    }
    return {};
}

// A table as a search meets it.
struct KnownSpace {
    SearchSpace space;
    std::map<TuningPoint, std::vector<double>> passes; // empty: fails
    double bestUs = 0;
};

Result<KnownSpace> load(const SmallSpace& small) {
    GKS_TRY_ASSIGN(const std::string source, sourceOf(small));
    GKS_TRY_ASSIGN(SearchSpace space, SearchSpace::of(source));
    const std::filesystem::path file = std::filesystem::path(tables) / (small.name + ".csv");
    GKS_TRY_ASSIGN(const std::string text, readFile(file));
    GKS_TRY_ASSIGN(const tuning::Table table, fromCsv(text, space));
    KnownSpace known{std::move(space), {}, 0};
    for (const Row& row : table.rows) {
        const double us = microseconds(row);
        known.bestUs = us > 0 && (known.bestUs == 0 || us < known.bestUs) ? us : known.bestUs;
        if (known.space.allows(row.point)) {
            known.passes[row.point] = row.us;
        }
    }
    return known;
}

using Search = std::function<std::vector<TuningPoint>(const SearchSpace&, const std::vector<Observation>&,
                                                      const TuningPoint& basis, std::uint64_t seed)>;

// Evaluations until a point within `percent` of the best was measured; the given values are the first.
std::size_t evaluationsToReach(const KnownSpace& known, const Search& search, std::uint64_t seed, double percent) {
    std::vector<Observation> observations;
    const auto observe = [&](const TuningPoint& point) {
        const std::vector<double>& us = known.passes.at(point);
        // A search sees one noisy pass; what it is worth is the best of all.
        observations.push_back({point, us.empty() ? 0 : us[(seed + observations.size()) % us.size()], us.empty()});
        return !us.empty() && *std::min_element(us.begin(), us.end()) <= known.bestUs * (1 + percent / 100);
    };
    const TuningPoint basis = known.space.current();
    bool reached = observe(basis);
    while (!reached) {
        for (const TuningPoint& point : search(known.space, observations, basis, seed * 7919 + observations.size())) {
            reached = reached || observe(point);
        }
    }
    return observations.size();
}

std::vector<TuningPoint> pointsOf(const std::vector<Proposal>& proposals) {
    std::vector<TuningPoint> points;
    for (const Proposal& proposal : proposals) {
        points.push_back(proposal.point);
    }
    return points;
}

// Untried points that meet the conditions, one after the other by chance.
std::vector<TuningPoint> atRandom(const SearchSpace& space, const std::vector<Observation>& observations,
                                  std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (;;) {
        const TuningPoint point = space.pointAt(random() % space.size());
        const bool tried = std::any_of(observations.begin(), observations.end(),
                                       [&](const Observation& one) { return one.point == point; });
        if (!tried && space.allows(point)) {
            return {point};
        }
    }
}

const std::vector<std::pair<std::string, Search>>& searches() {
    static const std::vector<std::pair<std::string, Search>> all = {
        {"tuner, one at a time",
         [](const SearchSpace& space, const std::vector<Observation>& observations, const TuningPoint& basis,
            std::uint64_t seed) { return pointsOf(proposePoints(space, observations, basis, 1, seed)); }},
        {"tuner, three at a time",
         [](const SearchSpace& space, const std::vector<Observation>& observations, const TuningPoint& basis,
            std::uint64_t seed) { return pointsOf(proposePoints(space, observations, basis, 3, seed)); }},
        {"at random", [](const SearchSpace& space, const std::vector<Observation>& observations, const TuningPoint&,
                         std::uint64_t seed) { return atRandom(space, observations, seed); }},
    };
    return all;
}

int runReplay(const Arguments& arguments) {
    const auto repeats = arguments.wholeNumber("--repeats", 100, 1);
    if (!repeats) {
        return failed(repeats.error());
    }
    cli::Table table;
    table.add({"Space", "Points", "Search", "median", "90 %", "worst"});
    for (const SmallSpace& small : smallSpaces()) {
        const auto known = load(small);
        if (!known) {
            return failed(known.error());
        }
        for (const auto& [label, search] : searches()) {
            std::vector<std::size_t> needed;
            for (int repeat = 1; repeat <= *repeats; ++repeat) {
                needed.push_back(evaluationsToReach(*known, search, static_cast<std::uint64_t>(repeat), 2));
            }
            std::sort(needed.begin(), needed.end());
            const auto at = [&](double share) {
                return std::to_string(needed[static_cast<std::size_t>(share * static_cast<double>(needed.size() - 1))]);
            };
            table.add({small.name, std::to_string(known->passes.size()), label, at(0.5), at(0.9), at(1)});
        }
    }
    fmt::print("Evaluations until a point within 2 % of the best was measured, of {} searches\n{}", *repeats,
               table.text());
    return done;
}

int runMeasure(const Arguments& arguments) {
    const auto space = spaceNamed(arguments.positional());
    if (!space) {
        return failed(space.error());
    }
    const auto passes = arguments.wholeNumber("--passes", 3, 1);
    const auto seconds = arguments.number("--seconds", 0.4, 0.01);
    if (!passes || !seconds) {
        return failed(passes ? seconds.error() : passes.error());
    }
    const auto measured = measure(*space, arguments.value("--table"), *passes, *seconds);
    return measured ? done : failed(measured.error());
}

const std::vector<cli::Command> modes = {
    {"measure",
     "SPACE",
     "Measures every point of a space",
     {{"--table", "FILE.csv", "where to write; what is there already is kept", true},
      {"--passes", "N", "how often each point is measured (3)"},
      {"--seconds", "S", "measuring time of a point (0.4)"}},
     runMeasure},
    {"replay",
     "",
     "Searches on the tables: evaluations to within 2 % of the best",
     {{"--repeats", "N", "searches of each sort (100)"}},
     runReplay},
};

} // namespace

int main(int argumentCount, char** arguments) {
    std::vector<const cli::Command*> commands;
    for (const cli::Command& mode : modes) {
        commands.push_back(&mode);
    }
    return runProgram(commands, argumentCount, arguments);
}
