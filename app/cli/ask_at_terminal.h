// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

namespace gks::cli {

// A person in the place of a model: the prompt on standard error, the reply on standard input, ended by a line with a
// single full stop.
Result<std::string> askAtTerminal(const std::string& stage, const ChatRequest& request, const std::stop_token& stop);

} // namespace gks::cli
