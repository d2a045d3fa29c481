// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/through_loop.h"

#include "app/cli/output.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks::progress {
namespace {

constexpr std::size_t reasonBytes = 300;
constexpr int mostStarts = 50; // a run that halts at a reply that is missing goes on with the next one

class RecordedService final : public EvaluationService {
public:
    explicit RecordedService(RecordedJudge& judge) : m_judge(judge) {}
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink&, const std::stop_token&) override {
        return m_judge.verdictOf(request);
    }

private:
    RecordedJudge& m_judge;
};

// As it was, but for what costs something or waits for a person.
CampaignSettings settingsOf(const Recorded& recorded) {
    CampaignSettings settings = recorded.population->settings;
    settings.budgets = {};
    settings.mode = Mode::automatic;
    settings.policies.checkCode = false;
    settings.policies.stagnation = 0; // the designer was not told of it, or of another state
    settings.scientist = ScientistKind::model;
    ModelChoice person;
    person.provider = manualProviderName;
    settings.models = {{std::string(defaultModel), person}};
    settings.pinnedParent.reset();
    settings.pinnedReference.reset();
    settings.askedComparisons.clear();
    settings.lanesOut.clear();
    return settings;
}

Result<ProblemPack> packOf(const Recorded& recorded) {
    GKS_TRY_ASSIGN(ProblemPack pack, loadProblemPack(recorded.population->settings.problem));
    pack.seeds.clear();
    for (const Kernel& kernel : recorded.population->kernels) {
        if (kernel.author == Author::seed) {
            pack.seeds.push_back({kernelLabel(kernel.id), kernel.title, kernel.source.orNothing(), {}});
        }
    }
    return pack;
}

std::size_t given(const RecordedReplies& replies) {
    std::size_t sum = 0;
    for (const auto& [stage, count] : replies.counts()) {
        sum += count.given;
    }
    return sum;
}

Result<void> run(const std::filesystem::path& file, RecordedJudge& judge, RecordedReplies& replies, Replayed& result) {
    std::mutex mutex;
    Engine* asking = nullptr; // set before anything is asked
    std::string end;
    EngineOptions options;
    options.modelCalls = 1;
    options.askPerson = [&](const std::string& stage, const ChatRequest& request, const std::stop_token&) {
        return replies.answer(stage, request, *asking->population());
    };
    options.sink = [&](const EngineEvent& event) {
        if (const auto* changed = std::get_if<StateChanged>(&event); changed != nullptr && !changed->reason.empty()) {
            const std::lock_guard lock(mutex);
            end = changed->reason;
        }
    };
    EngineSeams seams = realSeams();
    seams.evaluationService = [&](const LaneSpec&) -> Result<std::unique_ptr<EvaluationService>> {
        return std::make_unique<RecordedService>(judge);
    };
    GKS_TRY_ASSIGN(const auto engine, Engine::open(file, std::move(options), std::move(seams)));
    asking = engine.get();
    for (int start = 0; start < mostStarts; ++start) {
        const std::size_t before = given(replies);
        engine->send(command::Start{});
        engine->waitUntilQuiet();
        if (engine->state() == EngineState::idle || given(replies) == before) {
            break;
        }
    }
    result.today = engine->population();
    GKS_TRY_ASSIGN(const auto exchanges, engine->exchanges({}, {}));
    for (const Exchange& exchange : exchanges) {
        if (exchange.error.empty() || exchange.reply.empty()) {
            continue;
        }
        ++result.unreadable[exchange.stage];
        const std::string reason = exchange.stage + ": " + exchange.error;
        if (std::find(result.reasons.begin(), result.reasons.end(), reason) == result.reasons.end()) {
            result.reasons.push_back(reason);
        }
    }
    const std::lock_guard lock(mutex);
    result.end = end;
    return {};
}

} // namespace

Result<Replayed> replayThroughLoop(const std::string& file) {
    Replayed result;
    GKS_TRY_ASSIGN(result.recorded, readRecorded(file));
    GKS_TRY_ASSIGN(const ProblemPack pack, packOf(result.recorded));
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("scientist-benchmark"));
    const std::filesystem::path today = folder.path() / "today.gks";
    GKS_TRY(CampaignStore::create(today, settingsOf(result.recorded), pack));
    RecordedJudge judge(result.recorded);
    RecordedReplies replies(result.recorded);
    GKS_TRY(run(today, judge, replies, result));
    result.replies = replies.counts();
    result.unknownSources = judge.unknown();
    return result;
}

namespace {

// By the number that it has in the record.
std::string recordedLabel(const Population& population, KernelId id, const Recorded& recorded) {
    const Kernel* kernel = population.kernel(id);
    const Kernel* then = kernel != nullptr ? recorded.known(kernel->source.orNothing()) : nullptr;
    return then != nullptr ? kernelLabel(then->id) : "not recorded";
}

std::string parentsText(const Population& population, const Recorded& recorded) {
    std::map<std::string, int> chosen;
    std::set<std::int64_t> rounds;
    for (const Experiment& experiment : population.experiments) {
        chosen[recordedLabel(population, experiment.parent, recorded)] +=
            rounds.insert(experiment.round).second ? 1 : 0;
    }
    std::vector<std::string> parts;
    for (const auto& [parent, times] : chosen) {
        if (times > 0) {
            parts.push_back(times == 1 ? parent : fmt::format("{} {} times", parent, times));
        }
    }
    return parts.empty() ? "-" : join(parts, ", ");
}

std::string picksText(const Population& population) {
    std::map<std::string, int> picks;
    for (const Experiment& experiment : population.experiments) {
        ++picks[experiment.pick.empty() ? "not picked" : experiment.pick];
    }
    std::vector<std::string> parts;
    for (const auto& [pick, times] : picks) {
        parts.push_back(fmt::format("{} {}", times, pick));
    }
    return parts.empty() ? "-" : join(parts, ", ");
}

template<class Items, class Condition>
std::string countOf(const Items& items, Condition condition) {
    return std::to_string(std::count_if(items.begin(), items.end(), condition));
}

std::string bestText(const Population& population, const Recorded& recorded) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr) {
        return "-";
    }
    const Kernel* then = recorded.known(best->source.orNothing());
    return then == nullptr
               ? "not recorded"
               : fmt::format("{}, {} as recorded", kernelLabel(then->id), scaledSpeedText(*recorded.population, *then));
}

std::vector<std::string> column(const std::string& name, const Population& population, const Recorded& recorded) {
    const auto& experiments = population.experiments;
    const auto& kernels = population.kernels;
    const auto isWritten = [](const Kernel& kernel) { return kernel.author != Author::seed; };
    return {name,
            std::to_string(population.newestRound()),
            parentsText(population, recorded),
            std::to_string(experiments.size()),
            picksText(population),
            countOf(kernels, [&](const Kernel& kernel) { return isWritten(kernel) && kernel.verdict.has_value(); }),
            countOf(kernels,
                    [&](const Kernel& kernel) { return isWritten(kernel) && kernel.verdict && !isAccepted(kernel); }),
            countOf(experiments, [](const Experiment& one) { return one.failure.starts_with("duplicate of "); }),
            bestText(population, recorded)};
}

} // namespace

std::string replayedText(const Replayed& replayed) {
    const std::vector<std::string> names = {
        "",           "Rounds",         "Parents of the rounds", "Experiments",
        "Picks",      "Kernels judged", "Of them failed",        "Duplicates refused",
        "Best called"};
    const auto then = column("recorded", *replayed.recorded.population, replayed.recorded);
    const auto today = column("today's loop", *replayed.today, replayed.recorded);
    cli::Table table;
    for (std::size_t row = 0; row < names.size(); ++row) {
        table.add({names[row], then[row], today[row]});
    }
    cli::Table replies;
    replies.add(
        {"Stage", "Replies recorded", "Given", "Unreadable today", "Asked for, none recorded", "No such parent today"});
    for (const auto& [stage, one] : replayed.replies) {
        const auto unreadable = replayed.unreadable.find(stage);
        replies.add({stage, std::to_string(one.recorded), std::to_string(one.given),
                     std::to_string(unreadable == replayed.unreadable.end() ? 0 : unreadable->second),
                     std::to_string(one.missing), std::to_string(one.leftOut)});
    }
    std::string reasons;
    for (const std::string& reason : replayed.reasons) {
        reasons += fmt::format("  {}\n", replaceAll(abbreviated(reason, reasonBytes), "\n", " "));
    }
    return fmt::format("{}\n{}{}\nSources without a recorded verdict: {}\nThe run ended with: {}\n", table.text(),
                       replies.text(), reasons, replayed.unknownSources, replayed.end);
}

} // namespace gks::progress
