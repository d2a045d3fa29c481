// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"
#include "core/scientist/prompt.h"
#include "core/scientist/scientist.h"

#include <string>
#include <vector>

namespace gks {

// An edited prompt as the stage would send it now, with the very values that the stage itself uses. What is not there
// yet is stood in for: the fastest eligible kernel, the newest experiment, the newest kernel that failed or that a
// model wrote. The error says what is wrong with the text and in which line. Reads files; not for the thread of a
// window.
Result<std::vector<ChatMessage>> previewPrompt(const std::string& name, const std::string& text,
                                               const Briefing& briefing);

} // namespace gks
