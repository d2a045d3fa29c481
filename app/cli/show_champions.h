// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

namespace gks::cli {

// `show --shapes`: a table on stdout, one line for each shape with its best kernel, then what a dispatch of all of them
// would bring; a sentence where no paired run has measured a shape. Or the same as JSON. The exit status.
int showChampions(const Population& population, bool asJson);

} // namespace gks::cli
