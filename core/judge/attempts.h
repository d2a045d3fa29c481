// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/refusal.h"
#include "core/judge/protocol.h"

#include <functional>
#include <optional>
#include <stop_token>

// A process of the judge that somebody ends with SIGKILL (a person, a batch system, the kernel when memory runs out),
// or that gets no processor, says nothing about the kernel: the evaluation is tried again.
namespace gks {

inline constexpr int attemptLimit = 3; // at one evaluation

struct Attempt {
    Verdict verdict;
    std::optional<Refusal> interrupted; // why it ended, when another attempt may go well
    bool isSandboxed = true;
};

// Attempts until one is not interrupted, or the limit. What was interrupted every time stays infrastructureFailed, with
// two exceptions in which a kill may well be the kernel's own doing (Refusal::ifAtFault): each time the system's memory
// ran out, or there is no sandbox, which alone keeps a kernel from killing itself.
Verdict inAttempts(const std::function<Attempt()>& evaluate, const EvaluationSink& sink, const std::stop_token& stop);

// For the person who watches: "...: tried again, attempt 2 of 3".
void tellNextAttempt(const EvaluationSink& sink, const std::string& reason, int next);
std::string everyTime(const std::string& reason);
inline constexpr const char* killedNext = "Look at what ends processes here: lack of memory, a batch system, a person";

} // namespace gks
