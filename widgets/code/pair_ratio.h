// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/verdict_mark.h"

#include <QString>

namespace gks {

// What the newest paired run of the two says, with the judge's word where that is the verdict on a kernel and its
// parent: "faster 1.31x [1.29, 1.33]"; else the paired runs that lead from one to the other.
struct PairRatio {
    QString text;
    VerdictMark mark = VerdictMark::waiting;
};
PairRatio pairRatio(const Population& population, const Kernel& left, const Kernel& right);

} // namespace gks
