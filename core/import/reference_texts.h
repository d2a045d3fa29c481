// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in every reference that is translated, and in those that keep something between ranges.
#pragma once

#include <string_view>

namespace gks {

inline constexpr std::string_view inputHelpers = R"(// Values of inputs as numbers; fp8 comes decoded.
template<class T>
struct Plain {
    const T* values;
    double operator[](std::int64_t i) const { return double(values[i]); }
};
struct Bf16 {
    const std::uint16_t* bits;
    double operator[](std::int64_t i) const {
        const std::uint32_t wide = std::uint32_t(bits[i]) << 16;
        float value;
        std::memcpy(&value, &wide, sizeof value);
        return double(value);
    }
};
struct Half {
    const std::uint16_t* bits;
    double operator[](std::int64_t i) const {
        const int exponent = (bits[i] >> 10) & 31, fraction = bits[i] & 1023;
        const double value = exponent == 31  ? (fraction != 0 ? double(NAN) : double(INFINITY))
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
        return (bits[i] & 0x8000) != 0 ? -value : value;
    }
};
)";

// Ranges of the same inputs share what belongs to all of them: sums so far along the only axis, a sum of everything.
inline constexpr std::string_view keeping =
    R"(using Range = std::function<void(std::int64_t begin, std::int64_t end, double* expected)>;

std::mutex guard;
bool isTold = false; // that new_inputs() is called when inputs may have changed
std::map<int, std::shared_ptr<const Range>> ranges;

template<class Make>
std::shared_ptr<const Range> kept(int function, const Make& make) {
    const std::lock_guard lock(guard);
    std::shared_ptr<const Range>& range = ranges[function];
    if (!isTold || !range) {
        range = std::make_shared<const Range>(make());
    }
    return range;
}

)";
inline constexpr std::string_view forgetting = R"(
extern "C" void new_inputs() {
    const std::lock_guard lock(guard);
    isTold = true;
    ranges.clear();
}
)";

} // namespace gks
