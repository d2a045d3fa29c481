// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QString>
#include <vector>

namespace gks {

struct Palette;

// The evaluations of a kernel as a page: verdict and reason, times by shape, what was verified, static report, compiler
// output, origin. `dims`: the problem's, for the order in which a shape is written; may be empty.
QString kernelFactsHtml(const Population& population, const std::vector<std::string>& dims, const Kernel& kernel,
                        const std::vector<Evaluation>& evaluations, const Palette& palette);

} // namespace gks
