// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/judge/protocol.h"

#include <memory>
#include <stop_token>

namespace gks::cli {

// A kernel's source, from a file of a size that a kernel may have.
Result<std::string> readKernel(const std::string& path);
// The pack by name or folder, as the evaluator will find it too.
Result<std::string> checkedProblem(const std::string& nameOrFolder);
// The same, or a command pack: what a campaign may hold.
Result<std::string> campaignProblem(const std::string& nameOrFolder);

// --flags of `evaluate` and `inspect`: what a kernel may bring for its compilers, as words.
extern const Option compilerOptionsOption;
Result<std::vector<std::string>> compilerOptions(const Arguments& arguments);

// Evaluates one request after the other with progress on stderr. An interrupt cancels.
class Foreground {
public:
    Foreground();
    ~Foreground();
    Verdict evaluate(const EvaluationRequest& request);
    std::stop_token stop() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};
Verdict evaluateInForeground(const EvaluationRequest& request);

// The verdict's exit status; infrastructure is never the kernel's fault.
int exitStatus(const Verdict& verdict);

// "gfx942: VGPR 66, ..." as a table.
std::string staticReportText(const StaticReport& report);
// What the compiler said and the verdict, for a build that failed.
void printBuildFailure(const Verdict& verdict);

} // namespace gks::cli
