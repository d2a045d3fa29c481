// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/refusal.h"
#include "core/judge/protocol.h"
#include "core/problem/harness.h"
#include "core/target/target.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// What all commands of one evaluation have in common.
struct HarnessPlace {
    const Harness& harness;
    const Device& device;
    SandboxLevel level = SandboxLevel::none;
    bool allowNoSandbox = false;
    std::function<void(const LogEvent&)> tell;
    std::stop_token stop;
};

// A kernel in a scratch folder of its own, which no other kernel's commands can see, and what the harness says of it.
class HarnessKernel {
public:
    static Judged<HarnessKernel> place(const HarnessPlace& where, const std::string& source);

    Judged<void> build(BuildFacts& facts);
    // Right, or the refusal that says what it is. `fact` is what is kept of it.
    Judged<void> verify(VerificationFact& fact);
    // One run of the command: the times that it printed, in microseconds.
    Judged<std::vector<double>> measure();

private:
    HarnessKernel(const HarnessPlace& where, TemporaryDirectory scratch)
        : m_where(&where), m_scratch(std::move(scratch)) {}
    SandboxPolicy policy() const;
    Judged<CompletedProcess> command(const std::vector<std::string>& words, const char* what);
    Judged<void> ended(const CompletedProcess& run, const char* what) const;
    std::string overTime() const;

    const HarnessPlace* m_where;
    TemporaryDirectory m_scratch;
};

// Every sentence that could be taken for our judge's says whose it is: "...; judged by the user's harness".
std::string saidByHarness(const std::string& text);

} // namespace gks
