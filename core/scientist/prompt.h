// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"

#include <map>
#include <string>
#include <vector>

namespace gks {

using PromptValues = std::map<std::string, std::string>;

// Reads prompts/NAME.md and fills it. The part before the line `<!-- user -->` is the system message, the rest the
// user's; an empty part gives no message. A placeholder without a value, and a tag that is neither {{name}} nor a
// section, is an error that names it.
Result<std::vector<ChatMessage>> renderPrompt(const std::string& name, const PromptValues& values);

// Names of the placeholders and sections of a template; an error for any other tag.
Result<std::vector<std::string>> promptPlaceholders(std::string_view text, std::string_view where);

// Text of prompts/knowledge/NAME.md.
Result<std::string> knowledge(const std::string& name);

} // namespace gks
