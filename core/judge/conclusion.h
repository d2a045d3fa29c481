// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"
#include "core/judge/statistics.h"

#include <optional>

namespace gks {

// What a measurement comes to: kind, comparison and reason of the verdict, from its times and their ratio to the
// baseline's.
void conclude(Verdict& verdict, const EvaluationRequest& request, const std::optional<RatioEstimate>& ratio,
              double errorShare);

} // namespace gks
