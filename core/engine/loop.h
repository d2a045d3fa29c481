// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/history.h"
#include "core/engine/outlet.h"
#include "core/engine/seams.h"
#include "core/engine/structures.h"
#include "core/engine/worker.h"

#include <atomic>
#include <map>
#include <set>

namespace gks {

// The loop itself: owner of the store, of one worker for the scientist and of one per lane. Everything below runs on
// its thread, which receives closures: commands of the person, results of the workers. After each it schedules: what
// can be started is started.
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
    bool mayWrite(); // raises a warning when the file is read-only
    void carryOut(const SteeringCommand& command);
    void addExchange(const Exchange& exchange);

private:
    struct Lane {
        LaneSpec spec;
        std::unique_ptr<EvaluationService> service; // used by the worker
        std::optional<KernelId> kernel;             // in flight
        bool besides = false;  // it has a verdict already, and stands beside this evaluation: a confirmation, a duel
        int failuresInRow = 0; // of the infrastructure
        std::unique_ptr<Worker> worker; // last: joined before the service goes
    };
    enum class Task { select, design, write, repair };

    // One for each command (loop_commands.cpp, loop_lessons.cpp).
    void handle(const command::Start& start);
    void handle(const command::Pause& pause);
    void handle(const command::Step& step);
    void handle(const command::Stop& stop);
    void handle(const command::CancelCurrent& cancel);
    void handle(const command::PinParent& pin);
    void handle(const command::SetBanned& set);
    void handle(const command::EvaluateAgain& again);
    void handle(const command::RestoreLane& restore);
    void handle(const command::AddKernel& add);
    void handle(const command::ApproveExperiment& approve);
    void handle(const command::RejectExperiment& reject);
    void handle(const command::EditExperiment& edit);
    void handle(const command::AddExperiment& add);
    void handle(const command::ReorderExperiments& reorder);
    void handle(const command::SetMode& set);
    void handle(const command::SetBudgets& set);
    void handle(const command::SetScientist& set);
    void handle(const command::SetHint& set);
    void handle(const command::SetPolicies& set);
    void handle(const command::SetPrompt& set);
    void handle(const command::AddFinding& add);
    void handle(const command::EditFinding& edit);
    void handle(const command::AddDocument& add);
    void handle(const command::EditDocument& edit);
    void handle(const command::RemoveDocument& remove);
    void begin(bool oneRound, const SteeringCommand& command);
    void decide(ExperimentId experiment, ExperimentState decision, const SteeringCommand& command);
    void changeSettings(const SteeringCommand& command, const std::function<void(CampaignSettings&)>& change);
    Steering historyLine(const SteeringCommand& command, std::int64_t made = 0) const;

    // Scheduling (loop.cpp).
    void schedule();
    bool nothingInFlight() const;
    bool isInService(const Lane& lane) const;
    std::size_t lanesInService() const;
    bool belongsElsewhere(const Kernel& kernel, const Lane& lane) const;
    std::optional<std::string> reachedBudget() const;
    std::int64_t evaluationsLeft() const; // that may still be started
    void startEvaluations();
    const Kernel* nextKernel() const;
    const Kernel* baselineOf(const Kernel& kernel) const;
    void evaluate(Lane& lane, const Kernel& kernel, const Kernel* baseline, std::string_view purpose);
    void conclude();
    bool startConfirmation();
    void enter(EngineState state, std::string reason);
    void halt(const Error& error, const std::string& stage, std::optional<KernelId> kernel = {},
              std::optional<ExperimentId> experiment = {});
    void warn(const Error& error, const std::string& stage, std::optional<KernelId> kernel = {},
              std::optional<ExperimentId> experiment = {});
    // True when the result is good; otherwise the loop halts.
    template<class T>
    bool stored(const Result<T>& result) {
        if (!result) {
            halt(result.error(), "campaign");
        }
        return result.has_value();
    }
    Result<void> readPopulation();
    void refresh(); // the same; halts when it fails
    void publish(bool atOnce);
    void accountWallTime();
    void settle();

    // Trust on opening (loop_trust.cpp).
    Result<void> answerTrust();   // for what the options say
    bool isTrusted(bool toStart); // false: asked for
    bool isPackTrusted();         // false: halted
    bool m_packIsBuiltin = false; // found out once: the problem of a campaign does not change

    // The scientist (loop_scientist.cpp).
    void startScientist();
    bool shouldDesign() const;
    bool hasEnoughDrafts() const; // every lane has work, or the budget has no room for more
    const Experiment* nextExperiment() const;
    bool makeScientist();
    Briefing briefing() const;
    void startTask(Task task, Activity activity, std::optional<ExperimentId> experiment,
                   std::function<Message(Scientist&, const std::stop_token&)> work);
    void startSelection();
    void startDesign(const Selection& selection);
    void startWriting(const Experiment& experiment);
    void startRepair(const Experiment& experiment, const Kernel& failed);
    void selected(const Result<Selection>& selection);
    void noteLikeness(KernelId kernel, const Experiment& experiment, const std::string& source);
    void drafted(const Experiment& experiment, const Result<Draft>& draft);
    void failExperiment(const Experiment& experiment, std::string failure);
    void cancelPlanning(); // a selection or design that a command has made obsolete

    // Proposals (loop_proposals.cpp).
    void designed(const Result<std::vector<Experiment>>& experiments);
    std::size_t undecided() const;
    const Experiment* sameProposal(const Experiment& fresh) const;
    bool takeUpAgain(const Experiment& earlier, Experiment fresh, std::int64_t position);
    void retireProposals(); // of rounds that are over
    Author planner() const; // who selects and designs

    // New structures at their best (loop_tuning.cpp).
    void startTuning();
    bool proposePoint(const Kernel& root);
    bool startDuel(Lane& lane);
    void keepDuel(const Evaluation& evaluation);
    Scientist& tuner();

    // Results of lanes (loop_results.cpp).
    void evaluated(Lane& lane, Evaluation evaluation, bool cancelled);
    void infrastructureFailed(Lane& lane, const Evaluation& evaluation);
    void takeOutOfService(Lane& lane, const Verdict& verdict);
    void keep(const Evaluation& evaluation);
    void learn(Evaluation evaluation, std::int64_t id); // what it adds to the findings
    void keepUnsaved();
    ExperimentState afterFailure(const Evaluation& evaluation) const;
    // On the lane's thread; `activity` is what its progress events speak of.
    void forward(const Lane& lane, KernelId kernel, const EvaluationEvent& event, Activity& activity) const;

    std::unique_ptr<CampaignStore> m_store;
    std::string m_identity; // of the campaign
    EngineOptions m_options;
    EngineSeams m_seams;
    Outlet& m_outlet;
    History& m_history;
    Mailbox<Message> m_mailbox;
    bool m_ended = false;
    bool m_unreadable = false; // the file, when it was last looked at
    std::uint64_t m_commandsSeen = 0;

    EngineState m_state = EngineState::idle;
    PopulationPtr m_population;
    PopulationPtr m_published;
    Mailbox<Message>::Clock::time_point m_publishedAt;
    std::optional<Mailbox<Message>::Clock::time_point> m_runningSince; // of the wall time that is not stored yet

    bool m_oneRound = false;      // step
    bool m_roundDesigned = false; // in this step
    bool m_waitsForApproval = false;
    bool m_exhausted = false;               // the scientist had nothing to propose for the population as it is
    std::optional<std::string> m_finishing; // why the run ends when nothing is in flight any more
    int m_confirmations = 0;
    int m_failedDrafts = 0;                               // in a row
    std::map<KernelId, std::set<std::string>> m_failedOn; // lanes on which the infrastructure failed a kernel
    std::vector<Evaluation> m_unsaved;                    // finished, but the disk was full
    std::int64_t m_requests = 0;
    Structures m_structures; // of m_population
    std::unique_ptr<Scientist> m_tuner;

    std::shared_ptr<const ProblemPack> m_problem;
    std::optional<Task> m_task; // in flight on m_scientistWorker
    std::optional<ExperimentId> m_taskExperiment;
    std::optional<Selection> m_selection; // made, not designed for yet
    std::shared_ptr<Scientist> m_scientist;
    struct Work {
        Activity activity = Activity::idle;
        std::optional<ExperimentId> experiment;
        std::atomic<bool> waitsForServer = false; // that has not accepted its request; the loop looks at it
    };
    std::shared_ptr<Work> m_work; // of the scientist's thread
    std::vector<std::unique_ptr<Lane>> m_lanes;
    std::unique_ptr<Worker> m_scientistWorker;
};

} // namespace gks
