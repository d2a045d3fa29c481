// SPDX-License-Identifier: GPL-3.0-or-later
// o[h][i] = sum over j of p_j v[h][j], p = softmax over j of q[h][i] . k[h][j] / sqrt(dim), in double. A call may ask for part of a row; the
// scores of a row are computed once per call.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

float decoded(std::uint16_t bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

} // namespace

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const std::int64_t seq = dims[1], dim = dims[2];
    std::vector<double> weights(static_cast<std::size_t>(seq));
    std::vector<double> output(static_cast<std::size_t>(dim));
    for (std::int64_t at = begin; at < end;) {
        const std::int64_t row = at / dim, head = row / seq, last = std::min(end, (row + 1) * dim);
        const auto* q = static_cast<const std::uint16_t*>(tensors[0]) + row * dim;
        const auto* k = static_cast<const std::uint16_t*>(tensors[1]) + head * seq * dim;
        const auto* v = static_cast<const std::uint16_t*>(tensors[2]) + head * seq * dim;
        double largest = -INFINITY;
        for (std::int64_t j = 0; j < seq; ++j) {
            double score = 0;
            for (std::int64_t d = 0; d < dim; ++d) {
                score += static_cast<double>(decoded(q[d])) * decoded(k[j * dim + d]);
            }
            weights[j] = score / std::sqrt(static_cast<double>(dim));
            largest = std::max(largest, weights[j]);
        }
        double sum = 0;
        std::fill(output.begin(), output.end(), 0.0);
        for (std::int64_t j = 0; j < seq; ++j) {
            const double weight = std::exp(weights[j] - largest);
            sum += weight;
            for (std::int64_t d = 0; d < dim; ++d) {
                output[d] += weight * decoded(v[j * dim + d]);
            }
        }
        for (; at < last; ++at) {
            expected[at - begin] = output[at - row * dim] / sum;
        }
    }
}
