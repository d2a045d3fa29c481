// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gks {

struct ProblemPack;
struct RecordedPlans;

// Which kernel an evaluation is of: findings name evaluations alone.
struct EvaluationOwner {
    std::int64_t evaluation = 0;
    KernelId kernel = 0;
    bool operator==(const EvaluationOwner&) const = default;
};

// The campaign file: SQLite, application_id "GKS1", schema version in user_version with migrations, WAL, foreign keys.
// Every mutating call is one transaction: a kill at any moment loses at most the call in flight. One thread uses a
// store at a time.
class CampaignStore {
public:
    // Refuses to overwrite an existing file. Adds the pack's seeds as kernels. Without a pack, the one that the
    // settings name.
    static Result<std::unique_ptr<CampaignStore>> create(const std::filesystem::path& file,
                                                         const CampaignSettings& settings);
    static Result<std::unique_ptr<CampaignStore>> create(const std::filesystem::path& file,
                                                         const CampaignSettings& settings, const ProblemPack& pack);
    // Says which of these it is when it cannot be opened: not there, not a campaign, from a newer version, damaged, in
    // use by another process. A file that cannot be written is opened read-only; mutating calls then return an error.
    // One store at a time has write access; any number may read beside it.
    enum class Access { write, read };
    static Result<std::unique_ptr<CampaignStore>> open(const std::filesystem::path& file,
                                                       Access access = Access::write);
    // See Database.
    void setPatience(std::function<std::chrono::milliseconds()> limit, std::function<void()> waiting);
    // Nobody writes to the file any more, but a program that still reads it keeps part of it in the log beside it: a
    // copy of the file alone would lack that part. Whoever closes it last puts it away.
    static bool isPartInLog(const std::filesystem::path& file);
    ~CampaignStore();

    const std::filesystem::path& file() const;
    bool readOnly() const;

    // The campaign as it is at this moment, in one file that is whole or not there at all. Whoever writes to this one
    // is not kept waiting, and its later work is not in the copy. With `replace` a campaign that nobody has open is
    // replaced; nothing else ever is. `step` hears how much is done, 0 to 1; false cancels.
    Result<void> copyTo(
        const std::filesystem::path& target, bool replace,
        const std::function<bool(double)>& step = [](double) { return true; });

    // Work that was in flight when the process died goes back to where it can start again: kernels `evaluating` and
    // `screening` become `waiting`, experiments `writing` become `approved`. Returns how many. The engine calls it once
    // when it takes the file over.
    Result<int> recover();

    // What tells this campaign from others, wherever its file lies; a copy has the same.
    Result<std::string> identity() const;
    Result<PopulationPtr> population() const;
    // The campaign with no other members than its baseline and its best kernel. Whole where the file does not say who
    // that is: it is of an earlier schema, or who wrote the newest evaluation was killed.
    Result<PopulationPtr> bestAlone() const;
    Result<std::int64_t> kernelCount() const;                     // with probes
    Result<std::vector<KernelId>> newestKernels(int count) const; // and probes, by id
    Result<std::vector<KernelId>> kernelIds() const;              // and of probes, also where no population can be read
    // The campaign with no other members than these kernels and probes. Nothing is said of speeds over the baseline.
    Result<PopulationPtr> kernelsAlone(const std::vector<KernelId>& kernels) const;
    Result<CampaignSettings> settings() const;
    Result<void> saveSettings(const CampaignSettings& settings, const Steering& why);

    // Id, hashes and, when zero, the time are assigned. A kernel that comes `proposed` stays so; every other one waits.
    // Every draft is kept: an experiment that is written several times, or needed repairs, has several kernels. It goes
    // to this state in the same transaction, and its `kernel` is the newest until one is accepted. Without
    // `takesItsPlace` a draft that a person sent back stays it, until its writer has answered.
    Result<KernelId> addKernel(Kernel kernel, ExperimentState itsExperiment = ExperimentState::evaluating,
                               bool takesItsPlace = true);
    // What a person says of a draft that waits for them, or was declined, and where its experiment goes by that.
    // That one's `kernel` is a declined draft only when it was sent back, or when the experiment is rejected.
    enum class DraftDecision { approve, reject, sendBack, reopen };
    static KernelState stateAfter(DraftDecision decision);
    Result<void> decideDraft(KernelId draft, DraftDecision decision, std::string_view remark,
                             ExperimentState itsExperiment, const Steering& why);
    // Another source in the place of a draft, which is declined; `why` is asked with the id of the new one.
    Result<KernelId> replaceDraft(KernelId draft, Kernel edited, std::string_view remark,
                                  const std::function<Steering(KernelId)>& why,
                                  ExperimentState itsExperiment = ExperimentState::evaluating);
    Result<void> setKernelState(KernelId id, KernelState state);
    // `settings`: where what is pinned changes with it.
    Result<void> setBanned(KernelId id, bool banned, const Steering& why,
                           const std::optional<CampaignSettings>& settings = {});

    Result<std::vector<ExperimentId>> addExperiments(std::vector<Experiment> experiments); // one round, one transaction
    // What was thought in a round, with the new avenues; their ids follow those that are there. Before its experiments.
    Result<void> addRound(const Round& round, const std::vector<Avenue>& avenues);
    Result<void> updateAvenue(const Avenue& avenue, const Steering& why); // whether it is asked for
    Result<void> updateExperiment(const Experiment& experiment);
    Result<void> updateExperiment(const Experiment& experiment, const Steering& why);
    Result<void> reorderExperiments(const std::vector<ExperimentId>& order, const Steering& why);

    // Stores the evaluation and brings the kernel's summary, its experiment and the spend up to date in the same
    // transaction. infrastructureFailed puts the kernel back to `waiting` and changes nothing else. An accepted
    // confirmation, duel (tunedPurpose) or comparison that a person asked for is kept beside the kernel's summary,
    // which speaks of its parent; one that is not accepted replaces it. `itsExperiment`: where the experiment goes by
    // that, `approved` when a repair is to follow; unset: it is done or failed, and one that is being written stays so.
    // Its kernel and gain are those of its best draft: accepted, with the highest ratio.
    Result<std::int64_t> addEvaluation(const Evaluation& evaluation, std::optional<ExperimentState> itsExperiment = {});
    // What became of measuring a library, with the verdict that says it; of the figure name, title, lacks, lane and
    // time are taken. It is no kernel's: no state, summary or budget of evaluations changes.
    Result<std::int64_t> addAnchor(const AnchorFigure& anchor, const Verdict& verdict);
    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const; // newest last; without plans
    // Of one evaluation, with the device code; null where nothing was planned and in files of earlier versions.
    Result<std::shared_ptr<const RecordedPlans>> plans(std::int64_t evaluation) const;
    // The newest of a kernel, without device code.
    Result<std::shared_ptr<const RecordedPlans>> newestPlans(KernelId kernel) const;
    Result<std::vector<EvaluationOwner>> evaluationOwners() const; // by evaluation
    // Of the kernels from this one on: whether each says what a row of its evaluations says. No verdict is read, so a
    // list can be shown after it.
    Result<void> checkSummaries(KernelId first) const;
    // Rows that name one that is not there, one error for each.
    Result<std::vector<Error>> brokenLinks() const;
    Result<std::optional<Verdict>> newestVerdict(KernelId kernel) const; // of its own, on its shapes, without samples
    Result<std::string> source(KernelId kernel) const;                   // or of a probe
    // Kernels in whose id, title, author or source the words occur, whole words before
    // beginnings, those in an id or title before those in a source, the newest first. The words are data: no operator
    // in them has a meaning; the last one may be the beginning of a word.
    Result<std::vector<KernelId>> searchKernels(std::string_view words, int limit) const;
    Result<std::int64_t> addExchange(const Exchange& exchange);
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId> kernel = {},
                                            std::optional<ExperimentId> experiment = {}) const;
    Result<std::int64_t> addFinding(const Finding& finding);
    Result<void> updateFinding(const Finding& finding);
    Result<void> updateFinding(const Finding& finding, const Steering& why);

    // A document with the same bytes is kept once: then the id of the one that is there.
    Result<std::int64_t> addDocument(const Document& document, const std::vector<Passage>& passages,
                                     const Steering& why);
    Result<void> updateDocument(const Document& document, const Steering& why); // title, digest, enabled
    Result<void> removeDocument(std::int64_t id, const Steering& why);
    Result<std::vector<Passage>> passages(std::int64_t document) const;
    // Passages of enabled documents in which any of the words occurs, the best first (BM25). The words are data: no
    // operator in them has a meaning.
    Result<std::vector<Passage>> searchPassages(std::string_view words, int limit) const;
    Result<void> addSteering(const Steering& steering);
    Result<std::vector<Steering>> steering() const;
    Result<void> addWallSeconds(double seconds);

private:
    struct State;
    explicit CampaignStore(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

// Purpose of the comparison of the best with the baseline.
inline constexpr std::string_view confirmationPurpose = "confirmation of the best";
// Purpose of a comparison of the best tuned kernel of a structure with the best tuned one of its parent's structure.
inline constexpr std::string_view tunedPurpose = "tuned against tuned";
// Purpose of a comparison that decides who is the best: with the best so far, when a run ends.
inline constexpr std::string_view rankingPurpose = "side by side with the best";
// Purpose of a verdict that no lane had a part in: the draft did not build, or could not be planned.
inline constexpr std::string_view screeningPurpose = "screening";
// Purposes of a comparison that a person asked for: on the campaign's shapes, and on all benchmark shapes.
inline constexpr std::string_view askedPurpose = "side by side, as asked";
inline constexpr std::string_view askedOnAllPurpose = "side by side, all shapes";
constexpr bool isAsked(std::string_view purpose) {
    return purpose == askedPurpose || purpose == askedOnAllPurpose;
}
constexpr bool endsARun(std::string_view purpose) {
    return purpose == confirmationPurpose || purpose == rankingPurpose;
}
// It ends a run, or a person asked for it beside the loop: it teaches nothing of an experiment.
constexpr bool isBesideTheLoop(std::string_view purpose) {
    return endsARun(purpose) || isAsked(purpose);
}
// A budget of evaluations pays for it.
constexpr bool countsAsEvaluation(std::string_view purpose) {
    return !isBesideTheLoop(purpose) && purpose != screeningPurpose;
}
// An accepted one with such a purpose stands beside the kernel's own verdict.
constexpr bool standsBeside(std::string_view purpose) {
    return isBesideTheLoop(purpose) || purpose == tunedPurpose;
}

} // namespace gks
