// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/session/call_limit.h"
#include "core/judge/evaluator/session/profiler.h"
#include "core/judge/evaluator/session/runner_error.h"
#include "core/judge/evaluator/session/shared_memory.h"
#include "core/judge/runner/runner_protocol.h"
#include "core/target/target.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gks {

// What all runners of an evaluation read; written by the evaluator alone.
struct InputSegment {
    explicit InputSegment(SharedMemory segment) : memory(std::move(segment)) {}
    static Result<std::shared_ptr<InputSegment>> create(std::size_t sizeBytes);

    SharedMemory memory;
    std::uint64_t holds = 0; // the source of inputs (InputSource::id) whose values are in it
};

// One sandboxed runner process of a GPU and the conversation with it. It serves one candidate after the other.
// Everything that it says is a claim; see runner_protocol.h.
class RunnerSession {
public:
    struct AnchorFiles { // of a library of the problem pack
        std::filesystem::path library;
        std::vector<std::filesystem::path> readable; // that it needs beside it
        bool operator==(const AnchorFiles&) const = default;
    };
    struct Setup {
        Device device;
        std::size_t segmentBytes = 0; // of what is read back, large enough for the largest shape
        std::size_t inputBytes = 0;   // of the input segment, likewise
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::size_t flushBytes = 0; // written before every call, also an empty one
        std::optional<ProfiledRun> profiled = {};
        std::optional<AnchorFiles> anchor = {}; // called where plans are executed else; the process is for it alone
        bool operator==(const Setup&) const = default;
    };
    // Starts the process and does not wait for it: it may get ready while the compiler is still at its module. It has
    // an input segment of its own unless one is given.
    static Result<std::unique_ptr<RunnerSession>> start(const Setup& setup,
                                                        std::shared_ptr<InputSegment> inputs = nullptr);
    ~RunnerSession();

    struct Answer {
        runner::Reply reply;
        double hostUs = 0; // from before the command was written until the reply was there, on this side's clock
    };
    // `text` is what follows the command.
    RunnerResult<Answer> ask(runner::Command command, std::string_view text = {});
    // Waits until the runner is there, measures what an empty call takes, then has it load device code. From here on
    // `stop` cancels and `timeout` is the longest that one command may take.
    RunnerResult<void> load(std::string_view deviceCode, std::chrono::duration<double> timeout,
                            const std::stop_token& stop);
    // The same for a process with an anchor, which takes no device code: the version that the library says.
    RunnerResult<std::string> loadAnchor(std::chrono::duration<double> timeout, const std::stop_token& stop);
    // Has the process end by itself, as a profiler needs it, and waits; an error says how it ended instead.
    RunnerResult<void> finish();
    // Whether the process is ready for another candidate. One that has seen anything go wrong is not, nor one with an
    // anchor.
    bool unload();
    const Setup& setup() const { return m_setup; }
    bool isAlive() { return m_child && !m_child->wait(std::chrono::milliseconds(0)); }

    InputSegment& inputs() const { return *m_inputs; }
    std::span<const std::byte> outputs() const { return m_outputs.bytes(); }
    double emptyCallUs() const { return m_emptyCallUs; }
    int pid() const { return m_child ? m_child->pid() : -1; }
    std::string log() const; // what it printed for this candidate, bounded, valid UTF-8

private:
    RunnerSession(Setup setup, TemporaryDirectory folder, SharedMemory outputs);
    Result<void> launch();
    RunnerResult<Answer> loaded(std::string_view deviceCode, std::chrono::duration<double> timeout,
                                const std::stop_token& stop);
    RunnerResult<void> calibrate();
    void drain(const std::stop_token& stop);
    tl::unexpected<RunnerError> ended();
    tl::unexpected<RunnerError> trouble(RunnerTrouble trouble, std::string what) const;
    tl::unexpected<RunnerError> late(const CallLimit& limit);
    RunnerResult<void> send(const void* bytes, std::size_t size);
    RunnerResult<void> receive(runner::Reply& reply);
    RunnerResult<Answer> converse(runner::Command& command, std::string_view text);
    RunnerResult<void> judgeFailure(const runner::Reply& reply) const;

    Setup m_setup;
    TemporaryDirectory m_folder;            // for what the driver writes
    std::shared_ptr<InputSegment> m_inputs; // never empty
    SharedMemory m_outputs;
    std::stop_token m_stop;
    std::chrono::duration<double> m_timeout{120}; // of one command
    std::optional<ChildProcess> m_child;
    int m_commands = -1;
    int m_replies = -1;
    bool m_isPinned = false;
    bool m_loaded = false;
    bool m_isSound = true;
    double m_emptyCallUs = 0;
    mutable std::mutex m_logMutex;
    std::string m_log;
    std::size_t m_logDropped = 0;
    std::jthread m_drain;
    std::jthread m_populating;
};

} // namespace gks
