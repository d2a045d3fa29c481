// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"

#include <kainjow/mustache.hpp>

namespace gks {
namespace {

std::vector<std::string> promptValueNames(const PromptValues& values) {
    std::vector<std::string> names;
    for (const auto& [name, value] : values) {
        names.push_back(name);
    }
    return names;
}

Result<std::string> fill(const PromptPart& part, const PromptValues& values) {
    kainjow::mustache::data data;
    for (const PromptTag& tag : part.tags) {
        const auto value = values.find(tag.name);
        if (value == values.end()) {
            return tl::unexpected(unknownPlaceholder(tag, promptValueNames(values)));
        }
        if (value->second.empty()) {
            data.set(tag.name, kainjow::mustache::data(false)); // an empty value closes its section
        } else {
            data.set(tag.name, value->second);
        }
    }
    kainjow::mustache::mustache mustache{part.text};
    mustache.set_custom_escape([](const std::string& plain) { return plain; });
    return mustache.render(data);
}

} // namespace

Result<std::string> defaultPrompt(const std::string& name) {
    GKS_TRY(checkPromptName(name)); // a name, never a path
    return readFile(promptFolder() / (name + ".md"), limits::promptBytes);
}

Result<std::vector<ChatMessage>> renderTemplate(std::string_view given, const PromptValues& values,
                                                const std::string& where) {
    GKS_TRY_ASSIGN(const PromptTemplate parts, promptTemplate(given, where));
    GKS_TRY_ASSIGN(const std::string system, fill(parts.system, values));
    GKS_TRY_ASSIGN(const std::string user, fill(parts.user, values));
    std::vector<ChatMessage> messages;
    if (!trimmed(system).empty()) {
        messages.push_back({"system", std::string(trimmed(system))});
    }
    if (trimmed(user).empty()) {
        return usageError("no text after the line `<!-- user -->`", where, "Add the user message after it");
    }
    messages.push_back({"user", std::string(trimmed(user))});
    return messages;
}

Result<std::vector<ChatMessage>> renderEditedPrompt(const std::string& name, std::string_view text,
                                                    const PromptValues& values) {
    GKS_TRY(checkPrompt(name, text));
    return renderTemplate(text, values, "edited prompt " + name);
}

Result<std::vector<ChatMessage>> renderPrompt(const std::string& name, const PromptValues& values,
                                              const PromptOverrides& overrides) {
    if (const auto edited = overrides.find(name); edited != overrides.end()) {
        return renderEditedPrompt(name, edited->second, values);
    }
    GKS_TRY_ASSIGN(const std::string text, defaultPrompt(name));
    return renderTemplate(text, values, (promptFolder() / (name + ".md")).string());
}

Result<std::string> knowledge(const std::string& name) {
    return readFile(promptFolder() / "knowledge" / (name + ".md"), std::size_t{1} << 16);
}

} // namespace gks
