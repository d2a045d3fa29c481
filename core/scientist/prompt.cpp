// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/prompt.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"

#include <algorithm>
#include <fmt/format.h>
#include <kainjow/mustache.hpp>

namespace gks {
namespace {

constexpr std::string_view userMark = "<!-- user -->\n";

bool isPlaceholder(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

// "writer.md, line 12": an editor leads there.
std::string lineOf(std::string_view text, std::size_t at, std::size_t firstLine, std::string_view where) {
    const auto before = text.substr(0, at);
    return fmt::format("{}, line {}", where,
                       firstLine + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')));
}

struct Tag {
    std::string_view name;
    std::size_t at = 0;
};

Result<std::vector<Tag>> tags(std::string_view text, std::string_view where, std::size_t firstLine) {
    std::vector<Tag> found;
    for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
        const std::size_t end = text.find("}}", at);
        std::string_view tag = text.substr(at + 2, end == std::string_view::npos ? 20 : end - at - 2);
        if (!tag.empty() && std::string_view("#^/").find(tag.front()) != std::string_view::npos) {
            tag.remove_prefix(1);
        }
        if (end == std::string_view::npos || !isPlaceholder(tag)) {
            const std::string_view shown = text.substr(at + 2, 20);
            return usageError(
                fmt::format("'{{{{{}' is not a placeholder", sanitizedUtf8(shown.substr(0, shown.find('\n')))),
                lineOf(text, at, firstLine, where), "Only {{name}}, {{#name}}, {{^name}} and {{/name}} are known");
        }
        found.push_back({tag, at});
        at = end + 2;
    }
    return found;
}

std::string listed(const PromptValues& values) {
    std::vector<std::string> names;
    for (const auto& [name, value] : values) {
        names.push_back(name);
    }
    return join(names, ", ");
}

Result<std::string> fill(std::string_view text, const PromptValues& values, const std::string& where,
                         std::size_t firstLine) {
    GKS_TRY_ASSIGN(const std::vector<Tag> found, tags(text, where, firstLine));
    kainjow::mustache::data data;
    for (const Tag& tag : found) {
        const std::string name(tag.name);
        const auto value = values.find(name);
        if (value == values.end()) {
            return usageError(fmt::format("there is no value for the placeholder {{{{{}}}}}", name),
                              lineOf(text, tag.at, firstLine, where),
                              "Remove it, or use one of these: " + listed(values));
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
    GKS_TRY_ASSIGN(const std::vector<Tag> found, tags(text, where, 1));
    std::vector<std::string> names;
    for (const Tag& tag : found) {
        if (std::find(names.begin(), names.end(), tag.name) == names.end()) {
            names.emplace_back(tag.name);
        }
    }
    return names;
}

std::vector<std::string> promptNames() {
    std::vector<std::string> names;
    for (const ModelStage stage : modelStages) {
        names.emplace_back(name(stage));
    }
    names.emplace_back("correction");
    return names;
}

Result<std::string> defaultPrompt(const std::string& name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (name.empty() || !plain) { // a name, never a path
        return usageError(fmt::format("there is no prompt '{}'", abbreviated(sanitizedUtf8(name), 80)));
    }
    return readFile(promptFolder() / (name + ".md"), limits::promptBytes);
}

Result<std::vector<ChatMessage>> renderTemplate(std::string_view given, const PromptValues& values,
                                                const std::string& where) {
    if (given.size() > limits::promptBytes) {
        return usageError(fmt::format("the prompt has {}, at most {} are allowed", formatBytes(given.size()),
                                      formatBytes(limits::promptBytes)),
                          where, "Shorten it");
    }
    const std::string text = replaceAll(sanitizedUtf8(given), "\r\n", "\n") + "\n";
    const std::size_t mark = text.starts_with(userMark) ? 0 : text.find("\n" + std::string(userMark));
    if (mark == std::string::npos) {
        return usageError("the line `<!-- user -->` is missing", where,
                          "It stands between the system part and the user's");
    }
    const std::string_view head = std::string_view(text).substr(0, mark == 0 ? 0 : mark + 1);
    const auto userLine = static_cast<std::size_t>(std::count(head.begin(), head.end(), '\n')) + 2;
    GKS_TRY_ASSIGN(const std::string system, fill(head, values, where, 1));
    GKS_TRY_ASSIGN(const std::string user,
                   fill(std::string_view(text).substr(head.size() + userMark.size()), values, where, userLine));
    std::vector<ChatMessage> messages;
    if (!trimmed(system).empty()) {
        messages.push_back({"system", std::string(trimmed(system))});
    }
    if (trimmed(user).empty()) {
        return usageError("nothing stands behind the line `<!-- user -->`", where,
                          "Without a message of the user a model has nothing to answer");
    }
    messages.push_back({"user", std::string(trimmed(user))});
    return messages;
}

std::vector<std::string> requiredPlaceholders(const std::string& name) {
    static const std::map<std::string, std::vector<std::string>> required{
        {"selector", {"population"}},
        {"designer", {"basisSource"}},
        {"writer", {"header", "basisSource", "description", "rubric"}},
        {"repair", {"header", "draftSource", "verdict", "output"}},
        {"checker", {"claims", "change"}},
        {"digest", {"document"}},
        {"correction", {"problem"}}};
    const auto found = required.find(name);
    return found == required.end() ? std::vector<std::string>() : found->second;
}

Result<std::vector<ChatMessage>> renderEditedPrompt(const std::string& name, std::string_view text,
                                                    const PromptValues& values) {
    const std::string where = "edited prompt " + name;
    GKS_TRY_ASSIGN(const std::vector<std::string> used, promptPlaceholders(text, where));
    for (const std::string& required : requiredPlaceholders(name)) {
        if (std::find(used.begin(), used.end(), required) == used.end()) {
            return usageError(fmt::format("the placeholder {{{{{}}}}} is missing", required), where,
                              "Without it the model does not see what it is asked about: put it back");
        }
    }
    return renderTemplate(text, values, where);
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
