// SPDX-License-Identifier: GPL-3.0-or-later
// Scientists on equal budget: what campaigns had reached after each experiment, their best kernels side by side on this
// machine, and the recorded replies of one through today's loop. None of it asks a model.
//   scientist_benchmark progress OLD.gks NEW.gks
//   scientist_benchmark measure OLD.gks NEW.gks --seed naive --at 4,8,12
//   scientist_benchmark through-loop OLD.gks
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/text.h"
#include "core/judge/evaluator_client.h"
#include "core/problem/problem.h"
#include "core/rating/speed_scale.h"
#include "tests/benchmarks/campaign_progress.h"
#include "tests/benchmarks/through_loop.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace gks;
using namespace gks::cli;
using namespace gks::progress;

namespace {

int statusOf(const Result<void>& result) {
    return result ? done : failed(result.error());
}

Result<std::vector<Course>> coursesFrom(const Arguments& arguments) {
    std::vector<std::string> files = arguments.rest();
    files.insert(files.begin(), arguments.positional());
    std::vector<Course> courses;
    for (const std::string& file : files) {
        GKS_TRY_ASSIGN(Course course, readCourse(file));
        courses.push_back(std::move(course));
    }
    return courses;
}

Result<void> progressOf(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto courses, coursesFrom(arguments));
    say("Speed over each campaign's own baseline, by its scale, after each experiment\n{}\n{}", courseTable(courses),
        spendTable(courses));
    return {};
}

// One kernel that is measured: the best of a campaign after so many experiments, or the seed.
struct Contestant {
    std::string name;
    std::string source;
};
constexpr std::size_t seedAt = 0;

struct Match {
    std::size_t one = 0; // among the contestants
    std::size_t other = 0;
    bool operator<(const Match& b) const { return std::pair(one, other) < std::pair(b.one, b.other); }
};

struct Contest {
    std::vector<Contestant> contestants; // the seed first
    std::set<Match> matches;

    std::size_t enter(const std::string& name, const std::string& source) {
        const auto known = std::find_if(contestants.begin(), contestants.end(),
                                        [&](const Contestant& one) { return one.source == source; });
        if (known == contestants.end()) {
            contestants.push_back({name, source});
            return contestants.size() - 1;
        }
        known->name += known->name.find(name) == std::string::npos ? " = " + name : "";
        return static_cast<std::size_t>(known - contestants.begin());
    }
    void pair(std::size_t one, std::size_t other) {
        if (one != other && !matches.contains({other, one})) {
            matches.insert({one, other});
        }
    }
};

Result<std::vector<std::int64_t>> numbersFrom(const std::string& text) {
    std::vector<std::int64_t> numbers;
    for (const std::string& word : split(text, ',')) {
        const bool isNumber = !word.empty() && word.size() <= 6 &&
                              std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!isNumber) {
            return usageError(fmt::format("{} is no number of experiments", word), "--at", "Write 4,8,12");
        }
        numbers.push_back(std::stoll(word));
    }
    return numbers;
}

Result<Contest> contestOf(const std::vector<Course>& courses, const ProblemPack& pack, const Arguments& arguments) {
    Contest contest;
    const std::string wanted = arguments.value("--seed", pack.seeds.front().name);
    const auto seed =
        std::find_if(pack.seeds.begin(), pack.seeds.end(), [&](const SeedKernel& one) { return one.name == wanted; });
    if (seed == pack.seeds.end()) {
        return usageError(fmt::format("{} has no seed {}", pack.name, wanted), "--seed");
    }
    contest.enter("seed " + seed->name, seed->source);
    GKS_TRY_ASSIGN(const auto budgets, numbersFrom(arguments.value("--at", "4,8,12")));
    for (const std::int64_t experiments : budgets) {
        std::vector<std::size_t> ofBudget;
        for (const Course& course : courses) {
            const Step& step = course.at(experiments);
            if (step.best == 0) {
                continue;
            }
            const std::string name = fmt::format("{} {} at {}", course.name, kernelLabel(step.best), step.experiments);
            ofBudget.push_back(contest.enter(name, course.population->kernel(step.best)->source.orNothing()));
            contest.pair(ofBudget.back(), seedAt);
        }
        for (std::size_t one = 0; one < ofBudget.size(); ++one) {
            for (std::size_t other = one + 1; other < ofBudget.size(); ++other) {
                contest.pair(ofBudget[other], ofBudget[one]); // the later file beside the earlier one
            }
        }
    }
    return contest;
}

Result<EvaluationRequest> requestFrom(const Course& course, const Arguments& arguments) {
    const CampaignSettings& settings = course.population->settings;
    EvaluationRequest request;
    request.problem = settings.problem;
    GKS_TRY_ASSIGN(request.target, targetFromName(arguments.value("--target", name(settings.target))));
    GKS_TRY_ASSIGN(request.device, arguments.wholeNumber("--device", 0, 0));
    GKS_TRY_ASSIGN(request.shapes, shapeChoiceFromName(arguments.value("--shapes", "benchmark")));
    GKS_TRY_ASSIGN(request.measureSeconds,
                   arguments.number("--measure-seconds", defaultMeasureSeconds(request.target), 0.01));
    return request;
}

Result<std::vector<PairedComparison>> play(const Contest& contest, EvaluationRequest request) {
    EvaluatorClient client;
    std::vector<PairedComparison> results;
    for (const Match& match : contest.matches) {
        const Contestant& one = contest.contestants[match.one];
        const Contestant& other = contest.contestants[match.other];
        request.id = fmt::format("{}-{}", match.one, match.other);
        request.source = one.source;
        request.baseline = other.source;
        const Verdict verdict = client.evaluate(request, [](const EvaluationEvent&) {}, {});
        if (!isAccepted(verdict.kind) || !verdict.comparison) {
            note("{} beside {}: {}: {}\n", one.name, other.name, name(verdict.kind), verdict.reason);
            continue;
        }
        note("{} beside {}: {}\n", one.name, other.name, comparisonText(*verdict.comparison));
        results.push_back({static_cast<std::int64_t>(results.size()) + 1, static_cast<std::int64_t>(match.one),
                           static_cast<std::int64_t>(match.other), verdict.comparison->ratio, verdict.comparison->ci95,
                           verdict.device});
    }
    return results;
}

Result<void> measure(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const auto courses, coursesFrom(arguments));
    GKS_TRY_ASSIGN(const ProblemPack pack, loadProblemPack(courses.front().population->settings.problem));
    for (const Course& course : courses) {
        if (course.population->settings.problem != courses.front().population->settings.problem) {
            return usageError("campaigns of different problems are not compared", course.name);
        }
    }
    GKS_TRY_ASSIGN(const Contest contest, contestOf(courses, pack, arguments));
    GKS_TRY_ASSIGN(const EvaluationRequest request, requestFrom(courses.front(), arguments));
    GKS_TRY_ASSIGN(const auto results, play(contest, request));
    cli::Table pairs;
    pairs.add({"Kernel", "beside", "Speed of the first / speed of the second"});
    for (const PairedComparison& result : results) {
        pairs.add({contest.contestants[static_cast<std::size_t>(result.kernel)].name,
                   contest.contestants[static_cast<std::size_t>(result.other)].name,
                   formatRatio(result.ratio, result.ci95)});
    }
    const SpeedScale scale(seedAt, results);
    cli::Table onScale;
    onScale.add({"Kernel", "Over " + contest.contestants[seedAt].name + ", all pairs together"});
    for (std::size_t at = 1; at < contest.contestants.size(); ++at) {
        const auto speed = scale.speed(static_cast<std::int64_t>(at));
        onScale.add({contest.contestants[at].name, speed ? speedText(*speed) : "not compared"});
    }
    say("{}\n{}", pairs.text(), onScale.text());
    return {};
}

Result<void> throughLoop(const Arguments& arguments) {
    GKS_TRY_ASSIGN(const Replayed replayed, replayThroughLoop(arguments.positional()));
    say("{}", replayedText(replayed));
    return {};
}

const std::vector<cli::Command> modes = {
    {"progress",
     "FILE.gks",
     "Best so far, failures, calls, tokens and hours after each experiment of each campaign",
     {},
     [](const Arguments& arguments) { return statusOf(progressOf(arguments)); },
     "[FILE.gks ...]"},
    {"measure",
     "FILE.gks",
     "The best kernels after equal numbers of experiments, side by side on this machine",
     {{"--seed", "NAME", "of the problem, that all are measured beside (its first)"},
      {"--at", "N,...", "numbers of experiments (4,8,12)"},
      {"--target", "cpu|amd|nvidia", "where (the first campaign's)"},
      {"--device", "N", "device index (default: 0)"},
      {"--shapes", "quick|test|benchmark|all", "which shapes are measured (benchmark)"},
      {"--measure-seconds", "N", "measuring time of one pair"}},
     [](const Arguments& arguments) { return statusOf(measure(arguments)); },
     "[FILE.gks ...]"},
    {"through-loop",
     "FILE.gks",
     "What today's loop makes of the replies that a campaign recorded, and its verdicts",
     {},
     [](const Arguments& arguments) { return statusOf(throughLoop(arguments)); }},
};

} // namespace

int main(int argumentCount, char** arguments) {
    std::vector<const cli::Command*> commands;
    for (const cli::Command& mode : modes) {
        commands.push_back(&mode);
    }
    return runProgram(commands, argumentCount, arguments);
}
