// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>

namespace gks::cli {

// The prompt of a stage as it would be sent now, with the prompts that this campaign has: the window's preview.
Result<std::string> stagePreview(const std::string& campaign, const std::string& stage);

} // namespace gks::cli
