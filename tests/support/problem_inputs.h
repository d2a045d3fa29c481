// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/data.h"

#include <vector>

// Seeds and drawn inputs for tests of a problem's data.
namespace gks::test {

inline Seed seedOf(std::uint8_t value) {
    Seed seed{};
    seed.fill(value);
    return seed;
}

inline ProblemPack fp8Gemm() {
    auto pack = loadProblemPack("fp8-gemm");
    return pack ? *pack : ProblemPack{};
}

// All inputs of one shape and spans over them in the order of the pack.
struct Inputs {
    std::vector<std::vector<std::byte>> storage;
    std::vector<std::span<const std::byte>> spans;
};
inline Inputs makeInputs(const ProblemPack& pack, const Shape& shape, Distribution distribution) {
    Inputs inputs;
    inputs.storage.resize(pack.tensors.size());
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            inputs.storage[i].resize(static_cast<std::size_t>(*pack.elementCount(pack.tensors[i], shape)) *
                                     sizeBytes(pack.tensors[i].type));
            if (!fillTensor(pack, i, shape, seedOf(5), distribution, Fp8Encoding::fnuz, inputs.storage[i])) {
                return {};
            }
        }
    }
    inputs.spans.assign(inputs.storage.begin(), inputs.storage.end());
    return inputs;
}

} // namespace gks::test
