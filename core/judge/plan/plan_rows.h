// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/plan/launch_plan.h"
#include "core/judge/plan/module_facts.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// A plan in words, for tables. What an argument means is guessed from its value: a number that is the address of a
// tensor is called by its name, one that equals a dimension is said to.
namespace gks {

struct PlanRow {
    std::string stream;    // "0", "1 non-blocking"
    std::string operation; // "launch", "fill", ...
    std::string what;      // the kernel, or what is filled, copied or written
    std::string grid;      // of a launch, empty otherwise, as are the three below
    std::string block;
    std::string lds;
    std::string arguments;
    std::uint64_t place = 0;
};

std::string extentText(const Extent& extent); // "64", "16 x 4", "2 x 2 x 2"
// The name of a symbol as in the source, bounded: "void add<true>(Problem)".
std::string readableSymbol(const std::string& symbol);

// Of `facts` the padding is used: what no field owns is not shown.
std::vector<PlanRow> rowsOf(const LaunchPlan& plan, const ModuleFacts& facts, const SetAddresses& addresses,
                            const std::map<std::string, std::int64_t>& dims);

} // namespace gks
