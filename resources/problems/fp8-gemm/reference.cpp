// SPDX-License-Identifier: GPL-3.0-or-later
// c[m][n] = sum over blocks kb of 128 k of a_scale[kb][m] b_scale[kb][n/128] sum over k of a[k][m] b[k][n].
// The sum inside a block is exact enough in float (products of fp8 have 8 significant bits); blocks are added in double.
// Works on runs of outputs of one row, so that the innermost loop goes along b and vectorises.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

constexpr std::int64_t blockK = 128;
constexpr std::int64_t runLength = 64;

} // namespace

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const auto* a = static_cast<const float*>(tensors[0]);
    const auto* b = static_cast<const float*>(tensors[1]);
    const auto* aScale = static_cast<const float*>(tensors[2]);
    const auto* bScale = static_cast<const float*>(tensors[3]);
    const std::int64_t m = dims[0], n = dims[1], k = dims[2], scaleColumns = (n + blockK - 1) / blockK;
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t row = at / n, column = at % n, count = std::min({runLength, end - at, n - column});
        double total[runLength] = {};
        for (std::int64_t kb = 0; kb < k / blockK; ++kb) {
            float partial[runLength] = {};
            for (std::int64_t kk = kb * blockK; kk < (kb + 1) * blockK; ++kk) {
                const float left = a[kk * m + row];
                const float* right = b + kk * n + column;
                if (count == runLength) {
                    for (std::int64_t i = 0; i < runLength; ++i) {
                        partial[i] += left * right[i];
                    }
                } else {
                    for (std::int64_t i = 0; i < count; ++i) {
                        partial[i] += left * right[i];
                    }
                }
            }
            for (std::int64_t i = 0; i < count; ++i) {
                total[i] += static_cast<double>(partial[i]) * aScale[kb * m + row] * bScale[kb * scaleColumns + (column + i) / blockK];
            }
        }
        std::copy_n(total, count, expected + (at - begin));
        at += count;
    }
}
