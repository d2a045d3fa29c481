// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"

namespace gks {

// The step to schema 12 (sketchVersion) that SQL alone cannot do: of every kernel a sketch of its source, and its
// words. One whose source cannot be read gets neither; whoever opens it is told.
Result<void> fillSketches(Database& database);

} // namespace gks
