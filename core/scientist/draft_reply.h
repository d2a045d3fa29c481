// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/scientist/scientist.h"

#include <string>
#include <string_view>

namespace gks {

// What a writer's reply must be measured against.
struct DraftTask {
    const Population& population;
    std::string_view editedSource; // what its edits apply to: the parent, or the draft that failed
    std::string_view failedSource; // empty for a first draft
    std::string_view rubric;
    bool isProbe = false;
    bool ofHarness = false; // which alone knows what the file must define
};

// The draft that a reply fits: the whole source or edits, complete, new, within its limits; of a probe with lines that
// declare its variants. An error is told to the model.
Result<Draft> draftFromReply(const Json& reply, const DraftTask& task);

} // namespace gks
