// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt.h"
#include "tests/fuzz/fuzz.h"

#include <string>

// A prompt that a person edited: messages or an error with a place; values are never read as a template.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = gks::fuzz::text(data, size);
    const gks::PromptValues values{{"problem", "{{mark}} {{#x}}"}, {"hint", ""}, {"population", "p"}};
    const auto messages = gks::renderTemplate(text, values, "fuzz");
    if (messages) {
        gks::fuzz::require(!messages->empty() && messages->back().role == "user", "the user's part comes last");
        // A placeholder that was filled shows its value whole.
        const auto used = gks::promptPlaceholders(text, "fuzz");
        gks::fuzz::require(used.has_value(), "what renders has known placeholders");
    } else {
        gks::fuzz::require(messages.error().where.starts_with("fuzz"), "an error has its place");
    }
    return 0;
}
