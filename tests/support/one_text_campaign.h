// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/engine_bridge.h"

#include <memory>
#include <string>

namespace gks {

// The sample campaign while it runs, with `text` in the place of everything that a file, a model, a compiler or a
// server may say; `notes` are the problem's.
std::unique_ptr<EngineBridge> makeCampaignOfOneText(const std::string& text, const std::string& notes);

} // namespace gks
