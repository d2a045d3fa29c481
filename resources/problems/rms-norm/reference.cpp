// SPDX-License-Identifier: GPL-3.0-or-later
// y[t][h] = x[t][h] weight[h] / sqrt(mean over h of x[t][h]^2 + 1e-5), in double.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

double decoded(std::uint16_t bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

} // namespace

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const std::int64_t hidden = dims[1];
    const auto* weight = static_cast<const std::uint16_t*>(tensors[1]);
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t token = at / hidden, last = std::min(end, (token + 1) * hidden);
        const auto* x = static_cast<const std::uint16_t*>(tensors[0]) + token * hidden;
        double squares = 0;
        for (std::int64_t i = 0; i < hidden; ++i) {
            squares += decoded(x[i]) * decoded(x[i]);
        }
        const double factor = 1 / std::sqrt(squares / static_cast<double>(hidden) + 1e-5);
        for (; at < last; ++at) {
            expected[at - begin] = decoded(x[at - token * hidden]) * factor * decoded(weight[at - token * hidden]);
        }
    }
}
