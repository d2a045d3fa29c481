// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/prompt.h"
#include "core/scientist/scientist.h"

#include <string>
#include <string_view>
#include <vector>

// What each stage is told, in one place: the stages ask with it and the preview of an edited prompt shows it.
namespace gks {

struct StageInput {
    PromptValues values;
    std::vector<Inclusion> inclusions; // what of it is neither the task nor code
};

StageInput selectorInput(const Briefing& briefing);
// `selection` says what else is shown, and why `basis` was chosen.
Result<StageInput> designerInput(const Briefing& briefing, const Kernel& basis, const Selection& selection);
Result<StageInput> writerInput(const Briefing& briefing, const Kernel& basis, const Experiment& experiment);
// Of a probe: nothing of the problem, the shapes or the kernels.
Result<StageInput> probeInput(const Briefing& briefing, const Experiment& experiment);
Result<StageInput> repairInput(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                               const Failure& failure, int attempt);
// `before` is the source that the draft was made from.
StageInput checkerInput(const Experiment& experiment, const std::vector<RubricItem>& rubric, std::string_view before,
                        std::string_view after);

} // namespace gks
