// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string>
#include <string_view>

// Experiments of a person in a campaign that has no model: the tuner only sets tunables, so the person writes the code.
namespace gks {

bool isWrittenByPerson(const Experiment& experiment, const CampaignSettings& settings);
// Nobody will write it: it waits for the person's own kernel, or for a model to be named.
bool needsOwnCode(const Experiment& experiment, const CampaignSettings& settings);
// The title by which a kernel of the person's, made from the same parent, is known to carry it out.
std::string ownCodeTitle(const Experiment& experiment);
// Null: the kernel stands for itself.
const Experiment* experimentOfOwnCode(const Population& population, KernelId parent, std::string_view title);

} // namespace gks
