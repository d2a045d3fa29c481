// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scientist/search_space.h"
#include "core/target/target.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// Spaces of tunables that are small enough to be measured whole, and the tables of what was measured.
namespace gks::tuning {

// A built-in seed with fewer values for its tunables; on the CPU on few and small shapes, so that one point costs
// little.
struct SmallSpace {
    std::string name; // of its table: "row-softmax", "row-softmax-nvidia"
    TargetKind target = TargetKind::cpu;
    std::string problem;
    std::string seed;                          // "tunable"
    std::map<std::string, std::string> values; // "64 256"; a tunable that is not named keeps its current value
    std::string shapes = {};                   // of problem.toml, "[[64, 1024]]"; empty: those of the pack
    std::string heldOut = {};
};
const std::vector<SmallSpace>& smallSpaces();

Result<std::string> sourceOf(const SmallSpace& space);
// A copy of the pack that has these shapes and no others, where the space names some.
Result<void> writePack(const SmallSpace& space, const std::filesystem::path& folder);

struct Row {
    TuningPoint point;
    std::string verdict;    // "correct", "build-failed", ...
    std::vector<double> us; // one for every pass
};

// CSV: a column for every tunable, the verdict and one column for every pass; comments begin with '#'.
struct Table {
    std::vector<std::string> remarks;
    std::vector<Row> rows;
};
std::string toCsv(const Table& table, const SearchSpace& space);
Result<Table> fromCsv(std::string_view text, const SearchSpace& space);

// What disturbs a measurement makes it longer, so the shortest of several is nearest to the truth. 0: never worked.
double microseconds(const Row& row);

} // namespace gks::tuning
