// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/machine_code_plan.h"

#include "core/base/hash.h"

#include <algorithm>

namespace gks {

Result<BuildPlan> planMachineCode(BuildRequest request) {
    request.module = false;
    request.staticReport = true;
    GKS_TRY_ASSIGN(BuildPlan plan, planBuild(request));
    for (BuildStep& step : plan.steps) {
        std::vector<std::string>& words = step.arguments;
        if (step.outputFile == plan.disassembly) {
            words.insert(words.begin() + 1, "-l");
        } else if (std::find(words.begin(), words.end(), "-c") != words.end()) {
            words.insert(words.begin() + 1, {"-gline-tables-only", "-fno-caret-diagnostics"});
        }
    }
    plan.key = sha256Hex(plan.key + " with line tables");
    return plan;
}

} // namespace gks
