// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/prompt_template.h"
#include "core/llm/chat.h"

#include <map>
#include <string>
#include <vector>

namespace gks {

using PromptValues = std::map<std::string, std::string>;

// Edited templates by name; the others are the files.
using PromptOverrides = std::map<std::string, std::string>;

// prompts/NAME.md as it comes with the program.
Result<std::string> defaultPrompt(const std::string& name);

// Fills prompts/NAME.md, or what stands in its place (core/campaign/prompt_template.h). An empty system part gives no
// message. A placeholder without a value is an error that names it and its line.
Result<std::vector<ChatMessage>> renderPrompt(const std::string& name, const PromptValues& values,
                                              const PromptOverrides& overrides = {});
// The same with the template itself; `where` is its name in errors.
Result<std::vector<ChatMessage>> renderTemplate(std::string_view text, const PromptValues& values,
                                                const std::string& where);

// The same with an edited one in the place of prompts/NAME.md.
Result<std::vector<ChatMessage>> renderEditedPrompt(const std::string& name, std::string_view text,
                                                    const PromptValues& values);

// Text of prompts/knowledge/NAME.md.
Result<std::string> knowledge(const std::string& name);

} // namespace gks
