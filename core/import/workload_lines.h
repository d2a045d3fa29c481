// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/problem_axes.h"
#include "core/problem/problem.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a benchmark runs a Definition on: JSON, a workload a line, each with the values of the variable axes, where the
// inputs come from and how exact the outputs have to be.
namespace gks {

enum class InputSource { random, scalar, file, custom };

struct Workloads {
    std::vector<AxisValues> axes;
    std::map<std::string, InputSource> sources;           // of each input, over all workloads
    std::map<std::string, std::optional<double>> scalars; // empty: not the same everywhere
    std::optional<Tolerance> tolerance;                   // the strictest, where each states one
    std::optional<double> leastMatchedRatio;              // of elements that have to be right, where it is below 1
};

Result<Workloads> readWorkloads(std::string_view text, std::string_view where);

} // namespace gks
