// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt.h"
#include "tests/fuzz/fuzz.h"

#include <string>

// A prompt that a person edited: messages or an error with a place; values are never read as a template.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(gks::fuzz::text(data, size));
    const std::string mark = "{{mark}} {{#x}}";
    const gks::PromptValues values{{"problem", mark}, {"hint", ""}, {"population", "p"}};
    const auto messages = gks::renderTemplate(text, values, "fuzz");
    if (messages) {
        gks::fuzz::require(!messages->empty() && messages->back().role == "user", "the user's part comes last");
        const auto used = gks::promptPlaceholders(text, "fuzz");
        gks::fuzz::require(used.has_value(), "what renders has known placeholders");
        // Behind all that was there a placeholder still shows its value whole.
        const auto more = gks::renderTemplate(text + "\n{{problem}}", values, "fuzz");
        gks::fuzz::require(more && more->back().content.ends_with(mark), "a value is shown whole, and is no template");
    } else {
        gks::fuzz::require(messages.error().where.starts_with("fuzz"), "an error has its place");
    }
    return 0;
}
