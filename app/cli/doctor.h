// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

namespace gks::cli {

// What `doctor --json` prints. Tries everything, which takes some seconds; progress goes to stderr.
OrderedJson doctorJson();

} // namespace gks::cli
