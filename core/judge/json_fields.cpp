// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/json_fields.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

template<class Integer>
bool takeInteger(const Json& json, Integer& into) {
    if (json.is_number_unsigned()) {
        const auto value = json.get<std::uint64_t>();
        if (value > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())) {
            return false;
        }
        into = static_cast<Integer>(value);
        return true;
    }
    if (!json.is_number_integer() || std::is_unsigned_v<Integer>) {
        return false;
    }
    const auto value = json.get<std::int64_t>();
    if (value < static_cast<std::int64_t>(std::numeric_limits<Integer>::min())) {
        return false;
    }
    into = static_cast<Integer>(value);
    return true;
}

bool takeNumber(const Json& json, double& into) {
    if (!json.is_number() || !std::isfinite(json.get<double>())) {
        return false;
    }
    into = json.get<double>();
    return true;
}

} // namespace

FieldReader::FieldReader(const Json& object, std::string where) : m_object(object), m_where(std::move(where)) {
    if (!object.is_object()) {
        m_error = Error{ErrorKind::usage, "not a JSON object", m_where, {}};
    }
}

const Json* FieldReader::find(const char* key) const {
    if (m_error) {
        return nullptr;
    }
    const auto at = m_object.find(key);
    return at == m_object.end() || at->is_null() ? nullptr : &*at;
}

void FieldReader::require(const char* key) {
    if (!m_error && find(key) == nullptr) {
        fail(key, "is missing");
    }
}

void FieldReader::read(const char* key, std::string& into) {
    if (const Json* at = find(key)) {
        if (at->is_string()) {
            into = at->get<std::string>();
        } else {
            fail(key, "is not a string");
        }
    }
}

void FieldReader::read(const char* key, bool& into) {
    if (const Json* at = find(key)) {
        if (at->is_boolean()) {
            into = at->get<bool>();
        } else {
            fail(key, "is not true or false");
        }
    }
}

void FieldReader::read(const char* key, int& into) {
    if (const Json* at = find(key); at != nullptr && !takeInteger(*at, into)) {
        fail(key, "is not a whole number in range");
    }
}

void FieldReader::read(const char* key, std::int64_t& into) {
    if (const Json* at = find(key); at != nullptr && !takeInteger(*at, into)) {
        fail(key, "is not a whole number in range");
    }
}

void FieldReader::read(const char* key, std::size_t& into) {
    if (const Json* at = find(key); at != nullptr && !takeInteger(*at, into)) {
        fail(key, "is not a whole number in range");
    }
}

void FieldReader::read(const char* key, double& into) {
    if (const Json* at = find(key); at != nullptr && !takeNumber(*at, into)) {
        fail(key, "is not a finite number");
    }
}

void FieldReader::read(const char* key, Interval& into) {
    if (const Json* at = find(key)) {
        Interval value;
        if (at->is_array() && at->size() == 2 && takeNumber((*at)[0], value.low) && takeNumber((*at)[1], value.high)) {
            into = value;
        } else {
            fail(key, "is not an interval [low, high]");
        }
    }
}

void FieldReader::read(const char* key, std::optional<std::string>& into) {
    if (find(key) != nullptr) {
        into.emplace();
        read(key, *into);
    }
}

void FieldReader::read(const char* key, std::optional<std::size_t>& into) {
    if (find(key) != nullptr) {
        into.emplace();
        read(key, *into);
    }
}

void FieldReader::read(const char* key, std::vector<double>& into) {
    const Json* at = array(key);
    if (at == nullptr) {
        return;
    }
    into.assign(at->size(), 0);
    for (std::size_t i = 0; i < at->size(); ++i) {
        if (!takeNumber((*at)[i], into[i])) {
            fail(key, "contains a non-finite number");
            return;
        }
    }
}

void FieldReader::read(const char* key, std::vector<int>& into) {
    const Json* at = array(key);
    if (at == nullptr) {
        return;
    }
    into.clear();
    for (const Json& element : *at) {
        std::int64_t value = 0;
        if (!takeInteger(element, value) || value != static_cast<int>(value)) {
            fail(key, "contains a value that is not a 32-bit integer");
            return;
        }
        into.push_back(static_cast<int>(value));
    }
}

void FieldReader::read(const char* key, std::vector<std::string>& into) {
    const Json* at = array(key);
    if (at == nullptr) {
        return;
    }
    into.clear();
    for (const Json& element : *at) {
        if (!element.is_string()) {
            fail(key, "contains a value that is not a string");
            return;
        }
        into.push_back(element.get<std::string>());
    }
}

void FieldReader::read(const char* key, std::map<std::string, std::string>& into) {
    const Json* at = object(key);
    if (at == nullptr) {
        return;
    }
    into.clear();
    for (const auto& [name, value] : at->items()) {
        if (!value.is_string()) {
            fail(key, "contains a value that is not a string");
            return;
        }
        into[name] = value.get<std::string>();
    }
}

void FieldReader::read(const char* key, std::map<std::string, std::int64_t>& into) {
    const Json* at = object(key);
    if (at == nullptr) {
        return;
    }
    into.clear();
    for (const auto& [name, value] : at->items()) {
        if (!takeInteger(value, into[name])) {
            fail(key, "contains a value that is not an integer");
            return;
        }
    }
}

const Json* FieldReader::object(const char* key) {
    const Json* at = find(key);
    if (at != nullptr && !at->is_object()) {
        fail(key, "is not an object");
        return nullptr;
    }
    return at;
}

const Json* FieldReader::array(const char* key) {
    const Json* at = find(key);
    if (at != nullptr && !at->is_array()) {
        fail(key, "is not an array");
        return nullptr;
    }
    return at;
}

void FieldReader::fail(const char* key, const std::string& what) {
    fail(Error{ErrorKind::usage, fmt::format("field \"{}\" {}", key, what), m_where, {}});
}

void FieldReader::fail(const Error& error) {
    if (!m_error) {
        m_error = error;
    }
}

Result<void> FieldReader::finish() const {
    if (m_error) {
        return tl::unexpected(*m_error);
    }
    return {};
}

} // namespace gks
