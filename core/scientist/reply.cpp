// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/reply.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
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

constexpr std::string_view searchMark = "<<<<<<< SEARCH";
constexpr std::string_view separatorMark = "=======";
constexpr std::string_view replaceMark = ">>>>>>> REPLACE";

bool isEdit(const Fence& fence) {
    return fence.content.find(searchMark) != std::string::npos;
}

// One or more changes in a block; what stands outside of the marks is passed over.
void addEdits(const Fence& fence, Json& edits) {
    enum class Part { outside, search, replace } part = Part::outside;
    Json edit;
    std::string text;
    for (const std::string_view line : lines(fence.content)) {
        const std::string_view mark = trimmed(line);
        if (part == Part::outside && mark == searchMark) {
            part = Part::search;
        } else if (part == Part::search && mark == separatorMark) {
            edit["search"] = std::exchange(text, {});
            part = Part::replace;
        } else if (part == Part::replace && mark == replaceMark) {
            edit["replace"] = std::exchange(text, {});
            edits.push_back(std::exchange(edit, Json()));
            part = Part::outside;
        } else if (part != Part::outside) {
            text += std::string(line) + "\n";
        }
    }
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
        if (auto json = isCode(fence) || isEdit(fence) ? std::nullopt : asObject(fence.content)) {
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

// At the reply's own lines: what stands before the object is passed over as blanks.
std::string whyNoObject(std::string text) {
    const std::size_t open = text.find('{');
    if (open == std::string::npos) {
        return "no JSON object was found in it: there is no {";
    }
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(open);
    std::replace_if(text.begin(), begin, [](char c) { return c != '\n'; }, ' ');
    const auto json = parseJson(text, "reply");
    return "no JSON object was found in it" + (json ? std::string() : " (" + json.error().what + ")");
}

} // namespace

Result<Json> objectInReply(std::string_view given) {
    const std::string text = sanitizedUtf8(given); // a person or a recording gives any bytes
    const std::vector<Fence> blocks = fences(text);
    std::optional<Json> object = findObject(text, blocks);
    if (!object) {
        return usageError(whyNoObject(text));
    }
    const auto lacks = [&](const char* key) {
        return !object->contains(key) || object->at(key).empty() || object->at(key) == "";
    };
    if (lacks("source") && lacks("edits")) {
        Json edits = Json::array();
        const Fence* longest = nullptr;
        for (const Fence& fence : blocks) {
            if (isEdit(fence)) {
                addEdits(fence, edits);
            } else if (isCode(fence) && (longest == nullptr || fence.content.size() > longest->content.size())) {
                longest = &fence;
            }
        }
        if (!edits.empty()) {
            (*object)["edits"] = std::move(edits);
        } else if (longest != nullptr) {
            (*object)["source"] = longest->content;
        }
    }
    return std::move(*object);
}

Result<std::shared_ptr<const OrderedJson>> loadSchema(const std::string& name) {
    const auto file = promptFolder() / "schema" / (name + ".json");
    GKS_TRY_ASSIGN(const std::string text, readFile(file, std::size_t{1} << 18));
    GKS_TRY(parseJson(text, file.string())); // says where it is wrong
    return std::make_shared<const OrderedJson>(OrderedJson::parse(text));
}

} // namespace gks
