// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/running.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t recordLimitBytes = std::size_t{64} << 10;
constexpr std::chrono::milliseconds lookInterval(50);
// SIGTERM ends a run within 2 s; writing the log into a large file takes a little longer.
constexpr std::chrono::seconds personsPatience(15);

fs::path recordFolder() {
    return stateFolder() / "runs";
}

// Process numbers mean the same where this text is the same: one boot of one machine, one container.
std::string processSpace() {
    const auto boot = readFile("/proc/sys/kernel/random/boot_id");
    std::error_code ignored;
    const fs::path space = fs::read_symlink("/proc/self/ns/pid", ignored);
    return sha256Hex(machineName() + boot.value_or("") + space.string()).substr(0, 16);
}

// When a process began, in the kernel's ticks: tells it from a later one with the same number. 0: there is none, or
// only what its parent has not asked for yet.
std::uint64_t startOf(int process) {
    const auto stat = readFile(fmt::format("/proc/{}/stat", process));
    if (!stat) {
        return 0;
    }
    // The name in parentheses may hold anything; the start is the twentieth number behind it.
    const std::size_t end = stat->rfind(')');
    if (end == std::string::npos || stat->compare(end, 3, ") Z") == 0) {
        return 0;
    }
    std::size_t at = end + 1;
    for (int field = 0; field < 20 && at != std::string::npos; ++field) {
        at = stat->find(' ', at + (field > 0 ? 1 : 0));
    }
    return at == std::string::npos ? 0 : std::strtoull(stat->c_str() + at, nullptr, 10);
}

template<typename Enum>
std::optional<Enum> named(const std::string& text, std::initializer_list<Enum> known) {
    const auto found = std::find_if(known.begin(), known.end(), [&](Enum value) { return name(value) == text; });
    return found == known.end() ? std::nullopt : std::optional(*found);
}

fs::path recordOf(const RunningCampaign& run, const std::string& space) {
    return recordFolder() /
           fmt::format("{}-{}-{:x}-{:x}.json", space, run.process, run.identity.device, run.identity.inode);
}
fs::path requestOf(const RunningCampaign& run, const std::string& space) {
    return recordOf(run, space).replace_extension("stop");
}
fs::path socketOf(const RunningCampaign& run, const std::string& space) {
    return recordOf(run, space).replace_extension("socket");
}

struct Record {
    RunningCampaign run;
    std::string space;
    std::uint64_t start = 0;
};

std::string textOf(const Record& record) {
    const RunningCampaign& run = record.run;
    return OrderedJson{
        {"file", run.file.string()}, {"device", run.identity.device}, {"inode", run.identity.inode},
        {"process", run.process},    {"start", record.start},         {"space", record.space},
        {"host", run.host},          {"place", name(run.place)},      {"state", run.state ? name(*run.state) : ""},
        {"since", run.since}}
        .dump();
}

std::optional<Record> readRecord(const fs::path& path) {
    const auto text = readFile(path, recordLimitBytes);
    const auto json = text ? parseJson(*text, path.string()) : tl::unexpected(text.error());
    if (!json || !json->is_object()) {
        return std::nullopt;
    }
    const auto number = [&](const char* key) {
        const auto at = json->find(key);
        return at != json->end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
    };
    const auto string = [&](const char* key) {
        const auto at = json->find(key);
        return at != json->end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    Record record;
    record.run = {
        string("file"),
        {number("device"), number("inode")},
        0,
        string("host"),
        false,
        RunPlace::headless,
        named(string("state"), {EngineState::idle, EngineState::running, EngineState::paused, EngineState::stopping}),
        static_cast<Timestamp>(number("since"))};
    record.space = string("space");
    record.start = number("start");
    const std::uint64_t process = number("process");
    const auto place = named(string("place"), {RunPlace::headless, RunPlace::window, RunPlace::background});
    if (record.run.file.empty() || process == 0 || process > std::numeric_limits<int>::max() || !place) {
        return std::nullopt;
    }
    record.run.process = static_cast<int>(process);
    record.run.place = *place;
    return record;
}

// Gone: here because its process is; from elsewhere because nobody holds the file it names. (Another machine numbers
// its devices in another way.)
bool isGone(const Record& record) {
    if (record.run.here) {
        return startOf(record.run.process) != record.start;
    }
    const auto identity = identityOf(record.run.file);
    return identity && identity->inode == record.run.identity.inode && !isWriterByteHeld(record.run.file);
}

// The records of this process.
class OwnRecords {
public:
    static OwnRecords& instance() {
        static OwnRecords records;
        return records;
    }

    void begin(const fs::path& file, FileIdentity identity) {
        const std::lock_guard lock(m_mutex);
        Record& record = m_records[identity];
        record.run = {file, identity, ::getpid(), machineName(), true, RunPlace::headless, {}, now()};
        record.space = processSpace();
        record.start = startOf(record.run.process);
        write(record);
    }
    void end(FileIdentity identity) {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_records.find(identity); at != m_records.end()) {
            std::error_code ignored;
            fs::remove(recordOf(at->second.run, at->second.space), ignored);
            fs::remove(requestOf(at->second.run, at->second.space), ignored);
            fs::remove(socketOf(at->second.run, at->second.space), ignored);
            m_records.erase(at);
        }
    }
    template<class Change>
    void change(const fs::path& file, Change change) {
        const auto identity = identityOf(file);
        const std::lock_guard lock(m_mutex);
        if (const auto at = identity ? m_records.find(*identity) : m_records.end(); at != m_records.end()) {
            change(at->second.run);
            write(at->second);
        }
    }
    std::optional<fs::path> socket(const fs::path& file) {
        const auto identity = identityOf(file);
        const std::lock_guard lock(m_mutex);
        const auto at = identity ? m_records.find(*identity) : m_records.end();
        return at != m_records.end() ? std::optional(socketOf(at->second.run, at->second.space)) : std::nullopt;
    }
    std::vector<fs::path> takeRequests() {
        const std::lock_guard lock(m_mutex);
        std::vector<fs::path> wanted;
        std::error_code ignored;
        for (const auto& [identity, record] : m_records) {
            if (fs::remove(requestOf(record.run, record.space), ignored)) {
                wanted.push_back(record.run.file);
            }
        }
        return wanted;
    }

private:
    static void write(const Record& record) {
        const fs::path folder = recordFolder();
        if (makeDirectories(folder)) {
            std::error_code ignored; // names of files are nobody else's business
            fs::permissions(folder, fs::perms::owner_all, ignored);
            static_cast<void>(writeFileAtomically(recordOf(record.run, record.space), textOf(record)));
        }
    }

    std::mutex m_mutex;
    std::map<FileIdentity, Record> m_records;
};

std::vector<Record> livingRecords() {
    std::vector<Record> found;
    const std::string space = processSpace();
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(recordFolder(), failed)) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        auto record = readRecord(entry.path());
        if (!record) {
            continue;
        }
        record->run.here = record->space == space;
        if (isGone(*record)) {
            std::error_code ignored;
            fs::remove(entry.path(), ignored);
            fs::remove(requestOf(record->run, record->space), ignored);
            fs::remove(socketOf(record->run, record->space), ignored);
        } else {
            found.push_back(std::move(*record));
        }
    }
    std::sort(found.begin(), found.end(), [](const Record& a, const Record& b) { return a.run.since < b.run.since; });
    return found;
}

class ProcessHandle {
public:
    explicit ProcessHandle(int process) : m_descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))) {}
    ProcessHandle(const ProcessHandle&) = delete;
    ProcessHandle& operator=(const ProcessHandle&) = delete;
    ~ProcessHandle() {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
        }
    }
    bool signal(int number) const {
        return m_descriptor >= 0 && ::syscall(SYS_pidfd_send_signal, m_descriptor, number, nullptr, 0) == 0;
    }
    bool endsWithin(std::chrono::milliseconds time) const {
        pollfd waiting = {m_descriptor, POLLIN, 0};
        return ::poll(&waiting, 1, static_cast<int>(time.count())) == 1;
    }

private:
    int m_descriptor;
};

} // namespace

std::string_view name(EngineState state) {
    switch (state) {
    case EngineState::idle:
        return "idle";
    case EngineState::running:
        return "running";
    case EngineState::paused:
        return "paused";
    case EngineState::stopping:
        return "stopping";
    }
    return "";
}

std::string_view name(RunPlace place) {
    switch (place) {
    case RunPlace::headless:
        return "headless";
    case RunPlace::window:
        return "window";
    case RunPlace::background:
        return "background";
    }
    return "";
}

std::vector<RunningCampaign> runningCampaigns() {
    std::vector<RunningCampaign> runs;
    for (Record& record : livingRecords()) {
        runs.push_back(std::move(record.run));
    }
    return runs;
}

std::optional<RunningCampaign> runOf(const fs::path& file) {
    const auto identity = identityOf(file);
    for (Record& record : livingRecords()) {
        if (identity == record.run.identity) {
            return std::move(record.run);
        }
    }
    return std::nullopt;
}

bool isOwnRun(const RunningCampaign& run) {
    return run.here && run.process == ::getpid();
}

fs::path runSocketOf(const RunningCampaign& run) {
    return socketOf(run, processSpace());
}
std::optional<fs::path> ownRunSocket(const fs::path& file) {
    return OwnRecords::instance().socket(file);
}

CampaignWriter writerOf(const fs::path& file) {
    return {isWriterByteHeld(file), runOf(file)};
}

Result<StopOutcome> stopRun(const RunningCampaign& run, std::chrono::milliseconds patience) {
    const std::string who = fmt::format("process {} on {}", run.process, run.host);
    if (!run.here) {
        return usageError(fmt::format("runs elsewhere: {}", who), run.file.string(), "Stop it there");
    }
    if (isOwnRun(run)) { // the signal would end whoever asks
        return usageError("this program has it open itself", run.file.string(), "Close it here, or try again");
    }
    const std::string space = processSpace();
    const fs::path record = recordOf(run, space);
    const ProcessHandle process(run.process); // the handle first: from here on the number cannot change its meaning
    const auto known = readRecord(record);
    if (!known || startOf(run.process) != known->start) {
        return StopOutcome::ended;
    }
    GKS_TRY(writeFileAtomically(requestOf(run, space), ""));
    if (!process.signal(SIGTERM)) {
        return infrastructureError(fmt::format("cannot stop {}: {}", who, systemMessage(errno)), run.file.string());
    }
    for (const auto deadline = Clock::now() + patience; Clock::now() < deadline;) {
        if (process.endsWithin(lookInterval)) {
            return StopOutcome::ended;
        }
        const auto current = readRecord(record);
        if (!current) {
            return StopOutcome::ended;
        }
        std::error_code ignored;
        const bool heard = !fs::exists(requestOf(run, space), ignored);
        if (heard && current->run.place == RunPlace::window && current->run.state != EngineState::running &&
            current->run.state != EngineState::stopping) {
            return StopOutcome::stopped;
        }
    }
    return StopOutcome::stillRunning;
}

Result<EndedRun> endRun(const fs::path& file) {
    const auto run = runOf(file);
    if (!run) {
        if (isWriterByteHeld(file)) {
            return infrastructureError("in use by another user's program or another machine", file.string(),
                                       "Stop it there");
        }
        return usageError("no program runs this campaign", file.string(), "See runs");
    }
    GKS_TRY_ASSIGN(const StopOutcome outcome, stopRun(*run, personsPatience));
    if (outcome == StopOutcome::stillRunning) {
        return infrastructureError(
            fmt::format("process {} was asked to stop and still runs", run->process), run->file.string(),
            fmt::format("Try again, or end it with: kill -KILL {}. What is finished stays", run->process));
    }
    return EndedRun{*run, outcome};
}

std::string stateText(const RunningCampaign& run) {
    return std::string(run.state ? name(*run.state) : "being changed");
}
std::string_view placeText(RunPlace place) {
    switch (place) {
    case RunPlace::headless:
        return "terminal";
    case RunPlace::window:
        return "window";
    case RunPlace::background:
        return "in the background";
    }
    return "";
}
std::string processText(const RunningCampaign& run) {
    return fmt::format("process {}{}", run.process, run.here ? "" : " on " + run.host);
}
std::string sinceText(const RunningCampaign& run) {
    return formatSeconds(static_cast<double>((now() - run.since) / 1000));
}
std::string endedText(const EndedRun& ended) {
    return ended.outcome == StopOutcome::stopped
               ? fmt::format("{}: stopped, still open in the window of process {}", ended.run.file.string(),
                             ended.run.process)
               : fmt::format("{}: ended, everything finished is stored", ended.run.file.string());
}

std::vector<fs::path> takeStopRequests() {
    return OwnRecords::instance().takeRequests();
}

void announceRunState(const fs::path& file, EngineState state) {
    OwnRecords::instance().change(file, [&](RunningCampaign& run) {
        if (state == EngineState::running && run.state.value_or(EngineState::idle) == EngineState::idle) {
            run.since = now();
        }
        run.state = state;
    });
}
void announceRunPlace(const fs::path& file, RunPlace place) {
    OwnRecords::instance().change(file, [&](RunningCampaign& run) { run.place = place; });
}
void beginRunRecord(const fs::path& file, FileIdentity identity) {
    OwnRecords::instance().begin(file, identity);
}
void endRunRecord(FileIdentity identity) {
    OwnRecords::instance().end(identity);
}

} // namespace gks
