// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <QString>
#include <optional>
#include <vector>

namespace gks {

// What the compiler says of a source with one or more kernels: of every resource the largest, of spills, matrix
// instructions and code the sum, of waves per SIMD the smallest.
struct StaticFact {
    QString name;
    QString value;
    bool isNothing = false; // of those that are only worth a word where there is some
};
struct StaticFacts {
    QString reader; // "gfx942", "ptxas"
    QString origin; // of what it was read, for a person
    std::vector<StaticFact> facts;
};

StaticFacts staticFacts(const StaticReport& report);
// Of the report of AMD's code; else of what ptxas wrote into the log; nothing where there is neither.
std::optional<StaticFacts> staticFacts(const Verdict& verdict);

// "VGPR 96 -> 88" for each fact; where `before` is null or of another reader only the values.
QString staticText(const StaticFacts* before, const StaticFacts& after);

} // namespace gks
