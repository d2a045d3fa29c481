// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/job_folder.h"

#include "core/base/counted.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/engine/carried_verdict.h"
#include "core/judge/evaluator_client.h"
#include "core/judge/folder_batch.h"
#include "core/judge/folder_job.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr const char* outFolder = "out";
constexpr const char* inFolder = "in";
constexpr const char* lockName = "lane.lock";
constexpr std::int64_t minuteMs = 60'000;

Timestamp writtenAt(const fs::path& file) {
    std::error_code code;
    const auto written = fs::last_write_time(file, code);
    if (code) {
        return now();
    }
    const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
    return std::min<Timestamp>(std::chrono::duration_cast<std::chrono::milliseconds>(since).count(), now());
}

bool isThere(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(fs::symlink_status(file, ignored));
}

} // namespace

std::string awayText(const std::vector<Timestamp>& since, Timestamp now) {
    const Timestamp oldest = since.empty() ? now : *std::min_element(since.begin(), since.end());
    const std::int64_t minutes = (now - oldest) / minuteMs;
    std::string text = counted(since.size(), "job") + " away";
    if (minutes < 1) {
        return text;
    }
    const auto old = static_cast<std::size_t>(
        std::count_if(since.begin(), since.end(), [&](Timestamp one) { return (now - one) / minuteMs >= minutes; }));
    return old == since.size() ? fmt::format("{} since {} min", text, minutes)
                               : fmt::format("{}, {} since {} min", text, old, minutes);
}

Result<std::shared_ptr<JobFolder>> JobFolder::open(Options options) {
    GKS_TRY(checkRealFolder(options.folder));
    for (const fs::path& folder : {fs::path(outFolder), fs::path(inFolder), fs::path(inFolder) / takenFolder,
                                   fs::path(inFolder) / lateFolder, fs::path(inFolder) / refusedFolder}) {
        GKS_TRY(makeDirectories(options.folder / folder));
        GKS_TRY(checkRealFolder(options.folder / folder));
    }
    const fs::path path = options.folder / lockName;
    FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (lock.number() < 0) {
        return infrastructureError(fmt::format("cannot write: {}", systemMessage(errno)), path.string());
    }
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
        return infrastructureError(errno == EWOULDBLOCK ? "another program uses this folder of jobs"
                                                        : fmt::format("cannot lock: {}", systemMessage(errno)),
                                   options.folder.string(), "Use one folder for each campaign");
    }
    return std::shared_ptr<JobFolder>(new JobFolder(std::move(options), std::move(lock)));
}

JobFolder::JobFolder(Options options, FileDescriptor lock)
    : m_options(std::move(options))
    , m_lock(std::move(lock))
    , m_results(m_options.folder / inFolder, m_options.settle) {}

fs::path JobFolder::jobFile(const std::string& job) const {
    return m_options.folder / outFolder / jobFileName(job);
}

fs::path JobFolder::resultFile(const std::string& job) const {
    return m_options.folder / inFolder / resultFileName(job);
}

void JobFolder::speakTo(EngineSink sink) {
    const std::lock_guard lock(m_mutex);
    m_sink = std::move(sink);
}

bool JobFolder::isCounted(const std::string& job) const {
    const fs::path in = m_options.folder / inFolder;
    return m_handedOut.contains(job) || m_waiting.contains(job) || isThere(in / takenFolder / resultFileName(job)) ||
           isThere(in / lateFolder / resultFileName(job));
}

Result<std::string> JobFolder::send(const EvaluationRequest& request, const ProblemPack& pack) {
    FolderJob job;
    job.request = request;
    job.request.problem = pack.name;
    GKS_TRY_ASSIGN(job.pack, readPackFiles(pack.folder));
    GKS_TRY(checkPackFiles(job.pack));
    for (;; ++job.repeat) {
        const std::string text = jobText(job);
        const std::string named = sha256Hex(text);
        if (text.size() > jobLimitBytes) {
            return usageError(fmt::format("the job is too large (limit {})", formatBytes(jobLimitBytes)),
                              pack.folder.string(), "Take what is not needed out of the problem pack");
        }
        if (isCounted(named)) {
            continue;
        }
        if (!isThere(jobFile(named)) && !isThere(resultFile(named))) {
            GKS_TRY(checkRealFolder(m_options.folder / outFolder));
            GKS_TRY(writeFileAtomically(jobFile(named), text));
        }
        return named;
    }
}

JobFolder::Outcome JobFolder::evaluate(const EvaluationRequest& request, const std::stop_token& stop) {
    const auto pack = loadProblemPack(request.problem);
    if (!pack) {
        return {infrastructureVerdict(request, pack.error().message(), pack.error().next), {}};
    }
    std::unique_lock lock(m_mutex);
    const auto job = send(request, *pack);
    if (!job) {
        return {infrastructureVerdict(request, job.error().message(), job.error().next), {}};
    }
    Waiting& waiting = m_waiting[*job];
    waiting.request = &request;
    waiting.pack = &*pack;
    waiting.since = writtenAt(jobFile(*job));
    m_nextLook = {}; // its result may lie there already
    while (!stop.stop_requested() && !waiting.verdict) {
        if (Clock::now() >= m_nextLook) {
            look();
            m_nextLook = Clock::now() + m_options.look;
        }
        const Clock::time_point until = m_nextLook; // which others change while this one waits
        m_changed.wait_until(lock, stop, until, [&] { return waiting.verdict.has_value(); });
    }
    Outcome outcome = {waiting.verdict ? std::move(*waiting.verdict) : infrastructureVerdict(request, "cancelled", {}),
                       waiting.verdict ? *job : std::string()};
    m_waiting.erase(*job);
    tellActivity();
    return outcome;
}

void JobFolder::kept(const std::string& job) {
    const std::lock_guard lock(m_mutex);
    if (m_handedOut.erase(job) == 0) {
        return;
    }
    std::error_code code;
    fs::rename(resultFile(job), m_options.folder / inFolder / takenFolder / resultFileName(job), code);
    if (code) {
        m_handedOut.insert(job); // whatever becomes of the file, in this run it is not counted again
        warn({ErrorKind::infrastructure, fmt::format("a result that was counted cannot be moved: {}", code.message()),
              m_options.label, fmt::format("Move {} to {}/{}", resultFileName(job), inFolder, takenFolder)});
        return;
    }
    fs::remove(jobFile(job), code);
}

void JobFolder::look() {
    const auto files = m_results.look();
    if (!files) {
        if (!std::exchange(m_isUnreadable, true)) {
            warn({ErrorKind::infrastructure, files.error().message(), m_options.label,
                  "Jobs that are away go on waiting"});
        }
        return;
    }
    m_isUnreadable = false;
    for (const FolderWatch::File& file : *files) {
        const auto job = jobOfResultFile(file.name);
        if (!job || m_handedOut.contains(*job)) {
            continue;
        }
        if (const auto waiting = m_waiting.find(*job); waiting != m_waiting.end()) {
            consider(*job, waiting->second, file);
        } else {
            considerUnasked(*job, file);
        }
    }
    speakOfMissing();
    tellActivity();
}

void JobFolder::consider(const std::string& job, Waiting& waiting, const FolderWatch::File& file) {
    if (waiting.verdict || waiting.lookedAt == file) {
        return;
    }
    waiting.lookedAt = file;
    const auto text = readCarriedFile(resultFile(job), resultLimitBytes);
    if (text && isIncompleteResult(*text) && !file.isSettled) {
        return;
    }
    auto verdict = text ? carriedVerdict(*text, job, *waiting.request, *waiting.pack)
                        : Result<Verdict>(tl::unexpected(text.error()));
    if (!verdict) {
        putAside(file, refusedFolder,
                 {ErrorKind::infrastructure,
                  fmt::format("the result {} is not counted: {}", shortJobName(job), verdict.error().what),
                  m_options.label,
                  verdict.error().next.empty() ? "Have the job evaluated again, or cancel it" : verdict.error().next});
        return;
    }
    waiting.verdict = std::move(*verdict);
    m_handedOut.insert(job);
    m_changed.notify_all();
}

// After a restart the loop asks for its jobs again as soon as a slot is free.
void JobFolder::considerUnasked(const std::string& job, const FolderWatch::File& file) {
    if (m_stuck.contains(file.name)) {
        return;
    }
    const fs::path in = m_options.folder / inFolder;
    if (isThere(in / takenFolder / file.name)) {
        putAside(file, lateFolder,
                 {ErrorKind::infrastructure, fmt::format("the result {} came twice", shortJobName(job)),
                  m_options.label, "It was counted once"});
        return;
    }
    const bool isFree = std::count_if(m_waiting.begin(), m_waiting.end(),
                                      [](const auto& one) { return !one.second.verdict; }) < m_options.capacity;
    if (!isFree) {
        m_unasked.erase(job);
        return;
    }
    const auto since = m_unasked.try_emplace(job, Clock::now()).first->second;
    if (Clock::now() - since >= m_options.late) {
        m_unasked.erase(job);
        putAside(file, lateFolder,
                 {ErrorKind::infrastructure,
                  fmt::format("the result {} came late: nobody waits for it any more", shortJobName(job)),
                  m_options.label, "It is not counted"});
    }
}

// A name that is taken there already gets a number.
void JobFolder::putAside(const FolderWatch::File& file, const char* where, const Error& why) {
    const fs::path in = m_options.folder / inFolder;
    fs::path to = in / where / file.name;
    std::error_code code;
    for (int copy = 2; fs::exists(fs::symlink_status(to, code)); ++copy) {
        to = in / where / fmt::format("{}.{}", file.name, copy);
    }
    const auto folder = checkRealFolder(in / where);
    fs::rename(in / file.name, folder ? to : fs::path(), code);
    if (code) {
        m_stuck.insert(file.name);
    }
    Error error = why;
    error.where = code ? fmt::format("{}, {}/{}", m_options.label, inFolder, file.name)
                       : fmt::format("{}, {}/{}/{}", m_options.label, inFolder, where, to.filename().string());
    warn(error);
}

void JobFolder::speakOfMissing() {
    for (auto& [job, waiting] : m_waiting) {
        if (waiting.verdict || waiting.isSpokenOf || now() - waiting.since < m_options.missing.count()) {
            continue;
        }
        waiting.isSpokenOf = true;
        warn({ErrorKind::infrastructure,
              fmt::format("the job {} ({}) has been away for {} and has no result{}", shortJobName(job),
                          waiting.request->id, formatSeconds(static_cast<double>(now() - waiting.since) / 1000),
                          isThere(jobFile(job)) ? "" : "; its file was taken away"),
              m_options.label, "Put its result into in, or cancel it: the others go on"});
    }
}

void JobFolder::tellActivity() {
    std::vector<Timestamp> since;
    for (const auto& [job, waiting] : m_waiting) {
        since.push_back(waiting.since);
    }
    ActivityChanged changed;
    changed.lane = m_options.label;
    if (!since.empty()) {
        changed.activity = Activity::away;
        changed.detail = awayText(since, now());
        changed.since = *std::min_element(since.begin(), since.end());
    }
    if (m_sink && std::exchange(m_told, changed.detail) != changed.detail) {
        m_sink(changed);
    }
}

void JobFolder::warn(const Error& error) const {
    if (m_sink) {
        m_sink(WarningRaised{error, "lane", {}, {}});
    }
}

} // namespace gks
