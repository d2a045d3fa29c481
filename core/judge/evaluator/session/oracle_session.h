// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/session/shared_memory.h"
#include "core/judge/oracle/protocol.h"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace gks {

// One sandboxed oracle process and the conversation with it. It stays up over the cases and evaluations of a pack.
// Calls from several threads wait for each other: every request has all cores. Once something went wrong every further
// call says so; whoever wants to go on starts another.
class OracleSession {
public:
    struct Setup {
        std::filesystem::path library; // the compiled reference
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::chrono::duration<double> answerLimit{100}; // of one request
        bool operator==(const Setup&) const = default;
    };
    // Starts the process and does not wait for it. `source` is what messages name: the pack's reference.cpp.
    static Result<std::shared_ptr<OracleSession>> start(const Setup& setup, std::string source);
    ~OracleSession();

    // A case: shape, places of the inputs, and the segment that they lie in. Returns its number.
    Result<std::uint32_t> open(oracle::Request request, const SharedMemory& inputs);
    void close(std::uint32_t number);
    // So many bytes behind its place an input begins, in the order of the tensors.
    using Shifts = std::array<std::uint64_t, oracle::tensorLimit>;
    // Values of the slices of an output, or their magnitudes, one after the other; `at` of the slices is filled in
    // here. A thread of the oracle takes `grain` slices at a time.
    enum class Asked { values, magnitudes };
    Result<void> answer(std::uint32_t number, std::size_t output, const Shifts& shifts, std::span<oracle::Slice> slices,
                        std::size_t grain, std::span<double> values, Asked asked = Asked::values);

    // From any thread: the request in flight ends as cancelled, and so does every later one.
    void interrupt() { m_interrupted = true; }
    // For this setup, and nothing went wrong so far.
    bool serves(const Setup& setup);

private:
    OracleSession(Setup setup, std::string source, SharedMemory questions, SharedMemory answers);
    Result<void> launch();
    Result<void> send(oracle::Request& request, int descriptor);
    Result<oracle::Reply> receive(std::uint64_t sequence);
    Result<oracle::Reply> ask(oracle::Request& request, int descriptor = -1);
    Result<oracle::Reply> converse(oracle::Request& request, int descriptor);
    Error ended();
    Error fault(std::string what) const; // of the pack

    Setup m_setup;
    std::string m_source;
    std::atomic<bool> m_interrupted = false;
    std::mutex m_mutex; // guards all below
    SharedMemory m_questions;
    SharedMemory m_answers;
    std::optional<ChildProcess> m_child;
    int m_channel = -1;
    std::uint64_t m_sequence = 0;
    std::uint32_t m_lastCase = 0;
    bool m_loaded = false;
    std::optional<Error> m_broken;
};

} // namespace gks
