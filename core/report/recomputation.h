// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"
#include "core/report/claim.h"

#include <string>

namespace gks {

// Of a record whose words this version knows, every sentence follows from its numbers.
enum class Words { ofThisVersion, ofAnyVersion };

// What the claims are called that a headline is made of.
inline constexpr const char* ratioClaim = "ratio to the comparison kernel";
inline constexpr const char* timeClaim = "geometric mean";
inline constexpr const char* sentenceClaim = "sentence"; // whose words are those of the version that wrote it

// A verdict computed again from its own raw samples with the judge's statistics. `where` is its file.
Claims recompute(const Verdict& verdict, const std::string& where, Words words = Words::ofAnyVersion);

} // namespace gks
