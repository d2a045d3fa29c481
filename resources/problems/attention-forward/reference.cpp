// SPDX-License-Identifier: GPL-3.0-or-later
// o[h][i] = sum over j of p_j v[h][j], p = softmax over j of q[h][i] . k[h][j] / sqrt(dim), in double. A call may ask for part of a row; the
// scores of a row are computed once per call, and of the values only the columns that were asked for are read.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace {

constexpr std::int64_t laneCount = 16; // sums that do not wait for each other

double decoded(std::uint16_t bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

double dot(const double* q, const std::uint16_t* k, std::int64_t dim) {
    double sums[laneCount] = {};
    std::int64_t d = 0;
    for (; d + laneCount <= dim; d += laneCount) {
        for (std::int64_t lane = 0; lane < laneCount; ++lane) {
            sums[lane] += q[d + lane] * decoded(k[d + lane]);
        }
    }
    for (; d < dim; ++d) {
        sums[0] += q[d] * decoded(k[d]);
    }
    return std::accumulate(sums, sums + laneCount, 0.0);
}

} // namespace

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const std::int64_t seq = dims[1], dim = dims[2];
    std::vector<double> weights(static_cast<std::size_t>(seq));
    std::vector<double> query(static_cast<std::size_t>(dim));
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t row = at / dim, head = row / seq, last = std::min(end, (row + 1) * dim);
        const auto* q = static_cast<const std::uint16_t*>(tensors[0]) + row * dim;
        const auto* k = static_cast<const std::uint16_t*>(tensors[1]) + head * seq * dim;
        const auto* v = static_cast<const std::uint16_t*>(tensors[2]) + head * seq * dim + (at - row * dim);
        std::transform(q, q + dim, query.begin(), decoded);
        const double scale = 1 / std::sqrt(static_cast<double>(dim));
        double largest = -INFINITY;
        for (std::int64_t j = 0; j < seq; ++j) {
            weights[j] = dot(query.data(), k + j * dim, dim) * scale;
            largest = std::max(largest, weights[j]);
        }
        double sum = 0;
        double* const output = expected + (at - begin);
        std::fill_n(output, last - at, 0.0);
        for (std::int64_t j = 0; j < seq; ++j) {
            const double weight = std::exp(weights[j] - largest);
            sum += weight;
            for (std::int64_t d = 0; d < last - at; ++d) {
                output[d] += weight * decoded(v[j * dim + d]);
            }
        }
        for (std::int64_t d = 0; d < last - at; ++d) {
            output[d] /= sum;
        }
        at = last;
    }
}
