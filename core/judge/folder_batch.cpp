// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/folder_batch.h"

#include "core/base/elapsed.h"
#include "core/base/files.h"
#include "core/base/folder_watch.h"
#include "core/base/hash.h"
#include "core/base/regular_file.h"
#include "core/base/terminal_text.h"
#include "core/judge/carried_packs.h"
#include "core/judge/folder_job.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <sys/file.h>

namespace gks {
namespace {

namespace fs = std::filesystem;
using BatchClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds batchLookInterval(500);
constexpr int machineFailureLimit = 2; // in a row: it is the machine, not the jobs

Verdict batchRefusal(std::string reason, std::string next) {
    Verdict verdict;
    verdict.kind = VerdictKind::infrastructureFailed;
    verdict.reason = std::move(reason);
    verdict.next = std::move(next);
    return verdict;
}

class Batch {
public:
    Batch(const BatchOptions& options, const std::function<void(const std::string&)>& say, const std::stop_token& stop)
        : m_options(options)
        , m_say(say)
        , m_stop(stop)
        , m_jobs(options.in, options.settle)
        , m_client(options.evaluator)
        , m_begin(BatchClock::now()) {}

    Result<BatchSummary> run() {
        GKS_TRY(checkRealFolder(m_options.in));
        GKS_TRY(makeDirectories(m_options.out));
        GKS_TRY(checkRealFolder(m_options.out));
        for (;;) {
            m_isAwaiting = false;
            GKS_TRY_ASSIGN(const auto files, m_jobs.look());
            for (const FolderWatch::File& file : files) {
                if (isOver()) {
                    return m_summary;
                }
                GKS_TRY(consider(file));
            }
            if (isOver() || (!m_options.minutes && !m_isAwaiting)) {
                return m_summary;
            }
            pause();
        }
    }

private:
    bool isOver() const {
        return m_stop.stop_requested() || m_summary.end ||
               (m_options.minutes && secondsSince(m_begin) >= *m_options.minutes * 60);
    }

    void pause() {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait_for(lock, m_stop, batchLookInterval, [] { return false; });
    }

    Result<void> consider(const FolderWatch::File& file) {
        const auto job = jobOfJobFile(file.name);
        const auto known = m_seen.find(file.name);
        if (!job || !file.isRegular || (known != m_seen.end() && known->second == file)) {
            return {};
        }
        const fs::path path = m_options.in / file.name;
        const auto opened = openRegularFile(path, Links::refused);
        if (!opened) {
            return {}; // taken away meanwhile
        }
        // Freed when the process ends, however it ends. Where a file system has no locks, nobody shares the folder.
        if (::flock(opened->number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            m_isAwaiting = true; // should the other one be killed
            return {};
        }
        const auto text = readRest(*opened, path, jobLimitBytes);
        const std::string content = text ? sha256Hex(*text) : std::string(*job);
        if (text && content != *job && !file.isSettled) {
            m_isAwaiting = true;
            return {};
        }
        m_seen[file.name] = file;
        if (isDone(*job, content)) {
            return {};
        }
        if (!text) {
            return write(*job, content, batchRefusal(text.error().what, text.error().next), true);
        }
        if (content != *job) {
            return write(*job, content,
                         batchRefusal("the job arrived damaged: its content does not fit its name", "Copy it again"),
                         true);
        }
        return workOff(*job, *text);
    }

    // A result of another content is of a job that had arrived damaged.
    bool isDone(const std::string& job, const std::string& content) const {
        const std::string name = resultFileName(job);
        for (const fs::path& folder : {m_options.out, m_options.out / takenFolder, m_options.out / lateFolder}) {
            std::error_code ignored;
            if (!fs::exists(folder / name, ignored)) {
                continue;
            }
            const auto text = readCarriedFile(folder / name, resultLimitBytes);
            const auto result = text ? resultFromText(*text, name) : Result<FolderResult>(tl::unexpected(text.error()));
            if (result && result->job == job && result->content == content) {
                return true;
            }
        }
        return false;
    }

    Result<void> workOff(const std::string& job, const std::string& text) {
        auto parsed = jobFromText(text, "job " + shortJobName(job));
        if (!parsed) {
            return write(job, job, batchRefusal(parsed.error().what, parsed.error().next), true);
        }
        EvaluationRequest request = std::move(parsed->request);
        if (m_options.target && *m_options.target != request.target) {
            return {};
        }
        if (parsed->rules != currentRules) {
            return write(job, job,
                         batchRefusal(fmt::format("the job asks for rules {}, the evaluator there has rules {}",
                                                  parsed->rules, currentRules),
                                      "Use the same version on both machines"),
                         true);
        }
        GKS_TRY_ASSIGN(const std::optional<std::string> pack,
                       m_packs.problemFor(request.problem, parsed->pack, m_options.trustPacks));
        if (!pack) {
            ++m_summary.untrusted;
            tell(job, "left: it brings a problem pack that is not built in here; run with --trust pack");
            return {};
        }
        request.problem = *pack;
        request.device = m_options.device.value_or(request.device);
        request.allowNoSandbox = m_options.allowNoSandbox;
        const Verdict verdict = m_client.evaluate(request, {}, m_stop);
        if (m_stop.stop_requested() && verdict.kind == VerdictKind::infrastructureFailed) {
            tell(job, "stopped: it will be begun again");
            return {};
        }
        GKS_TRY(write(job, job, verdict, false));
        const bool isMachine = verdict.kind == VerdictKind::infrastructureFailed;
        m_failuresInRow = isMachine ? m_failuresInRow + 1 : 0;
        if (verdict.deviceTrouble != DeviceTrouble::none || m_failuresInRow >= machineFailureLimit) {
            m_summary.end = Error{ErrorKind::infrastructure, verdict.reason, "batch", verdict.next};
        }
        return {};
    }

    Result<void> write(const std::string& job, const std::string& content, const Verdict& verdict, bool isRefusal) {
        ++(isRefusal ? m_summary.refused : m_summary.evaluated);
        tell(job, isRefusal ? "refused: " + verdict.reason
                            : fmt::format("{}, {}", lineOf(verdict), formatSeconds(verdict.totalSeconds)));
        return writeFileAtomically(m_options.out / resultFileName(job), resultText({job, content, verdict}));
    }

    static std::string lineOf(const Verdict& verdict) {
        std::string line =
            verdict.comparison ? comparisonText(*verdict.comparison) : verdictText(verdict.kind, verdict.reason);
        if (verdict.geomeanUs > 0) {
            line += ", " + formatMicroseconds(verdict.geomeanUs, verdict.geomeanCi95Us);
        }
        return line;
    }

    void tell(const std::string& job, const std::string& what) {
        m_say(fmt::format("{}  {}", shortJobName(job), terminalLine(what)));
    }

    const BatchOptions& m_options;
    const std::function<void(const std::string&)>& m_say;
    std::stop_token m_stop;
    FolderWatch m_jobs;
    EvaluatorClient m_client;
    BatchClock::time_point m_begin;
    BatchSummary m_summary;
    std::map<std::string, FolderWatch::File> m_seen; // by file name: as it was when it was dealt with
    CarriedPacks m_packs;
    int m_failuresInRow = 0;
    bool m_isAwaiting = false; // something may still become a job
};

} // namespace

Result<BatchSummary> workOffJobs(const BatchOptions& options, const std::function<void(const std::string&)>& say,
                                 const std::stop_token& stop) {
    return Batch(options, say, stop).run();
}

} // namespace gks
