// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/chat.h"

#include <map>
#include <string>
#include <vector>

namespace gks {

using PromptValues = std::map<std::string, std::string>;

// Edited templates by name; the others are the files.
using PromptOverrides = std::map<std::string, std::string>;

// The prompts that a person may edit: one per stage, and "correction", which sends back a reply that does not fit.
std::vector<std::string> promptNames();
// prompts/NAME.md as it comes with the program.
Result<std::string> defaultPrompt(const std::string& name);
// The placeholders without which a stage cannot do its work: an edited prompt must have them.
std::vector<std::string> requiredPlaceholders(const std::string& name);

// Fills prompts/NAME.md, or what stands in its place. The part before the line `<!-- user -->` is the system message,
// the rest the user's; an empty part gives no message. A placeholder without a value, and a tag that is neither
// {{name}} nor a section, is an error that names it and its line.
Result<std::vector<ChatMessage>> renderPrompt(const std::string& name, const PromptValues& values,
                                              const PromptOverrides& overrides = {});
// The same with the template itself; `where` is its name in errors.
Result<std::vector<ChatMessage>> renderTemplate(std::string_view text, const PromptValues& values,
                                                const std::string& where);

// The same with an edited one in the place of prompts/NAME.md: one that lacks a required placeholder is refused.
Result<std::vector<ChatMessage>> renderEditedPrompt(const std::string& name, std::string_view text,
                                                    const PromptValues& values);

// Names of the placeholders and sections of a template; an error for any other tag.
Result<std::vector<std::string>> promptPlaceholders(std::string_view text, std::string_view where);

// Text of prompts/knowledge/NAME.md.
Result<std::string> knowledge(const std::string& name);

} // namespace gks
