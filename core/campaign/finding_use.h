// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string>

// Which findings designs rest on, and what came of those designs.
namespace gks {

std::string findingLabel(std::int64_t finding); // "F3", as prompts and lists have it

struct FindingUse {
    int experiments = 0; // whose design names it
    int gained = 0;      // of these, whose kernel is faster than its parent
    bool operator==(const FindingUse&) const = default;
};
FindingUse useOf(const Population& population, std::int64_t finding);
std::string useText(const FindingUse& use);         // "used by 3 experiments, 2 of them gained"; empty when none did
std::string usesText(const Experiment& experiment); // "F3, F7"; empty when it names none

} // namespace gks
