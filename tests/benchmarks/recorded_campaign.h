// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/seams.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

// A recorded campaign in the place of models and devices: its replies answer, its verdicts judge. Kernels are known
// again by their normalised source, since they may come in another order and get other numbers.
namespace gks::progress {

struct Recorded {
    PopulationPtr population;
    std::vector<Evaluation> evaluations; // by id
    std::vector<Exchange> exchanges;     // by id

    const Kernel* known(const std::string& source) const;
};
Result<Recorded> readRecorded(const std::string& file);

// What is said of a source that was judged then: the verdict of a run beside the same baseline, else its own, with what
// the recorded scale says of the two. An unknown source does not build, and says so.
class RecordedJudge {
public:
    explicit RecordedJudge(const Recorded& recorded) : m_recorded(recorded) {}
    Verdict verdictOf(const EvaluationRequest& request);
    int unknown() const; // sources that nothing is recorded of

private:
    const Recorded& m_recorded;
    mutable std::mutex m_mutex;
    std::map<std::string, int> m_unknown; // by source
};

// Answers each stage with the next reply that was recorded for it, those of writer and repair by the experiment that
// the prompt names. A parent is selected for the next recorded design, which was made for one; a design whose parent
// does not exist today is left out. Numbers of kernels in a selection are those of today.
class RecordedReplies {
public:
    explicit RecordedReplies(const Recorded& recorded);
    Result<std::string> answer(const std::string& stage, const ChatRequest& request, const Population& today);

    struct Count {
        std::size_t recorded = 0; // that were good then
        std::size_t given = 0;
        std::size_t missing = 0; // asked for today, and there was none
        std::size_t leftOut = 0;
    };
    std::map<std::string, Count> counts() const;

private:
    struct Reply {
        const Exchange* exchange = nullptr;
        bool isGiven = false;
    };
    Reply* next(const std::string& stage, const std::string& prompt);
    Result<std::string> select(const Population& today);
    std::optional<std::string> recordedSelection(KernelId basis); // that chose it
    std::string madeUpSelection(KernelId basis);                  // where nobody had to choose it then
    std::string withTodaysNumbers(std::string reply, const Population& today) const;

    const Recorded& m_recorded;
    mutable std::mutex m_mutex;
    std::map<std::string, std::vector<Reply>> m_replies; // by stage
    std::map<std::string, Count> m_counts;
};

} // namespace gks::progress
