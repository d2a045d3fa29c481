// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/strict_fields.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gks {
namespace {

constexpr std::size_t shownNameBytes = 64;
constexpr std::size_t addressDigits = 16;

int hexDigit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace

std::string addressText(std::uint64_t address) {
    return fmt::format("{:#x}", address);
}

Result<Json> parseHostileJson(std::string_view text, std::size_t limitBytes, const std::string& where) {
    if (text.size() > limitBytes) {
        return kernelError(fmt::format("too large ({} bytes, limit {})", text.size(), limitBytes), where);
    }
    return parseJson(text, where).map_error([](Error error) {
        error.kind = ErrorKind::kernel;
        return error;
    });
}

bool bytesFromHex(std::string_view text, PlanBytes& into) {
    if (text.size() % 2 != 0) {
        return false;
    }
    into.resize(text.size() / 2);
    for (std::size_t i = 0; i < into.size(); ++i) {
        const int high = hexDigit(text[2 * i]);
        const int low = hexDigit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        into[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return true;
}

StrictFields::StrictFields(const Json& object, std::string where) : m_object(object), m_where(std::move(where)) {
    if (!object.is_object()) {
        fail({ErrorKind::kernel, "not a JSON object", m_where, {}});
    }
}

void StrictFields::fail(const char* key, const std::string& what) {
    fail({ErrorKind::kernel, fmt::format("\"{}\" {}", key, what), m_where, {}});
}

void StrictFields::fail(const Error& error) {
    if (!m_error) {
        m_error = error;
    }
}

const Json* StrictFields::find(const char* key) {
    m_known.emplace(key);
    if (m_error) {
        return nullptr;
    }
    const auto at = m_object.find(key);
    if (at == m_object.end()) {
        fail(key, "is missing");
        return nullptr;
    }
    return &*at;
}

void StrictFields::text(const char* key, std::string& into, std::size_t limitBytes) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return;
    }
    if (!json->is_string()) {
        return fail(key, "is not a text");
    }
    const auto& value = json->get_ref<const std::string&>();
    if (value.size() > limitBytes) {
        return fail(key, fmt::format("is too long ({} bytes, limit {})", value.size(), limitBytes));
    }
    into = value;
}

void StrictFields::flag(const char* key, bool& into) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return;
    }
    if (!json->is_boolean()) {
        return fail(key, "is neither true nor false");
    }
    into = json->get<bool>();
}

std::optional<std::uint64_t> StrictFields::wholeNumber(const char* key, std::uint64_t most) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return std::nullopt;
    }
    if (!json->is_number_unsigned() || json->get<std::uint64_t>() > most) {
        fail(key, fmt::format("is not a whole number from 0 to {}", most));
        return std::nullopt;
    }
    return json->get<std::uint64_t>();
}

void StrictFields::number(const char* key, std::int32_t& into) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return;
    }
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const bool fits = json->is_number_unsigned() ? json->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                                                 : json->is_number_integer() && json->get<std::int64_t>() >= least;
    if (!fits) {
        return fail(key, fmt::format("is not a whole number from {} to {}", least, most));
    }
    into = json->get<std::int32_t>();
}

void StrictFields::number(const char* key, double& into) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return;
    }
    if (!json->is_number() || !std::isfinite(json->get<double>()) || json->get<double>() < 0) {
        return fail(key, "is not a number from 0 on");
    }
    into = json->get<double>();
}

void StrictFields::address(const char* key, std::uint64_t& into) {
    std::string digits;
    text(key, digits, 2 + addressDigits);
    if (m_error) {
        return;
    }
    std::uint64_t value = 0;
    const char* const begin = digits.data() + std::min<std::size_t>(2, digits.size());
    const char* const end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(begin, end, value, 16);
    if (!digits.starts_with("0x") || begin == end || error != std::errc() || at != end) {
        return fail(key, "is not an address");
    }
    into = value;
}

void StrictFields::bytes(const char* key, PlanBytes& into, std::size_t limitBytes) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return;
    }
    if (!json->is_string()) {
        return fail(key, "is not a text");
    }
    const auto& digits = json->get_ref<const std::string&>();
    if (digits.size() / 2 > limitBytes) {
        return fail(key, fmt::format("holds too much ({} bytes, limit {})", digits.size() / 2, limitBytes));
    }
    if (!bytesFromHex(digits, into)) {
        return fail(key, "does not hold bytes as pairs of hexadecimal digits");
    }
}

void StrictFields::extent(const char* key, Extent& into) {
    const Json* const json = list(key, into.size());
    if (json == nullptr) {
        return;
    }
    const auto fits = [](const Json& value) {
        return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
    };
    if (json->size() != into.size() || !std::all_of(json->begin(), json->end(), fits)) {
        return fail(key, "is not three whole numbers of 32 bits");
    }
    for (std::size_t i = 0; i < into.size(); ++i) {
        into[i] = (*json)[i].get<std::uint32_t>();
    }
}

const Json* StrictFields::list(const char* key, std::size_t most) {
    const Json* const json = find(key);
    if (json == nullptr) {
        return nullptr;
    }
    if (!json->is_array()) {
        fail(key, "is not a list");
        return nullptr;
    }
    if (json->size() > most) {
        fail(key, fmt::format("has too many entries ({}, limit {})", json->size(), most));
        return nullptr;
    }
    return json;
}

const Json* StrictFields::object(const char* key) {
    const Json* const json = find(key);
    if (json != nullptr && !json->is_object()) {
        fail(key, "is not a JSON object");
        return nullptr;
    }
    return json;
}

void StrictFields::version(std::uint64_t known) {
    std::uint64_t version = 0;
    number("version", version);
    if (version != known) {
        fail("version", fmt::format("is {}, and only {} can be read", version, known));
    }
}

Result<void> StrictFields::finish() {
    if (!m_error && m_object.size() != m_known.size()) {
        for (const auto& [key, value] : m_object.items()) {
            if (!m_known.contains(key)) {
                fail({ErrorKind::kernel,
                      fmt::format("unknown field \"{}\"", abbreviated(sanitizedUtf8(key), shownNameBytes)),
                      m_where,
                      {}});
                break;
            }
        }
    }
    if (m_error) {
        return tl::unexpected(*m_error);
    }
    return {};
}

} // namespace gks
