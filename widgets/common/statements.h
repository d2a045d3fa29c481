// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/asked_comparison.h"
#include "core/campaign/champions.h"
#include "core/campaign/comparison_table.h"
#include "core/campaign/confirmation.h"
#include "core/campaign/finding_use.h"
#include "core/engine/waiting.h"

#include <QString>

// What core says in words that are not a sentence of the judge, a model or a tool, in the language of the window: in
// English as `show` has it. Numbers, ratios and intervals are formatted in core.
namespace gks {

// "1.31x [1.29, 1.33]"; undecided "1.02x [0.9712, 1.071] at 99 %".
QString ratioOf(const ComparisonFact& fact);
// The same with the verdict before it.
QString comparisonOf(const ComparisonFact& fact);
// "1.31x [1.29, 1.33]", "1.35x, not decided (99 %: 0.996 to 1.84)".
QString speedOf(const SpeedRatio& speed);
// The same over the baseline; "not compared"; "-" for what was not measured.
QString scaledSpeedOf(const Population& population, const Kernel& kernel);
QString comparedSpeedOf(const ComparedSpeed& speed); // "~ 1.31x [1.29, 1.33]" by a chain
// Without whose word it is: that stands beside it, where it is not cut off.
QString headlineOf(const HeadlineRatio& headline, const Population& population);
QString judgedByHarnessText(); // "judged by the user's harness"
// "00012", "00012 or 00009: not decided".
QString championOf(const ShapeChampion& champion);
QString waitStatement(const Wait& wait);
QString askedOf(const AskedComparison& asked);    // "00012 and 00009, all shapes"
QString askedResultOf(const AskedResult& result); // "faster 1.31x [1.29, 1.33] (side by side with 00009)"
QString useOfFinding(const FindingUse& use);      // "used by 3 experiments, 2 of them gained"; empty when none did

} // namespace gks
