// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace gks::cli {

// The far end of `kernel-scientist ssh://...`: what the run of this campaign says, and the file as pages, on standard
// output; what the viewer asks for comes on standard input. Until that ends, or the run.
Result<void> serveViewer(const std::string& file);

} // namespace gks::cli
