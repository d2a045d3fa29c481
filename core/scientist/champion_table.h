// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>

// The best kernel of every shape, as a prompt shows it: what a merge or a dispatch can be made of.
namespace gks {

// A line for each measured shape, which no held-out one is: champion, its speed over the baseline, and what share of
// that the parent and the reference reach; without a parent, the best. Then what a dispatch of all champions would
// bring. Empty where nothing was compared on a shape, or the problem is not known.
std::string championTableText(const Briefing& briefing, const Kernel* parent, const Kernel* reference);

} // namespace gks
