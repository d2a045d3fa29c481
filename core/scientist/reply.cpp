// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/reply.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace gks {
namespace {

struct Fence {
    std::string language;
    std::string content;
};

// Blocks between lines that begin with ```; the last one may be open.
std::vector<Fence> fences(std::string_view text) {
    std::vector<Fence> result;
    bool open = false;
    for (const std::string_view line : lines(text)) {
        const std::string_view plain = trimmed(line);
        if (plain.starts_with("```")) {
            open = !open;
            if (open) {
                result.push_back({lowered(trimmed(plain.substr(3))), {}});
            }
        } else if (open) {
            result.back().content += std::string(line) + "\n";
        }
    }
    return result;
}

bool isCode(const Fence& fence) {
    for (const char* language : {"cpp", "c++", "hip", "cuda", "c"}) {
        if (fence.language == language) {
            return true;
        }
    }
    return fence.language.empty() && fence.content.find("#include") != std::string::npos;
}

std::optional<Json> asObject(std::string_view text) {
    auto json = parseJson(text, "reply");
    return json && json->is_object() ? std::optional(std::move(*json)) : std::nullopt;
}

std::optional<Json> findObject(std::string_view text, const std::vector<Fence>& blocks) {
    if (auto json = asObject(text)) {
        return json;
    }
    for (const Fence& fence : blocks) {
        if (auto json = isCode(fence) ? std::nullopt : asObject(fence.content)) {
            return json;
        }
    }
    const std::size_t open = text.find('{');
    const std::size_t close = text.rfind('}');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open) {
        if (auto json = asObject(text.substr(open, close - open + 1))) {
            return json;
        }
    }
    for (const Fence& fence : blocks) {
        if (auto json = fence.language == "yaml" || fence.language == "yml" ? parseYamlLike(fence.content) : Json();
            json && json->is_object()) {
            return *json;
        }
    }
    const auto json = parseYamlLike(text.substr(0, text.find("```"))); // what stands before a block of code
    return json && json->is_object() ? std::optional(*json) : std::nullopt;
}

} // namespace

Result<Json> objectInReply(std::string_view given) {
    const std::string text = sanitizedUtf8(given); // a person or a recording gives any bytes
    const std::vector<Fence> blocks = fences(text);
    std::optional<Json> object = findObject(text, blocks);
    if (!object) {
        const auto json = parseJson(trimmed(text), "reply");
        return usageError("no JSON object was found in it" + (json ? std::string() : " (" + json.error().what + ")"));
    }
    const auto lacks = [&](const char* key) {
        return !object->contains(key) || object->at(key).empty() || object->at(key) == "";
    };
    if (lacks("source") && lacks("edits")) {
        for (const Fence& fence : blocks) {
            if (isCode(fence)) {
                (*object)["source"] = fence.content;
                break;
            }
        }
    }
    return std::move(*object);
}

Result<std::shared_ptr<const Json>> loadSchema(const std::string& name) {
    const auto file = promptFolder() / "schema" / (name + ".json");
    GKS_TRY_ASSIGN(const std::string text, readFile(file, std::size_t{1} << 18));
    GKS_TRY_ASSIGN(Json json, parseJson(text, file.string()));
    return std::make_shared<const Json>(std::move(json));
}

} // namespace gks
