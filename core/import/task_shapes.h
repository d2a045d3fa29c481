// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/import/problem_axes.h"

#include <string>
#include <string_view>
#include <vector>

// What task.yml of a GPU MODE problem says whatever its reference is written in.
namespace gks {

// Those of "tests" or "benchmarks", each with a value for every axis that has none by itself; no list: none.
Result<std::vector<AxisValues>> taskShapes(const OrderedJson& task, const char* key,
                                           const std::vector<ProblemAxis>& axes, std::string_view where);
// The first line of its description; empty where it has none.
std::string taskTitle(const OrderedJson& task);

} // namespace gks
