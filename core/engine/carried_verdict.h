// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"
#include "core/problem/problem.h"

#include <string>
#include <string_view>

namespace gks {

// The verdict in the file of a result that somebody carried here, as far as it can be checked without measuring again:
// that it is whole and of this job, of these sources and these conditions, that its times and ratios follow from its
// samples, and that no check is missing which the problem pack asks for. The error says what does not fit.
Result<Verdict> carriedVerdict(std::string_view text, const std::string& job, const EvaluationRequest& request,
                               const ProblemPack& pack);

// The same of a verdict that came by another way from another machine.
Result<Verdict> checkedVerdict(Verdict verdict, const EvaluationRequest& request, const ProblemPack& pack);

} // namespace gks
