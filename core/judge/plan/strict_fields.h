// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/judge/plan/launch_plan.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Reads one JSON object that hostile code has written: every field must be there with its exact type and within its
// bound, and no other field may be. The first error is kept and finish() returns it.
class StrictFields {
public:
    StrictFields(const Json& object, std::string where);

    void text(const char* key, std::string& into, std::size_t limitBytes);
    void flag(const char* key, bool& into);
    template<std::unsigned_integral T>
    void number(const char* key, T& into, std::uint64_t most = std::numeric_limits<T>::max()) {
        if (const auto value = wholeNumber(key, most)) {
            into = static_cast<T>(*value);
        }
    }
    void number(const char* key, std::int32_t& into);
    void number(const char* key, double& into);         // finite, not negative
    void address(const char* key, std::uint64_t& into); // "0x" and hexadecimal digits
    void bytes(const char* key, PlanBytes& into, std::size_t limitBytes);
    void extent(const char* key, Extent& into);
    void version(std::uint64_t known);
    // One of the values by its name; `what` says what it is a name of.
    template<class Enum>
    void choice(const char* key, Enum& into, std::initializer_list<Enum> all, std::string_view what) {
        std::string called;
        text(key, called, choiceLimitBytes);
        const auto found =
            std::find_if(all.begin(), all.end(), [&](Enum value) { return std::string_view(name(value)) == called; });
        if (found == all.end()) {
            return fail(key, fmt::format("names no {}", what));
        }
        into = *found;
    }
    // Whole numbers from 0 to `most`, at most `entries` of them.
    template<std::unsigned_integral T>
    void numbers(const char* key, std::vector<T>& into, std::size_t entries, std::uint64_t most) {
        const Json* const values = list(key, entries);
        for (std::size_t i = 0; values != nullptr && i < values->size(); ++i) {
            const Json& value = (*values)[i];
            if (!value.is_number_unsigned() || value.template get<std::uint64_t>() > most) {
                return fail(key, fmt::format("does not hold whole numbers from 0 to {}", most));
            }
            into.push_back(value.template get<T>());
        }
    }
    const Json* list(const char* key, std::size_t most); // nullptr after an error
    const Json* object(const char* key);

    void fail(const char* key, const std::string& what);
    void fail(const Error& error);
    Result<void> finish();

private:
    static constexpr std::size_t choiceLimitBytes = 32;

    const Json* find(const char* key);
    std::optional<std::uint64_t> wholeNumber(const char* key, std::uint64_t most);

    const Json& m_object;
    std::string m_where;
    std::set<std::string, std::less<>> m_known;
    std::optional<Error> m_error;
};

// Reads every entry of a list with `one`, which gets the entry and where it stands. No list, no entries.
template<class T, class One>
Result<void> readEach(const Json* list, const std::string& where, std::string_view what, std::vector<T>& into,
                      const One& one) {
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        GKS_TRY_ASSIGN(T value, one((*list)[i], fmt::format("{}, {} {}", where, what, i + 1)));
        into.push_back(std::move(value));
    }
    return {};
}

// parseJson() for text that hostile code has written; larger text is refused before it is parsed.
Result<Json> parseHostileJson(std::string_view text, std::size_t limitBytes, const std::string& where);

std::string addressText(std::uint64_t address); // as StrictFields::address() reads it

// Two hexadecimal digits a byte; false when it is something else.
bool bytesFromHex(std::string_view text, PlanBytes& into);

} // namespace gks
