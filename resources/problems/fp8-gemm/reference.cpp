// SPDX-License-Identifier: GPL-3.0-or-later
// c[m][n] = sum over blocks kb of 128 k of a_scale[kb][m] b_scale[kb][n/128] sum over k of a[k][m] b[k][n].
// The sum inside a block is exact enough in float (products of fp8 have 8 significant bits); blocks are added in double.
// Its magnitude is the same with the absolute value of every factor.
// Works on panels of up to four rows and 512 columns: b is read along its rows, as the memory likes it, every value of it serves four
// rows, and the sums of a panel stay in the first cache.
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

constexpr std::int64_t blockK = 128;
constexpr std::int64_t unrolledK = 4;
constexpr std::int64_t panelColumns = 512;
static_assert(blockK % unrolledK == 0);

struct Operands {
    const float* a;
    const float* b;
    const float* aScale;
    const float* bScale;
    std::int64_t m, n, k;
};

// Outputs [row, row + Rows) x [column, column + count); their rows lie n apart.
template<bool Magnitude, class T>
T term(T value) {
    return Magnitude ? std::abs(value) : value;
}

template<bool Magnitude, std::int64_t Rows>
void panel(const Operands& in, std::int64_t row, std::int64_t column, std::int64_t count, double* expected) {
    const std::int64_t scaleColumns = (in.n + blockK - 1) / blockK;
    for (std::int64_t r = 0; r < Rows; ++r) {
        std::fill_n(expected + r * in.n, count, 0.0);
    }
    for (std::int64_t kb = 0; kb < in.k / blockK; ++kb) {
        float sums[Rows][panelColumns] = {};
        for (std::int64_t kk = kb * blockK; kk < (kb + 1) * blockK; kk += unrolledK) {
            const float* const left = in.a + kk * in.m + row;
            const float* const right = in.b + kk * in.n + column;
            for (std::int64_t r = 0; r < Rows; ++r) {
                float* const sum = sums[r];
                const float a0 = left[r], a1 = left[in.m + r], a2 = left[2 * in.m + r], a3 = left[3 * in.m + r];
                for (std::int64_t i = 0; i < count; ++i) {
                    sum[i] += term<Magnitude>(a0 * right[i]) + term<Magnitude>(a1 * right[in.n + i]) +
                              term<Magnitude>(a2 * right[2 * in.n + i]) + term<Magnitude>(a3 * right[3 * in.n + i]);
                }
            }
        }
        for (std::int64_t r = 0; r < Rows; ++r) {
            const double aScale = in.aScale[kb * in.m + row + r];
            for (std::int64_t i = 0; i < count; ++i) {
                expected[r * in.n + i] +=
                    term<Magnitude>(sums[r][i] * aScale * in.bScale[kb * scaleColumns + (column + i) / blockK]);
            }
        }
    }
}

template<bool Magnitude, std::int64_t Rows>
std::int64_t wholeRows(const Operands& in, std::int64_t row, double* expected) {
    for (std::int64_t column = 0; column < in.n; column += panelColumns) {
        panel<Magnitude, Rows>(in, row, column, std::min(panelColumns, in.n - column), expected + column);
    }
    return Rows * in.n;
}

template<bool Magnitude>
void compute(const void* const* tensors, const std::int64_t* dims, std::int64_t begin, std::int64_t end, double* expected) {
    const Operands in = {static_cast<const float*>(tensors[0]), static_cast<const float*>(tensors[1]),
                         static_cast<const float*>(tensors[2]), static_cast<const float*>(tensors[3]),
                         dims[0], dims[1], dims[2]};
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t row = at / in.n, column = at % in.n, whole = column == 0 ? (end - at) / in.n : 0;
        double* const into = expected + (at - begin);
        if (whole >= 4) {
            at += wholeRows<Magnitude, 4>(in, row, into);
        } else if (whole >= 2) {
            at += wholeRows<Magnitude, 2>(in, row, into);
        } else {
            const std::int64_t count = std::min({panelColumns, end - at, in.n - column});
            panel<Magnitude, 1>(in, row, column, count, into);
            at += count;
        }
    }
}

} // namespace

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    compute<false>(tensors, dims, begin, end, expected);
}

extern "C" void magnitude(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    compute<true>(tensors, dims, begin, end, expected);
}
