// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/seams.h"
#include "tests/support/campaign_samples.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>

// An engine whose evaluations and drafts take no time and say what a test wants them to say. What a source is worth
// stands in it: "us 50" is measured as 50 us; "build-failed", "wrong" or "lost" (the evaluator is gone) is the verdict.
// A bench finds "build-failed" alone. Drafts are screened where a test turns that on.
namespace gks::test {

struct FakeWorld {
    std::mutex mutex;
    std::condition_variable changed;
    bool holdEvaluations = false; // they wait until this is false again, or until they are cancelled
    bool holdScreenings = false;
    bool holdScientist = false;
    std::string held;                           // with holdScientist: what is asked must begin with this
    bool lanesAreAway = false;                  // as those of a folder
    bool serverIsBusy = false;                  // every call of a model says first that it is tried again
    std::map<std::string, double> againUs;      // by source: what it takes in every run but its first
    std::vector<AnchorSpec> anchors;            // of the pack
    std::set<std::string> missingAnchors;       // whose library is not there
    int lostEvaluations = 0;                    // so many evaluations to come are infrastructure failures
    bool measuresWhenAsked = false;             // as in the window
    int lostScreenings = 0;                     // likewise, on benches
    std::set<int> hungDevices;                  // every evaluation there ends with a hung device
    std::set<int> brokenDevices;                // every evaluation there is an infrastructure failure
    std::deque<std::vector<Experiment>> rounds; // what the designer proposes, then nothing
    std::vector<std::string> avenues;           // what it thought of in each round; without them it says nothing
    std::vector<Lesson> lessons;                // what it learnt before each
    std::map<std::string, std::deque<std::string>> drafts; // by description: written, repaired, repaired again, ...
    std::optional<Error> selectError;
    std::vector<EvaluationRequest> requests; // in the order in which they began
    // "select", "design 00001", "write x", "repair x 1 wrong", with " by NAME" for a further writer
    std::vector<std::string> asked;
    std::vector<EvaluationRequest> screened; // likewise, on benches
    std::chrono::milliseconds publishInterval = EngineSeams().publishInterval;
    std::chrono::milliseconds lockPatience = EngineSeams().lockPatience;
    unsigned processors = 64;
    int screening = 0;
    bool didOverlap = false; // a bench worked while a lane did
    int evaluating = 0;
    int mostAtOnce = 0;
    int answering = 0; // calls of the scientist
    int mostAnswering = 0;

    void set(const std::function<void(FakeWorld&)>& change);
    bool waitFor(const std::function<bool(const FakeWorld&)>& condition);
    EngineSeams seams(ScientistKind kind = ScientistKind::tuner);
};

Experiment proposal(KernelId parent, std::string description, std::string pick = "most certain");

// An engine over a sample campaign, with everything it said.
class EngineRun {
public:
    explicit EngineRun(ScientistKind kind = ScientistKind::tuner, std::size_t lanes = 1,
                       const std::function<void(CampaignSettings&)>& settings = {}, int calls = Policies().modelCalls);
    ~EngineRun();
    void open();
    void close();

    FakeWorld world;
    Campaign campaign;
    std::unique_ptr<Engine> engine;

    bool quiet() { return engine->waitUntilQuiet(20); }
    PopulationPtr population() const { return engine->population(); }
    const Kernel& kernel(KernelId id) const { return *population()->kernel(id); }
    std::string lastReason() const; // of the newest StateChanged
    std::vector<std::string> warnings() const;
    std::vector<NextParentChanged> nextParents() const;
    std::vector<ActivityChanged> activities() const;
    std::size_t populationEvents() const;
    bool didSteer(std::string_view action) const;
    // Kernels in the order in which their evaluations began, "00001 00002".
    std::string order();

private:
    ScientistKind m_kind;
    std::size_t m_lanes;
    TargetKind m_target = TargetKind::cpu; // the campaign's, of all lanes
    int m_calls;
    mutable std::mutex m_mutex;
    std::vector<EngineEvent> m_events;
};

} // namespace gks::test
