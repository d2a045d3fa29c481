// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <string>
#include <vector>

// What a verdict says of the machine that it came about on (Verdict::environment), beside another verdict's.
namespace gks {

struct FactDifference {
    std::string fact;
    std::string recorded; // "unknown" where the verdict does not say
    std::string again;
    std::string text() const; // "cpu_count was 64 and is 2"
};

// The facts that a claim is of, as far as it names them: with others it is a claim about another machine.
std::vector<std::string> machineFacts(const Verdict& verdict);
// Those of them that differ.
std::vector<FactDifference> differentMachine(const Verdict& recorded, const Verdict& again);
// What the times of a run depend on as well, and may change on a machine from day to day.
std::vector<FactDifference> differentCircumstances(const Verdict& recorded, const Verdict& again);
// What solve() may be answered, so that it asks for something else.
std::vector<FactDifference> differentAnswers(const Verdict& recorded, const Verdict& again);

} // namespace gks
