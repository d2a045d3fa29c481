// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/session/call_limit.h"
#include "core/judge/evaluator/session/runner_session.h"
#include "core/judge/evaluator/session/shared_memory.h"
#include "core/judge/runner/frozen/opening.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace gks {

// One sandboxed keeper with the process that runs a candidate's device code, which stands still except within a call
// (core/judge/runner/frozen/keeper.cpp). While it stands its tensors are read and written here, through this side's own
// mapping.
class FrozenSession {
public:
    struct Setup {
        std::filesystem::path deviceModule;
        std::size_t inputBytes = 0;  // of the segments
        std::size_t outputBytes = 0; // outputs and workspace
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        bool reversedOrder = false; // threads of a block in reversed order, LDS poisoned, reads checked
        std::chrono::duration<double> timeLimit{120}; // of each call; see CallLimit
        std::stop_token stop = {};
    };
    // Checks the module and starts the keeper. `inputs` is what other sessions may read too.
    static RunnerResult<std::unique_ptr<FrozenSession>> start(Setup setup, std::shared_ptr<InputSegment> inputs);
    ~FrozenSession();

    // Measures what a call takes that does nothing, in a process without tensors and plans.
    RunnerResult<void> calibrate();
    // Makes a fresh process with these regions and plans, which have been checked. Nothing of the device code has run
    // when this returns.
    RunnerResult<void> open(std::vector<frozen::Region> regions, LaunchPlan setup, LaunchPlan plan);

    struct Call {
        double us = 0;       // from before the process went on until it stood still, on the keeper's clock
        double hostUs = 0;   // the same with the way to the keeper and back, on this side's
        std::string printed; // by device code and the runtime meanwhile; a log, whose line of races is a claim as well
        std::vector<hipcpu::ReadNote> reads; // past the end of regions; numbers that the device process claims
    };
    RunnerResult<Call> call(frozen::Which which);
    std::string printed() const; // since the last call began, however it ended; as in Call

    double emptyCallUs() const { return m_emptyCallUs; }
    double emptyWayUs() const { return m_emptyWayUs; } // in the middle, to the keeper and back around such a call
    InputSegment& inputs() const { return *m_inputs; }
    std::span<std::byte> outputs() const { return m_outputs.bytes(); }
    const Setup& setup() const { return m_setup; }
    int pid() const { return m_child ? m_child->pid() : -1; }
    std::string log() const; // what was printed so far, bounded, valid UTF-8

private:
    FrozenSession(Setup setup, std::shared_ptr<InputSegment> inputs, TemporaryDirectory folder, SharedMemory outputs);
    Result<void> launch();
    RunnerResult<frozen::Reply> ask(frozen::Command command, std::string_view text, Call* call);
    RunnerResult<void> send(const void* bytes, std::size_t size);
    RunnerResult<void> receive(void* into, std::size_t bytes, CallLimit& limit);
    // Waits for the keeper or for something printed; takes the latter into the log.
    bool waitForReply(std::chrono::milliseconds longest);
    tl::unexpected<RunnerError> ended();
    tl::unexpected<RunnerError> deviceEnded(const frozen::Reply& reply) const;
    std::filesystem::path modulePath() const { return m_folder.path() / "device.so"; }

    Setup m_setup;
    std::shared_ptr<InputSegment> m_inputs;
    TemporaryDirectory m_folder; // all that the wall shows
    SharedMemory m_outputs;
    std::optional<ChildProcess> m_child;
    int m_channel = -1;
    std::uint64_t m_sequence = 0;
    double m_emptyCallUs = 0;
    double m_emptyWayUs = 0;
    std::string m_log;
    std::string m_printed; // since the last call began
};

// Error when the file is more than device code: it needs libraries, leaves symbols open, or has code for its loading.
Result<void> checkDeviceModule(const std::filesystem::path& module);

// What the keeper's side of the wall may see and do.
SandboxPolicy frozenPolicy(const FrozenSession::Setup& setup, const std::filesystem::path& moduleFolder);

} // namespace gks
