// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>

// Where the time goes, shape by shape: what a prompt knows of the best kernel, the parent and the baseline.
namespace gks {

// Peaks in a sentence, then a table: work, floor and by which peak, then for each kernel its time with half of its 95 %
// interval, how many times the floor that is, its share of the peak rates, which of them binds it, its share of the
// total time. `parent` may be null: then of the best and the baseline. A sentence when nothing was measured.
std::string shapeTableText(const Briefing& briefing, const Kernel* parent);

} // namespace gks
