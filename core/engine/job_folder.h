// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/folder_watch.h"
#include "core/base/regular_file.h"
#include "core/campaign/types.h"
#include "core/engine/engine.h"
#include "core/problem/problem.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

namespace gks {

// A folder whose jobs another machine works off, for the slots of one lane. Jobs lie in `out` until their result was
// counted; results are put into `in`, in any order. A job's name follows from its content, so an engine that was killed
// finds its job or its result again and writes no second one. What was counted lies in `in/taken`, which is how an
// evaluation that is wanted once more gets another name; `in/late` and `in/refused` hold what was never counted.
// Links below the folder are not followed.
class JobFolder {
public:
    struct Options {
        std::filesystem::path folder;
        std::string label;
        int capacity = 1;
        std::chrono::milliseconds look{500};
        std::chrono::milliseconds settle{2000};         // a file that is not whole by then is cut off
        std::chrono::milliseconds late{30'000};         // so long a slot was free, and nobody asked for a result
        std::chrono::milliseconds missing{30 * 60'000}; // a job that is away for longer is spoken of
    };
    struct Outcome {
        Verdict verdict;
        std::string job; // to be told that it is kept; empty: nothing was taken
    };

    // Fails when the folder cannot be used, or another program uses it.
    static Result<std::shared_ptr<JobFolder>> open(Options options);

    void speakTo(EngineSink sink);
    // Blocks until the result is there or a stop is requested; the job then stays where it is.
    Outcome evaluate(const EvaluationRequest& request, const std::stop_token& stop);
    // Its verdict is in the campaign file: job and result are done with.
    void kept(const std::string& job);

private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        const EvaluationRequest* request = nullptr;
        const ProblemPack* pack = nullptr;
        Timestamp since = 0;
        bool isSpokenOf = false;
        std::optional<FolderWatch::File> lookedAt;
        std::optional<Verdict> verdict;
    };

    JobFolder(Options options, FileDescriptor lock);
    std::filesystem::path jobFile(const std::string& job) const;
    std::filesystem::path resultFile(const std::string& job) const;
    bool isCounted(const std::string& job) const;
    Result<std::string> send(const EvaluationRequest& request, const ProblemPack& pack); // the job's name
    void look();
    void consider(const std::string& job, Waiting& waiting, const FolderWatch::File& file);
    void considerUnasked(const std::string& job, const FolderWatch::File& file);
    void putAside(const FolderWatch::File& file, const char* where, const Error& why);
    void speakOfMissing();
    void tellActivity();
    void warn(const Error& error) const;

    Options m_options;
    FileDescriptor m_lock;
    std::mutex m_mutex; // of everything below
    std::condition_variable_any m_changed;
    EngineSink m_sink;
    FolderWatch m_results;
    Clock::time_point m_nextLook;
    bool m_isUnreadable = false; // said
    std::map<std::string, Waiting> m_waiting;
    std::set<std::string> m_handedOut; // results whose verdict nobody has kept yet
    std::map<std::string, Clock::time_point> m_unasked;
    std::set<std::string> m_stuck; // files that could not be put aside: said once
    std::string m_told;
};

// "3 jobs away, 2 since 4 min": how many began to wait when.
std::string awayText(const std::vector<Timestamp>& since, Timestamp now);

} // namespace gks
