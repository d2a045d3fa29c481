// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"

#include <string>
#include <string_view>
#include <vector>

// A writer says of each item of the rubric whether it did it. What it says is compared with the change of the source:
// first by what the item names, then by a second model that sees the change alone.
namespace gks {

inline constexpr std::size_t rubricItemLimit = 40;

// From the rows of a writer's reply ({item, used, note}). Items of the rubric that no row speaks of are added as not
// claimed.
std::vector<RubricItem> rubricFromReport(const Json& report, std::string_view rubric);

// Identifiers, macros, builtins, attributes, pragmas and numbers of two digits or more that an item names.
std::vector<std::string> namedThings(std::string_view item);

// Sets `confirmed` to false, with the evidence, where an item is claimed and the change cannot hold it: nothing but
// comments was changed, or what the item names stands in no changed line. Leaves open what it cannot decide; items that
// take something away are among that.
void checkAgainstChange(std::vector<RubricItem>& rubric, std::string_view before, std::string_view after);

// Takes over what the second model said ({items: [{number, verdict, evidence}]}). Its "unclear" changes nothing, and a
// change that is empty stays a doubt whatever it says.
Result<void> applyCheck(std::vector<RubricItem>& rubric, const Json& reply);

// The writer's account for people and prompts, one item per line.
std::string reportText(const std::vector<RubricItem>& rubric);

} // namespace gks
