// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"

// A population as `show --json` prints it.
namespace gks::cli {

OrderedJson labelOrNull(const std::optional<KernelId>& id);
OrderedJson kernelJson(const Population& population, const Kernel& kernel);
OrderedJson experimentJson(const Population& population, const Experiment& experiment);
// `ofBest`: the evaluations of the best kernel; `running`: by a program that has the file open.
OrderedJson populationJson(const Population& population, bool running, const std::vector<Evaluation>& ofBest);
// "judged_by", where that is not our own judge.
OrderedJson judgeJson(const CampaignSettings& settings);
// "headline", and "confirmation" where there is one.
OrderedJson headlineJson(const Population& population, const std::vector<Evaluation>& ofBest);

} // namespace gks::cli
