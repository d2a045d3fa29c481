// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/llm/chat.h"
#include "core/problem/problem.h"
#include "core/scientist/tunables.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

// The three stages of the paper behind one interface. A scientist has no state of its own: everything it may use is in
// the Briefing, so a campaign goes on after a crash exactly where it was.
namespace gks {

struct Briefing {
    PopulationPtr population;
    std::shared_ptr<const ProblemPack> problem;
    // A kernel's newest verdict of its own, without samples; null when there is none.
    std::function<std::optional<Verdict>(KernelId)> newestVerdict;
    // Passages of enabled documents in which any of the words occurs, the best first; null when there are none.
    std::function<std::vector<Passage>(const std::string& words, int limit)> searchPassages = {};
    // That kernels run on; without a name and an architecture while it is not known. See deviceFinder(). May take a
    // second.
    std::function<Device()> device = {};
    // Of an experiment that is written several times: which draft by the same writer it is, from 0. Each asks with
    // another temperature.
    int draftTurn = 0;
};

struct Selection {
    KernelId basis = 0;
    std::optional<KernelId> reference;
    std::string rationale;
};

// What a designer says was learnt, of verdicts, evidence and predictions.
struct Lesson {
    std::string text = {};
    std::optional<Interval> gain = {};       // that it names: ratio of times
    std::vector<KernelId> kernels = {};      // that taught it
    std::vector<std::int64_t> findings = {}; // that it rests on
    bool operator==(const Lesson&) const = default;
};

// What a design brings.
struct Design {
    std::vector<Experiment> experiments; // `pick` filled for those to be run
    std::optional<Round> round = {};     // what was thought; nothing where no model thinks
    std::vector<Avenue> avenues = {};    // new ones; their ids follow those of the population
    std::vector<Lesson> lessons = {};
};

struct Draft {
    std::string source;
    std::string title;
    std::string report = {};             // which techniques of the rubric were really used
    std::vector<RubricItem> rubric = {}; // the same item by item, checked against the change
    std::string model = {};              // that wrote it
};

// What went wrong with a draft, for a repair.
struct Failure {
    std::optional<VerdictKind> verdict = VerdictKind::buildFailed; // empty: the person sent it back
    std::string reason;                                            // then what they said
    std::string output;                                            // compiler or judge, trimmed to what matters
};

// A person is asked in the place of a model: shows the request and blocks until a reply was given, the wait was
// cancelled or the person declined.
using AskPerson = std::function<Result<std::string>(const std::string& stage, const ChatRequest& request,
                                                    const std::stop_token& stop)>;

// A key that is not in the environment, from where the person keeps it; empty when it is not there either. Called on
// the scientist's thread.
using FindKey = std::function<std::optional<std::string>(const ModelChoice& choice)>;

// Whether a server may get prompts, and the key that the choice names; asked before the key is looked for.
using MayAsk = std::function<Result<void>(const ModelChoice& choice)>;

// What a scientist lets the outside see and asks of it while it works. All may be empty.
struct ScientistSinks {
    std::function<void(const std::string& stage, std::string_view piece)> text; // streamed model text
    std::function<void(Exchange)> exchange;                                     // complete, also when it failed
    // What a call that is on its way waits for, at every change.
    std::function<void(const std::string& stage, const ChatProgress& progress)> progress = {};
    AskPerson askPerson = {};
    FindKey findKey = {};
    MayAsk mayAsk = {};
    std::vector<std::string> keyVariables = {}; // of every stage: a command gets none but its own
};

class Scientist {
public:
    virtual ~Scientist() = default;
    virtual ScientistKind kind() const = 0;
    virtual Author author() const = 0;

    // Person's pins win: they are in population->settings and are returned unchanged with the rationale "chosen by
    // you".
    virtual Result<Selection> select(const Briefing& briefing, const std::stop_token& stop) = 0;
    // Proposals for one round; none when there is nothing left to try below this basis.
    virtual Result<Design> design(const Briefing& briefing, const Selection& selection,
                                  const std::stop_token& stop) = 0;
    // Experiment::writer says which of the campaign's writers is asked ("": the stage's own model), here and for a
    // repair.
    virtual Result<Draft> write(const Briefing& briefing, const Experiment& experiment,
                                const std::stop_token& stop) = 0;
    // After a build or test failure, or a person's word; `attempt` counts from 1. An error with ErrorKind::kernel:
    // nothing more to try.
    virtual Result<Draft> repair(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                                 const Failure& failure, int attempt, const std::stop_token& stop) = 0;
};

std::unique_ptr<Scientist> makeTuner(ScientistSinks sinks = {});
// Fails when a model is not configured or its key is missing, saying which variable to set.
Result<std::unique_ptr<Scientist>> makeModelScientist(const CampaignSettings& settings, ScientistSinks sinks);

} // namespace gks
