// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/history.h"
#include "core/engine/outlet.h"
#include "core/engine/seams.h"
#include "core/engine/structures.h"
#include "core/engine/worker.h"

#include <map>
#include <set>

namespace gks {

std::string title(const Experiment& experiment); // "12: Set UNROLL to 4", for the steering history

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

    // Commands (loop_commands.cpp).
    void commandSeen() { ++m_commandsSeen; }
    bool mayWrite(); // raises a warning when the file is read-only
    void start(bool oneRound);
    void pause();
    void stop();
    void cancelCurrent();
    void pinParent(std::optional<KernelId> parent, std::optional<KernelId> reference);
    void setBanned(KernelId kernel, bool banned);
    void evaluateAgain(KernelId kernel);
    void restoreLane(const std::string& label);
    void addKernel(KernelId basis, std::string title, std::string source);
    void decideExperiment(ExperimentId experiment, bool approve);
    void editExperiment(const Experiment& edited);
    void addExperiment(Experiment experiment);
    void reorderExperiments(const std::vector<ExperimentId>& order);
    void changeSettings(const std::string& action, const std::string& detail,
                        const std::function<void(CampaignSettings&)>& change);
    void setMode(Mode mode);
    void setBudgets(const Budgets& budgets);
    void setHint(const std::string& hint);
    void setPolicies(const Policies& policies);

    // What is learnt and read (loop_lessons.cpp).
    void setPrompt(const std::string& name, const std::optional<std::string>& text);
    void addFinding(Finding finding);
    void editFinding(const Finding& edited);
    void addDocument(const Document& document, const std::vector<Passage>& passages);
    void editDocument(const Document& edited);
    void removeDocument(std::int64_t id);
    void addExchange(const Exchange& exchange);
    void setScientist(ScientistKind kind, const std::map<std::string, ModelChoice>& models);

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
    EngineOptions m_options;
    EngineSeams m_seams;
    Outlet& m_outlet;
    History& m_history;
    Mailbox<Message> m_mailbox;
    bool m_ended = false;
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
    std::shared_ptr<std::optional<ExperimentId>> m_writingFor; // of the scientist's thread
    std::vector<std::unique_ptr<Lane>> m_lanes;
    std::unique_ptr<Worker> m_scientistWorker;
};

} // namespace gks
