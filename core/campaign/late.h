// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

namespace gks {

// Where a late value comes from. Asked from any thread, also after whoever made it is gone.
template<class T>
class LateReader {
public:
    virtual ~LateReader() = default;
    virtual Result<T> read(std::int64_t id) const = 0;
};

// A value that is at hand, or is read when it is looked at: what a population of 100,000 kernels need not hold. Copies
// share it. It never changes, so two that are read from one place under one id are equal without a look.
template<class T>
class Late {
public:
    Late() = default;
    Late(T value) : m_from(std::make_shared<const T>(std::move(value))) {} // NOLINT: stands for the value
    template<class Other>
        requires(std::is_constructible_v<T, Other> && !std::is_same_v<std::decay_t<Other>, Late>)
    Late(Other&& value) : Late(T(std::forward<Other>(value))) {} // NOLINT: the same
    Late(std::shared_ptr<const LateReader<T>> reader, std::int64_t id) : m_from(std::move(reader)), m_id(id) {}

    // Says why it cannot be read. For whatever decides something.
    Result<T> read() const {
        const auto* reader = std::get_if<Reader>(&m_from);
        return reader != nullptr ? (*reader)->read(m_id) : Result<T>(atHand());
    }
    // For what is only shown, and asks for others that say so: nothing where it cannot be read.
    T orNothing() const { return read().value_or(T()); }

    bool operator==(const Late& other) const {
        return (m_from == other.m_from && m_id == other.m_id) || orNothing() == other.orNothing();
    }

private:
    using Value = std::shared_ptr<const T>;
    using Reader = std::shared_ptr<const LateReader<T>>;

    const T& atHand() const {
        static const T nothing = {};
        const Value& value = std::get<Value>(m_from);
        return value ? *value : nothing;
    }

    std::variant<Value, Reader> m_from;
    std::int64_t m_id = 0;
};

} // namespace gks
