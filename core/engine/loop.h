// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/anchors.h"
#include "core/engine/asked_comparisons.h"
#include "core/engine/command_desk.h"
#include "core/engine/mailbox.h"
#include "core/engine/screening.h"
#include "core/engine/tuning.h"

namespace gks {

// The engine's thread: a mailbox of closures, commands of the person and results of lanes and scientists. After each it
// looks at the population and starts what can be started; nothing else starts work. What is decided stands in
// scheduler.h, what is written goes through Run, what is in flight is with Lanes and ScientistDesk.
//   lanes      take what nextKernel() says, after the seeds the libraries that the pack names, and what a person asked
//              to have measured side by side;
//   benches    build and plan drafts before that, on no device (screening.h);
//   tuning     of a new structure, where the policies ask for it, comes before the next draft of the scientist;
//   scientist  makes the calls that nextCall() says;
//   the end    is reached when a budget is spent but for what is kept, the goal is reached or nothing is left to try;
//              then the best is measured once more against the baseline.
class Loop {
public:
    using Message = std::function<void(Loop&)>;

    Loop(std::unique_ptr<CampaignStore> store, EngineOptions options, EngineSeams seams, Outlet& outlet,
         History& history);
    ~Loop();

    void post(Message message) { m_mailbox.push(std::move(message)); }
    void run(); // until end()
    void end() { m_ended = true; }
    Result<void> prepare(); // before run(): recovers the file and publishes the first population

    void commandSeen() { ++m_commandsSeen; }
    bool mayWrite() { return m_commands.mayWrite(); }
    void carryOut(const SteeringCommand& command) { m_commands.carryOut(command); }
    Result<void> tryOut(const SteeringCommand& command) { return m_commands.tryOut(command); }
    Result<KernelId> propose(const AgentKernel& kernel) { return m_commands.propose(kernel); }
    void addExchange(const Exchange& exchange) { m_run.stored(m_campaign.keep(exchange)); }

private:
    ScientistDesk::Links scientistLinks();
    void schedule();
    bool nothingInFlight() const;
    bool awaitsLane() const; // all that are in service cannot be reached for now
    std::optional<CampaignKeeper::Clock::time_point> nextDue() const; // something, though nobody says a word
    void settle();

    // Evaluations (loop_evaluations.cpp).
    void openNotebook();
    void startEvaluations();
    // True when the lane has work, as the next two.
    bool startAnchor(std::size_t lane);
    bool startDuel(std::size_t lane);
    bool startAsked(std::size_t lane);
    bool startAskedKernel(std::size_t lane);
    std::set<KernelId> askedWithinBudgets() const;
    void startAsked();             // both, on every lane that is free
    void measureAside();           // while the loop stands
    std::string asideText() const; // what came of it
    bool take(std::size_t lane, const Kernel& kernel);
    // False: its source cannot be read, and the run is halted.
    bool evaluate(std::size_t lane, const Kernel& kernel, const Kernel* baseline, std::string_view purpose);
    void evaluated(std::size_t lane, const Evaluation& evaluation, bool cancelled);
    void anchorMeasured(std::size_t lane, const AnchorSpec& anchor, const Evaluation& evaluation);
    Lanes::Job jobFor(std::size_t lane, const std::string& what, std::string_view purpose);
    std::size_t evaluating() const { return m_lanes.busy() - m_anchors.inFlight(); } // kernels
    void infrastructureFailed(const Evaluation& evaluation);
    void takeBack(const Evaluation& evaluation); // what was begun for nothing may be begun again
    void laneUnreachable(std::size_t lane, const Evaluation& evaluation);
    std::map<KernelId, int> m_lost; // so often its evaluation was begun and its machine was gone
    void takeOutOfService(const std::string& lane, const Verdict& verdict);

    // What is looked at before (loop_screening.cpp).
    Result<void> openBenches(const std::vector<LaneSpec>& lanes);
    void startScreenings();
    void screened(std::size_t bench, const Evaluation& evaluation, bool cancelled);

    // Calls of the scientist (loop_calls.cpp).
    void startTuning();
    void startCalls();
    Situation situation();
    bool start(const ScientistCall& call);
    ScientistDesk::Work workOf(const ScientistCall& call, const Briefing& briefing);
    ScientistDesk::Work draftingOf(const ScientistCall& call, const Briefing& briefing);

    // How a run ends (loop_conclusion.cpp).
    void conclude();
    bool startConfirmation();
    void finish();

    EngineOptions m_options;
    EngineSeams m_seams;
    Outlet& m_outlet;
    Mailbox<Message> m_mailbox;
    bool m_ended = false;
    std::uint64_t m_commandsSeen = 0;
    std::int64_t m_requests = 0;
    double m_evaluationSeconds = 0; // that the newest one took

    CampaignKeeper m_campaign;
    Run m_run;
    Briefings m_briefings;
    TrustGate m_trust;
    Proposals m_proposals;
    Drafts m_drafts;
    Tuning m_tuning;
    Verdicts m_verdicts;
    AskedComparisons m_asked;
    Anchors m_anchors;
    Screening m_screening;
    bool m_lanesAreAway = false; // all of them
    Lanes m_lanes;
    Lanes m_benches;
    ScientistDesk m_scientists;
    CommandDesk m_commands;
};

} // namespace gks
