// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What of a kernel may be set without changing its structure.
namespace gks {

// Follows from the declared values: what is near to what.
enum class TunableType {
    integer,    // distance by value
    powerOfTwo, // by logarithm
    boolean,    // 0 and 1
    identifier, // names and fractions: any two are equally far apart
};
std::string_view name(TunableType type);

// `// @tune NAME v1 v2 ...` beside `#define NAME v`.
struct Tunable {
    std::string name = {};
    std::vector<std::string> values = {};
    std::string current = {};
    int line = 0; // of the #define, from 1
    TunableType type = TunableType::identifier;
};
std::vector<Tunable> findTunables(std::string_view source);
// The source with other values in its #defines; unknown names and values that were not declared are refused.
Result<std::string> withTunables(std::string_view source, const std::map<std::string, std::string>& values);

// `// @tune-if BLOCK_M * BLOCK_N <= 4096`: a condition that every point must meet. Not looked into here; see
// tuning_constraints.h.
struct TuningCondition {
    std::string expression = {};
    int line = 0;
};
std::vector<TuningCondition> findConditions(std::string_view source);

// "64", "-1", "64u", "(64)".
std::optional<std::int64_t> wholeNumber(std::string_view value);

// Hash of the source without what its tunables are set to, without comments and formatting: kernels with the same are
// one structure.
std::string structureOf(std::string_view source);

} // namespace gks
