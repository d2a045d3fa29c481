// SPDX-License-Identifier: GPL-3.0-or-later
// y[i] = x[i]: the mark that a variant ran.
#include <cstdint>

extern "C" void reference(const void* const* tensors, const std::int64_t*, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const auto* x = static_cast<const float*>(tensors[0]);
    for (std::int64_t i = begin; i < end; ++i) {
        expected[i - begin] = x[i];
    }
}
