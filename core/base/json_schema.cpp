// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_schema.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gks {
namespace {

constexpr std::size_t shownProblems = 5;
// The standard library's matcher calls itself once for each character.
constexpr std::size_t longestMatchedBytes = 1000;

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string pointer(const std::string& parent, std::string_view key) {
    std::string escaped;
    for (const char c : key) {
        escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return parent + "/" + escaped;
}

bool isOfType(const Json& value, const std::string& type) {
    if (type == "integer") { // 3.0 is one
        return value.is_number_integer() ||
               (value.is_number_float() && value.get<double>() == std::nearbyint(value.get<double>()));
    }
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "number"  ? value.is_number()
           : type == "boolean" ? value.is_boolean()
                               : type == "null" && value.is_null();
}

class Validation {
public:
    explicit Validation(std::string_view whole) : m_whole(whole) {}
    void check(const Json& value, const Json& schema, const std::string& place);
    Result<void> result() const;

private:
    void checkText(const std::string& text, const Json& schema, const std::string& place);
    void checkArray(const Json& array, const Json& schema, const std::string& place);
    void checkObject(const Json& object, const Json& schema, const std::string& place);
    void problem(const std::string& place, const std::string& what) {
        ++m_count;
        if (m_problems.size() < shownProblems) {
            m_problems.push_back(fmt::format("{}: {}", place.empty() ? m_whole : abbreviated(place, 200), what));
        }
    }
    // Adds a problem when `found` is outside of what two keywords allow.
    void checkBounds(double found, const Json& schema, const char* least, const char* most, const char* unit,
                     const std::string& place);

    std::string m_whole;
    std::vector<std::string> m_problems;
    std::size_t m_count = 0;
};

void Validation::checkBounds(double found, const Json& schema, const char* least, const char* most, const char* unit,
                             const std::string& place) {
    if (schema.contains(least) && !(found >= schema[least].get<double>())) {
        problem(place, fmt::format("is {}{}, at least {} is asked for", found, unit, schema[least].get<double>()));
    }
    if (schema.contains(most) && !(found <= schema[most].get<double>())) {
        problem(place, fmt::format("is {}{}, at most {} is asked for", found, unit, schema[most].get<double>()));
    }
}

void Validation::checkText(const std::string& text, const Json& schema, const std::string& place) {
    if (text.find('\0') != std::string::npos || sanitizedUtf8(text) != text) {
        problem(place, "is not UTF-8 or holds the character U+0000");
        return;
    }
    checkBounds(static_cast<double>(characters(text)), schema, "minLength", "maxLength", " characters", place);
    if (schema.contains("pattern")) {
        const std::string pattern = schema["pattern"].get<std::string>();
        if (text.size() > longestMatchedBytes || !std::regex_search(text, std::regex(pattern))) {
            problem(place, fmt::format("does not match {}", pattern));
        }
    }
}

void Validation::checkArray(const Json& array, const Json& schema, const std::string& place) {
    checkBounds(static_cast<double>(array.size()), schema, "minItems", "maxItems", " items", place);
    if (schema.contains("items")) {
        for (std::size_t i = 0; i < array.size(); ++i) {
            check(array[i], schema["items"], pointer(place, std::to_string(i)));
        }
    }
}

void Validation::checkObject(const Json& object, const Json& schema, const std::string& place) {
    for (const Json& key : schema.value("required", Json::array())) {
        if (!object.contains(key.get_ref<const std::string&>())) {
            problem(place, fmt::format("lacks {:?}", key.get<std::string>()));
        }
    }
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, value] : object.items()) {
        if (key.find('\0') != std::string::npos || sanitizedUtf8(key) != key) {
            problem(place, "has a name that is not UTF-8 or holds the character U+0000");
        } else if (properties.contains(key)) {
            check(value, properties[key], pointer(place, key));
        } else if (schema.contains("additionalProperties")) {
            problem(place, fmt::format("has {:?}, which is not asked for", abbreviated(key, 100)));
        }
    }
}

void Validation::check(const Json& value, const Json& schema, const std::string& place) {
    static const std::set<std::string> known = {"$schema",   "title",    "description", "type",
                                                "enum",      "required", "properties",  "additionalProperties",
                                                "items",     "minItems", "maxItems",    "minLength",
                                                "maxLength", "pattern",  "minimum",     "maximum"};
    for (const auto& [keyword, setting] : schema.items()) {
        if (!known.contains(keyword) || (keyword == "additionalProperties" && setting != false)) {
            problem(place, fmt::format("the schema's keyword {:?} is not supported", keyword));
        }
    }
    if (schema.contains("type") && !isOfType(value, schema["type"].get<std::string>())) {
        problem(place, fmt::format("is not of type {}", schema["type"].get<std::string>()));
        return;
    }
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) {
        problem(place, fmt::format("is none of {}", schema["enum"].dump()));
    }
    if (value.is_string()) {
        checkText(value.get_ref<const std::string&>(), schema, place);
    } else if (value.is_number()) {
        checkBounds(value.get<double>(), schema, "minimum", "maximum", "", place);
    } else if (value.is_array()) {
        checkArray(value, schema, place);
    } else if (value.is_object()) {
        checkObject(value, schema, place);
    }
}

Result<void> Validation::result() const {
    if (m_count == 0) {
        return {};
    }
    const std::size_t more = m_count - m_problems.size();
    return usageError(join(m_problems, "; ") + (more > 0 ? fmt::format("; and {} more", more) : std::string()));
}

} // namespace

Result<void> validate(const Json& value, const Json& schema, std::string_view whole) {
    try {
        Validation validation(whole);
        validation.check(value, schema, "");
        return validation.result();
    } catch (const std::exception& error) { // a keyword of another type, a pattern that is none
        return usageError(fmt::format("cannot be checked against the schema ({})", error.what()));
    }
}

} // namespace gks
