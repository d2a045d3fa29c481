// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/lane_spec.h"
#include "core/judge/evaluator_client.h"

#include <functional>
#include <string>

namespace gks {

// What is said of a lane while it is come to: "copying the evaluator", "job 17 PENDING (Resources)".
using TellWay = std::function<void(const std::string&)>;

// How the evaluator of a lane elsewhere is come to: it is put there once, then started by ssh, or by Slurm as a job of
// its own. `owner` tells the jobs of this campaign from others'. Thread-safe.
EvaluatorClient::Way wayTo(const LaneSpec& lane, const std::string& owner, TellWay tell);

} // namespace gks
