// SPDX-License-Identifier: GPL-3.0-or-later
// y[r][c] = exp(x[r][c] - max of the row) / sum over the row of the same, in double.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin,
                          std::int64_t end, double* expected) {
    const std::int64_t cols = dims[1];
    std::vector<double> weights(static_cast<std::size_t>(cols));
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t row = at / cols, last = std::min(end, (row + 1) * cols);
        const auto* x = static_cast<const float*>(tensors[0]) + row * cols;
        const double largest = *std::max_element(x, x + cols);
        double sum = 0;
        for (std::int64_t i = 0; i < cols; ++i) {
            sum += weights[i] = std::exp(x[i] - largest);
        }
        for (; at < last; ++at) {
            expected[at - begin] = weights[at - row * cols] / sum;
        }
    }
}
