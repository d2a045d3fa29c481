// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <kainjow/mustache.hpp>

namespace gks {
namespace {

constexpr std::string_view userMark = "<!-- user -->\n";

bool isName(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

Result<std::string> fill(std::string_view text, const PromptValues& values, const std::string& where) {
    GKS_TRY_ASSIGN(const std::vector<std::string> names, promptPlaceholders(text, where));
    kainjow::mustache::data data;
    for (const std::string& name : names) {
        const auto value = values.find(name);
        if (value == values.end()) {
            return usageError(fmt::format("there is no value for the placeholder {{{{{}}}}}", name), where,
                              "Remove it from the template");
        }
        if (value->second.empty()) {
            data.set(name, kainjow::mustache::data(false)); // an empty value closes its section
        } else {
            data.set(name, value->second);
        }
    }
    kainjow::mustache::mustache mustache{std::string(text)};
    mustache.set_custom_escape([](const std::string& plain) { return plain; });
    std::string result = mustache.render(data);
    if (!mustache.is_valid()) {
        return usageError("not a valid template: " + mustache.error_message(), where);
    }
    return result;
}

} // namespace

Result<std::vector<std::string>> promptPlaceholders(std::string_view text, std::string_view where) {
    std::vector<std::string> names;
    for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
        const std::size_t end = text.find("}}", at);
        std::string_view tag = text.substr(at + 2, end == std::string_view::npos ? 20 : end - at - 2);
        if (!tag.empty() && std::string_view("#^/").find(tag.front()) != std::string_view::npos) {
            tag.remove_prefix(1);
        }
        if (end == std::string_view::npos || !isName(tag)) {
            return usageError(fmt::format("'{{{{{}' is not a placeholder", text.substr(at + 2, 20)), std::string(where),
                              "Only {{name}}, {{#name}}, {{^name}} and {{/name}} are known");
        }
        if (std::find(names.begin(), names.end(), tag) == names.end()) {
            names.emplace_back(tag);
        }
        at = end + 2;
    }
    return names;
}

Result<std::vector<ChatMessage>> renderPrompt(const std::string& name, const PromptValues& values) {
    const auto file = promptFolder() / (name + ".md");
    GKS_TRY_ASSIGN(const std::string content, readFile(file, std::size_t{1} << 20));
    const std::string text = replaceAll(content, "\r\n", "\n");
    const std::size_t mark = text.find(userMark);
    if (mark == std::string::npos) {
        return usageError("the line `<!-- user -->` is missing", file.string(),
                          "It stands between the system part and the user's");
    }
    GKS_TRY_ASSIGN(const std::string system, fill(std::string_view(text).substr(0, mark), values, file.string()));
    GKS_TRY_ASSIGN(const std::string user,
                   fill(std::string_view(text).substr(mark + userMark.size()), values, file.string()));
    std::vector<ChatMessage> messages;
    if (!trimmed(system).empty()) {
        messages.push_back({"system", std::string(trimmed(system))});
    }
    messages.push_back({"user", std::string(trimmed(user))});
    return messages;
}

Result<std::string> knowledge(const std::string& name) {
    return readFile(promptFolder() / "knowledge" / (name + ".md"), std::size_t{1} << 16);
}

} // namespace gks
