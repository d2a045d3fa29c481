// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/scientist/scientist.h"

#include <string>

namespace gks {

// What a designer's reply must be measured against.
struct DesignTask {
    const Population& population;
    const Selection& selection;
    std::string model; // that replies
};

// Whether a kernel can be made from the parent and this reference: it has one, and that passed the judge.
bool offersTwoParents(const Population& population, const std::optional<KernelId>& reference);

// Fills in what may be left out: lessons, their gains, uses, and the gain of a probe. The schema requires every field,
// as services that keep to one want it.
void mendDesign(Json& reply);
// The design that a reply fits, of a new round: at least one rewrite, two parents only where there are two, nothing
// that was tried, one probe at most, every avenue that the person asks for taken up, and enough of another kind when
// nothing is gained any more. Nothing is picked. An error is told to the model.
Result<Design> designFromReply(const Json& reply, const DesignTask& task);

} // namespace gks
