// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/commands.h"

// What may become of kernels and experiments, and what a person may ask for. Every place asks here: the window for what
// it offers, the command line and the loop for what they refuse, the store for what it writes.
namespace gks {

bool mayBecome(KernelState from, KernelState to);
bool isPersonsToDecide(ExperimentState state); // nothing of it has begun, or it was rejected
bool mayBecome(ExperimentState from, ExperimentState to);
bool mayBecome(FindingState from, FindingState to);

// A probe measures the machine, not the problem: it is never a parent, a reference, the best, or compared with
// anything. Population::kernels has none, and of one that is asked for by its id the three rules below say no.
bool passedJudge(const Kernel& kernel); // it built, gave right results and was measured; a probe may have too
bool isAccepted(const Kernel& kernel);  // the same, and it is no probe
bool isMeasured(const Kernel& kernel);  // the same, and its time is known
// May be the basis of a step: accepted and not banned.
bool mayBeParent(const Kernel& kernel);
bool isMeasuredParent(const Kernel& kernel); // the same, and its time is known
// A verdict on it is still to come, or may be.
bool mayStillBeJudged(const Kernel& kernel);
// The same as mayBeParent() or, before it has a verdict, it may turn out to be: what a person pins or proposes an
// experiment on.
bool mayBecomeParent(const Kernel& kernel);
// A campaign may begin with it: nothing speaks against it, and no person has yet to read its code.
bool mayBecomeSeed(const Kernel& kernel);
// A draft with this verdict goes back to its writer.
bool isRepairable(VerdictKind verdict);

// A draft arrives so under these policies: seeds, the tuner's points and what a person wrote are never asked about.
KernelState stateOfDraft(Author author, const Policies& policies);
bool mayBeApproved(const Kernel& kernel); // its code, by a person
// Rejected, sent back or edited: what waits for the person, and a model's draft in line that was never judged.
bool mayBeDeclined(const Kernel& kernel);
// Drafts that wait for the person from now on, or no longer, when the policies become these.
std::vector<const Kernel*> draftsThatChange(const Population& population, const Policies& to);
// Before a lane takes it. Seeds are known to build, points of the tuner are a structure that has been built, and of
// their own kernel a person hears as soon from the lane: they do not wait for a bench. A harness is asked as a whole.
bool isScreened(const Kernel& kernel, const CampaignSettings& settings);
// It is run once more under the device's profiler, should it come out faster. Our own judge alone can do that.
bool isCounted(const Kernel& kernel, const CampaignSettings& settings);
bool countsAsAttempt(const Kernel& draft); // of its experiment: the person's word is no failure
std::vector<const Kernel*> draftsToReview(const Population& population); // that wait for the person, by id
std::vector<const Kernel*> draftsOf(const Population& population, ExperimentId experiment); // by id

bool isUndecided(const Experiment& experiment); // proposed, or set aside when its round was over
bool isUnderWay(const Experiment& experiment);  // approved and not judged yet
bool isOpen(const Experiment& experiment);      // something is still to come of it without a person's word
bool isOver(const Experiment& experiment);      // judged
// What a state follows from, where a run has ended before it was written: all drafts that there are have their
// verdicts, and no other one is to come. Any other state as it is.
ExperimentState stateByDrafts(const Experiment& experiment, const Population& population);
// Where an experiment that is `evaluating` is at no judge yet: the state of its first draft in line, which waits for a
// lane or a person. Empty otherwise.
std::optional<KernelState> stateInLine(const Experiment& experiment, const Population& population);
// A draft failed, and its repair is to come.
const Kernel* draftToRepair(const Experiment& experiment, const Population& population); // null: there is none
// Its kernel is made from the parent and the reference, and has both as parents.
bool hasTwoParents(ExperimentKind kind);
bool mayBeEdited(const Experiment& experiment);
bool mayBeApproved(const Experiment& experiment); // by a person
bool mayBeRejected(const Experiment& experiment);

std::vector<const Avenue*> unusedAvenues(const Population& population); // that no experiment took up, by id
std::vector<const Avenue*> askedAvenues(const Population& population);  // of those, for the next design

// The kernel that has this source but for comments, formatting and local names, or of a probe the probe; null: none
// has.
const Kernel* duplicateOf(std::string_view source, const Population& population, bool isOfProbe = false);

// What a ban writes to the open experiments on a kernel, and what its end takes back.
std::string bannedParentText(KernelId parent);

// Whether the command can be carried out on this population; the error says why not. Ids that do not exist, states that
// do not allow it, texts that are too long, numbers out of their range.
Result<void> checkCommand(const SteeringCommand& command, const Population& population);

// What a new campaign may begin with: its budgets and models.
Result<void> checkSettings(const CampaignSettings& settings);

} // namespace gks
