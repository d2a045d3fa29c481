// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/agent_kernel.h"
#include "core/campaign/commands.h"
#include "core/campaign/lane_spec.h"
#include "core/campaign/running.h"
#include "core/campaign/store.h"
#include "core/engine/trust.h"
#include "core/judge/protocol.h"
#include "core/scientist/scientist.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The loop. Whoever has it open for writing is watched and steered by other programs of the user, see viewer_port.h. It
// owns the store, the scientist and the evaluator lanes, each on threads of its own; the outside sends commands and
// receives events. Commands return at once; what came of them is seen in the events and in the next population.
namespace gks {

// What a lane or the scientist is doing right now.
// away: jobs that another machine works off.
enum class Activity { idle, selecting, designing, writing, repairing, building, verifying, measuring, away };
std::string_view name(Activity activity);

struct StateChanged {
    EngineState state = EngineState::idle;
    std::string reason; // "budget of 24 evaluations reached", "" when a person asked
};
struct PopulationChanged { // coalesced: at most one in 50 ms
    PopulationPtr population;
};
// Who works on what. lane "cpu:0", or one for each call of the scientist that is in flight (call_lane.h). One per
// change of stage or of progress; fraction -1 when the amount is unknown.
struct ActivityChanged {
    std::string lane;
    Activity activity = Activity::idle;
    std::optional<KernelId> kernel;
    std::optional<ExperimentId> experiment;
    double fraction = -1;
    std::string detail;
    Timestamp since = 0;
};
struct SamplesArrived {
    KernelId kernel = 0;
    std::map<std::string, std::int64_t> shape;
    std::vector<double> us;
    bool ofBaseline = false;
};
struct TextArrived { // source: "compiler", "runner", "judge", "process", "races", or the name of a ModelStage
    std::string source;
    std::string text;
    std::optional<KernelId> kernel;
    std::optional<ExperimentId> experiment;
};
struct NextParentChanged { // what the engine will do next, visible before it does it
    std::optional<KernelId> parent;
    std::optional<KernelId> reference;
    std::string rationale;
    bool pinned = false;
};
struct WarningRaised {
    Error error;
    std::string stage;
    std::optional<KernelId> kernel;
    std::optional<ExperimentId> experiment;
};
// The file names what nobody has answered for yet: said when it is opened, and when a start was refused for it.
struct TrustAsked {
    std::vector<TrustQuestion> questions;
    bool startRefused = false;
};
using EngineEvent = std::variant<StateChanged, PopulationChanged, ActivityChanged, SamplesArrived, TextArrived,
                                 NextParentChanged, WarningRaised, TrustAsked>;
using EngineSink = std::function<void(const EngineEvent&)>; // called on an engine thread; must not block

struct EngineOptions {
    // read: beside the program that writes. The population follows what that one does; every change is refused.
    CampaignStore::Access access = CampaignStore::Access::write;
    std::vector<LaneSpec> lanes; // empty: one lane on the campaign's target and device
    EngineSink sink;
    bool allowNoSandbox = false;
    std::optional<int> modelCalls;       // at the same time, in the place of the campaign's own policy
    AskPerson askPerson;                 // for the provider "manual"; called on the scientist's thread
    FindKey findKey;                     // for keys that the environment does not hold; likewise
    std::vector<TrustKind> trusted = {}; // what of the file is answered for when it is opened
    RunPlace place = RunPlace::headless; // as others find it (core/campaign/running.h)
    // What a person asks to have measured side by side or evaluated is measured at once, also while the loop stands.
    bool measuresWhenAsked = false;
};

struct EngineSeams;

class Engine {
public:
    // Takes the campaign over (recover()) and stands idle; with Access::read it is left as it is.
    static Result<std::unique_ptr<Engine>> open(const std::filesystem::path& campaign, EngineOptions options);
    // With other evaluators or another scientist, for tests.
    static Result<std::unique_ptr<Engine>> open(const std::filesystem::path& campaign, EngineOptions options,
                                                EngineSeams seams);
    // Stops: kills work in flight, which will start again the next time, and joins every thread.
    ~Engine();

    // What the file names and nobody has answered for; until then no key is sent and no pack is built.
    Result<std::vector<TrustQuestion>> openQuestions() const;
    Result<void> trust(const std::vector<TrustQuestion>& questions);
    MayAsk mayAsk() const; // for calls of models beside the loop

    PopulationPtr population() const;
    EngineState state() const;
    const std::filesystem::path& file() const;
    const std::string& identity() const; // CampaignStore::identity()
    bool readOnly() const;
    bool isWatched() const; // by another program, now

    void send(SteeringCommand command);
    // The same, for who is not told of a refusal by a warning: the answer comes once, on a thread of the engine's.
    void send(SteeringCommand command, std::function<void(const Result<void>&)> answer);
    // A kernel of an agent's: in line like a model's draft, or an error that says why it is not taken. The answer comes
    // once, on a thread of the engine's.
    void propose(AgentKernel kernel, std::function<void(const Result<KernelId>&)> answer);
    void addExchange(Exchange exchange); // of a call that was made beside the loop, a digest: it counts as spend

    void look(); // a reader, now: somebody says that the file has changed

    // Blocks until the engine is idle or paused with nothing in flight; false when the time is over first.
    bool waitUntilQuiet(std::optional<double> seconds = {});

    // Questions that are answered from the file on the caller's thread (a connection of its own).
    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const;
    Result<std::shared_ptr<const RecordedPlans>> newestPlans(KernelId kernel) const; // null: there are none
    Result<std::string> source(KernelId kernel) const;
    Result<std::vector<KernelId>> searchKernels(const std::string& words, int limit) const;
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId> kernel,
                                            std::optional<ExperimentId> experiment) const;
    Result<std::vector<Steering>> steering() const;
    Result<std::vector<EvaluationOwner>> evaluationOwners() const;
    Result<std::vector<Passage>> passages(std::int64_t document) const;
    Result<std::vector<Passage>> searchPassages(const std::string& words, int limit) const;

private:
    struct State;
    explicit Engine(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace gks
