// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace gks {

// A campaign of a real GPU that came with the program, to be looked at: a copy in the data folder, for the installed
// one may lie where nothing can be written beside it. Made anew where the program brought another one.
Result<std::filesystem::path> sampleCampaign();
bool isSampleCampaign(const std::filesystem::path& file); // that copy: it is opened read-only

// The demo: fp8-gemm on this CPU with the tuner, made when it is not there yet (template demo).
Result<std::filesystem::path> demoCampaign();

} // namespace gks
