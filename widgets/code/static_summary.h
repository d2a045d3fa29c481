// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <QString>
#include <vector>

namespace gks {

// One line of static facts: the largest of every resource over the kernels of a report, the sum of the matrix
// instructions.
struct StaticSummary {
    int vgprs = 0;
    int agprs = 0;
    int sgprs = 0;
    int spills = 0;
    int scratchBytes = 0;
    int ldsBytes = 0;
    int occupancyWavesPerSimd = 0;
    int matrixInstructions = 0;
    int codeBytes = 0;
};
StaticSummary summarize(const StaticReport& report);

// "VGPR 96 -> 88" for each fact, with `before` absent only the values.
QString staticText(const StaticReport& report);
QString staticText(const StaticReport& before, const StaticReport& after);

} // namespace gks
