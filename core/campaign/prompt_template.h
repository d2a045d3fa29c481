// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

// What a prompt may be made of: its name, its two parts and its placeholders. An edited one is refused by this when it
// is saved, and once more when it is used.
namespace gks {

// What the writer is asked with when it writes a probe.
inline constexpr std::string_view probePrompt = "probe";
// The prompts that a person may edit: one per stage, the one for probes, and "correction", which sends back a reply
// that does not fit.
std::vector<std::string> promptNames();
// The placeholders without which a stage cannot do its work, and all that it fills.
std::vector<std::string> requiredPlaceholders(std::string_view name);
std::vector<std::string> knownPlaceholders(std::string_view name);

struct PromptTag {
    std::string name = {};  // without the mark of a section
    std::string where = {}; // "writer.md, line 12": an editor leads there
};
struct PromptPart {
    std::string text = {};
    std::vector<PromptTag> tags = {};
};
struct PromptTemplate {
    PromptPart system = {};
    PromptPart user = {};
};

// The part before the line `<!-- user -->` is the system's, the rest the user's. A tag that is neither {{name}} nor a
// section is an error that names its line; `where` is the template's name.
Result<PromptTemplate> promptTemplate(std::string_view text, const std::string& where);
// Names of the placeholders and sections of a template; an error for any other tag.
Result<std::vector<std::string>> promptPlaceholders(std::string_view text, std::string_view where);
// For a tag that nothing is known of.
Error unknownPlaceholder(const PromptTag& tag, const std::vector<std::string>& known);

Result<void> checkPromptName(const std::string& name);
// Whether the text can stand in the place of the prompt `name`.
Result<void> checkPrompt(const std::string& name, std::string_view text);

} // namespace gks
