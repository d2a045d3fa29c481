// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/dialect.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gks {

const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found != object.end() ? &*found : nullptr;
}

std::string textMember(const Json& object, const char* key) {
    const Json* text = member(object, key);
    return text != nullptr && text->is_string() ? text->get<std::string>() : std::string();
}

std::optional<std::int64_t> countMember(const Json& object, const char* key) {
    const Json* count = member(object, key);
    return count != nullptr && count->is_number_integer()
               ? std::optional(std::max<std::int64_t>(0, count->get<std::int64_t>()))
               : std::nullopt;
}

std::string firstNamed(const std::string& complaint, std::span<const std::string_view> fields,
                       const std::set<std::string>& refused) {
    for (const std::string_view field : fields) {
        if (complaint.find(field) != std::string::npos && !refused.contains(std::string(field))) {
            return std::string(field);
        }
    }
    return {};
}

int thinkingBudget(const ChatRequest& request) {
    constexpr int leastBudget = 1024; // less is refused
    const ReasoningEffort* effort = reasoningEffort(request.reasoningEffort);
    const int wanted = effort != nullptr ? effort->budgetTokens : 0;
    const int budget = std::min(wanted, request.reasoningTokens.value_or(wanted));
    return budget < leastBudget ? 0 : budget;
}

int outputTokens(const ChatRequest& request, int thinkingBudget) {
    return request.maxOutputTokens + std::max(request.reasoningTokens.value_or(0), thinkingBudget);
}

std::string joinedUrl(const std::string& baseUrl, const std::string& path) {
    std::string url = baseUrl;
    while (url.ends_with('/')) {
        url.pop_back();
    }
    return url.ends_with("/" + path) ? url : url + "/" + path;
}

} // namespace gks
