// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/inode_locks.h"
#include "core/campaign/types.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Which campaigns are open for writing, by which process: so that an engine can be found, watched and stopped after its
// window has gone.
//
// Every process that holds a campaign's lock (FileLock) keeps one small JSON file about it in stateFolder()/runs of its
// user. It is written for people and programs that look; what decides who may write is the lock alone. A record whose
// process is gone is removed by whoever lists them.
//
// To follow a run that another process has: Engine::open() with Access::read; the writer is never kept waiting. To take
// it over: endRun(), then Engine::open().
namespace gks {

// What has the campaign: a command, a window, or a window's process that goes on after its window was closed.
enum class RunPlace { headless, window, background };
std::string_view name(RunPlace place);

enum class EngineState { idle, running, paused, stopping };
std::string_view name(EngineState state);

struct RunningCampaign {
    std::filesystem::path file; // canonical
    FileIdentity identity;
    int process = 0;
    std::string host;
    bool here = false; // its process can be seen and stopped from this one: same machine, same container
    RunPlace place = RunPlace::headless;
    std::optional<EngineState> state; // none: a command that changes the file and ends, not an engine
    Timestamp since = 0;              // the run began; before any, the file was opened
};

// All that this user has open for writing, the oldest first.
std::vector<RunningCampaign> runningCampaigns();
bool isOwnRun(const RunningCampaign& run); // this process has it
// Whoever holds this campaign, under whatever name the file is given; nullopt too when that is another user's process.
std::optional<RunningCampaign> runOf(const std::filesystem::path& file);

// Where the process that holds it listens to viewers, beside the record (core/engine/viewer_port.h). Of one that is not
// `here` there is nothing to be found.
std::filesystem::path runSocketOf(const RunningCampaign& run);
// Of a campaign that this process holds; nullopt: it does not.
std::optional<std::filesystem::path> ownRunSocket(const std::filesystem::path& file);

enum class StopOutcome {
    ended,       // the campaign is free
    stopped,     // nothing runs any more; a window still has it open
    stillRunning // after `patience`
};
// The same with what the record cannot tell: somebody may have it whose record is not to be seen from here.
struct CampaignWriter {
    bool isThere = false;
    std::optional<RunningCampaign> run; // without it: another user's, or on another machine
};
CampaignWriter writerOf(const std::filesystem::path& file);

// Ends a run as SIGTERM does: work in flight is given up and starts again the next time, what is finished is kept.
// Usage error when the process is not `here`, or is this one; infrastructure error when it may not be signalled.
Result<StopOutcome> stopRun(const RunningCampaign& run, std::chrono::milliseconds patience);

struct EndedRun {
    RunningCampaign run;
    StopOutcome outcome = StopOutcome::ended; // never stillRunning
};
// stopRun() for whoever has this campaign, as long as a person waits for it (up to 15 s). Also an error: nobody has it,
// another user has it, it still runs.
Result<EndedRun> endRun(const std::filesystem::path& file);

// The words of a list for people.
std::string stateText(const RunningCampaign& run);   // "running", "being changed"
std::string_view placeText(RunPlace place);          // "terminal", "window", "in the background"
std::string processText(const RunningCampaign& run); // "process 4242", "process 4242 on node7"
std::string sinceText(const RunningCampaign& run);   // "2 min 05 s"
std::string endedText(const EndedRun& ended);        // what came of it, with the file

// For the process that has campaigns open. stopRun() leaves a request and sends SIGTERM; a process with several
// campaigns asks here which of them are meant, and ends altogether only when there is no request. Each request is
// handed out once.
std::vector<std::filesystem::path> takeStopRequests();

// Of a campaign that this process holds; otherwise nothing happens.
void announceRunState(const std::filesystem::path& file, EngineState state);
void announceRunPlace(const std::filesystem::path& file, RunPlace place);
// FileLock alone calls these. A record that cannot be written is no error.
void beginRunRecord(const std::filesystem::path& file, FileIdentity identity);
void endRunRecord(FileIdentity identity);

} // namespace gks
