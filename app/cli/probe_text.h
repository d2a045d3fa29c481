// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"
#include "core/judge/probe.h"

#include <optional>
#include <string>
#include <vector>

// Probes in words, for `probe` and `show`.
namespace gks::cli {

// Without a verdict, or one with times: none.
std::vector<ProbeFigure> figuresOf(const Kernel& probe, const std::optional<Verdict>& verdict);
// What is known of one beside its figures.
std::string probeFactsText(const Population& population, const Kernel& probe);
std::string probeTable(const std::vector<ProbeFigure>& figures);
// The probes of a campaign, apart from its kernels; empty without any.
std::string probesText(const Population& population);
OrderedJson probesJson(const Population& population);

} // namespace gks::cli
