// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/oracle_session.h"
#include "core/judge/evaluator/trial/call_inputs.h"
#include "core/problem/data.h"

#include <memory>
#include <span>
#include <vector>

namespace gks {

// Expected outputs of one set of inputs, which the oracle holds for as long as this exists. What is const is safe to
// use from several threads.
class ExpectedOutputs {
public:
    struct Input { // as the oracle gets it; no bytes: an output
        ElementType type = ElementType::f32;
        std::uint64_t offset = 0;
        std::size_t bytes = 0;     // of the tensor itself, or of the values that it is a window of
        std::size_t heldBegin = 0; // of these values the piece of the last call, whose values stand in their place
        std::size_t heldBytes = 0;
    };
    ExpectedOutputs(std::shared_ptr<OracleSession> session, std::uint32_t number, std::vector<std::int64_t> elements,
                    std::vector<Input> inputs, SharedMemory memory, Fp8Encoding encoding)
        : m_session(std::move(session))
        , m_number(number)
        , m_elements(std::move(elements))
        , m_inputs(std::move(inputs))
        , m_memory(std::move(memory))
        , m_encoding(encoding) {}
    ExpectedOutputs(const ExpectedOutputs&) = delete;
    ExpectedOutputs& operator=(const ExpectedOutputs&) = delete;
    ~ExpectedOutputs() { m_session->close(m_number); }
    std::size_t sizeBytes() const { return m_memory.bytes().size(); }

    using Asked = OracleSession::Asked;
    // Elements [begin, end) of an output.
    Result<std::vector<double>> range(std::size_t tensorIndex, std::int64_t begin, std::int64_t end,
                                      Asked asked = Asked::values) const;
    // One value per flat index, in the order given. Indices that follow one another are asked for together.
    Result<std::vector<double>> at(std::size_t tensorIndex, std::span<const std::int64_t> indices,
                                   Asked asked = Asked::values) const;
    // From here on of these inputs, of the same shape.
    Result<void> replaceInputs(const std::vector<std::span<const std::byte>>& tensors);
    // From here on of the inputs of that call. The values of the source are what is there.
    Result<void> moveTo(const InputSource& source, const InputChoice& choice);

private:
    Result<void> isInside(std::size_t tensorIndex, std::int64_t begin, std::int64_t end) const;
    void put(const Input& input, std::size_t begin, std::span<const std::byte> values);

    std::shared_ptr<OracleSession> m_session;
    std::uint32_t m_number;
    std::vector<std::int64_t> m_elements; // of outputs; 0 for inputs
    std::vector<Input> m_inputs;
    OracleSession::Shifts m_shifts = {};
    SharedMemory m_memory; // what the oracle reads
    Fp8Encoding m_encoding;
};

// The pack's reference.cpp: compiled in the sandbox and run there, in a process of its own. Nothing of it is ever
// loaded here. It exports:
//   extern "C" void reference(const void* const* tensors, const int64_t* dims, int output, int64_t begin, int64_t end,
//   double* expected);
// tensors in the order of the pack (outputs null), fp8 inputs given as float arrays already decoded; fills expected[0
// .. end-begin). Where the pack's tolerance follows the magnitude, magnitude() with the same parameters as well: the
// sums of the absolute values of the terms. A reference that computes whole outputs at once may export `extern "C" void
// new_inputs()`, which is called before calls of whose inputs any may have changed. A reference that crashes, hangs or
// tampers is an error of the pack.
class Reference {
public:
    struct Options {
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::chrono::duration<double> answerLimit = OracleSession::Setup().answerLimit;
    };
    // Compiles when that is needed, and takes over `last` when its process is the same; else starts one and does not
    // wait for it. The process ends with the thread that started it.
    static Result<std::shared_ptr<const Reference>> load(const ProblemPack& pack, const Options& options,
                                                         const std::shared_ptr<const Reference>& last = {});

    // `tensors` in the order of the pack, as bytes (outputs empty); they are copied. Each as many times as large as a
    // call needs: which of them count is then said by moveTo().
    Result<std::shared_ptr<ExpectedOutputs>> prepare(const Shape& shape,
                                                     const std::vector<std::span<const std::byte>>& tensors,
                                                     Fp8Encoding encoding, std::size_t times = 1) const;
    // From any thread: what is being asked ends as cancelled.
    void interrupt() const { m_session->interrupt(); }
    bool isSameProcess(const Reference& other) const { return m_session == other.m_session; }

private:
    Reference(std::shared_ptr<OracleSession> session, ProblemPack pack)
        : m_session(std::move(session)), m_pack(std::move(pack)) {}

    std::shared_ptr<OracleSession> m_session;
    ProblemPack m_pack;
};

} // namespace gks
