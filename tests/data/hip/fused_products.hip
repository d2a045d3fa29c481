// SPDX-License-Identifier: GPL-3.0-or-later
// Products that a sum is made of, in one instruction with it: gfx942 rounds once, whatever the type and however often
// the product is used. The host computes exactly, in integers or in a wider type.
#include "check.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <hip/hip_fp16.h>
#include <vector>

constexpr int count = 1 << 14;
using Half8 = _Float16 __attribute__((ext_vector_type(8)));

__global__ void halves(const _Float16* a, const _Float16* b, const _Float16* c, _Float16* more, _Float16* less,
                       _Float16* rest, _Float16* twice) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    more[i] = a[i] * b[i] + c[i];
    less[i] = a[i] * b[i] - c[i];
    rest[i] = c[i] - a[i] * b[i];
    const _Float16 product = a[i] * b[i];
    twice[i] = product + c[i] > product ? product + c[i] : product;
}
__global__ void operators(const __half* a, const __half* b, const __half* c, __half* more) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    more[i] = a[i] * b[i] + c[i];
}
__global__ void vectors(const Half8* a, const Half8* b, const Half8* c, Half8* more) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    more[i] = a[i] * b[i] + c[i];
}
template<class Number>
__global__ void usedTwice(const Number* a, const Number* c, Number* less, Number* product) {
    const int i = threadIdx.x;
    const Number square = a[i] * a[i];
    less[i] = square - c[i];
    product[i] = square;
}
__global__ void rounded(const _Float16* a, const _Float16* b, const _Float16* c, _Float16* more) {
#pragma clang fp contract(off)
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    more[i] = a[i] * b[i] + c[i];
}

// A product of halves has 22 bits and is exact in float; its sum with a half is exact in double.
static _Float16 once(_Float16 a, _Float16 b, _Float16 c) {
    const double sum = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
    auto nearest = static_cast<_Float16>(static_cast<float>(sum)); // may have been rounded twice
    for (const int step : {-1, 1}) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, &nearest, sizeof bits);
        _Float16 beside{};
        const auto next = static_cast<std::uint16_t>(bits + step);
        std::memcpy(&beside, &next, sizeof beside);
        const double own = std::abs(static_cast<double>(nearest) - sum);
        const double other = std::abs(static_cast<double>(beside) - sum);
        if (other < own || (other == own && (next & 1) == 0)) {
            nearest = beside;
        }
    }
    return nearest;
}

template<class Number>
static void squares(const char* name, Number step) {
    std::vector<Number> a, c;
    for (int i = 0; i < 64; ++i) {
        a.push_back(1 + step * (i + 1));
        c.push_back(a.back() * a.back());
    }
    Device<Number> da(a), dc(c), less(64), product(64);
    usedTwice<Number><<<1, 64>>>(da.get(), dc.get(), less.get(), product.get());
    bool isRight = true;
    const auto left = less.read(), rounded = product.read();
    for (int i = 0; i < 64; ++i) {
        isRight = isRight && left[i] == std::fma(a[i], a[i], -c[i]) && rounded[i] == c[i];
    }
    expect(name, isRight);
}

int main() {
    std::vector<_Float16> a, b, c;
    std::uint32_t state = 1;
    const auto draw = [&] { return static_cast<int>((state = state * 1664525 + 1013904223) >> 20) - 2048; };
    for (int i = 0; i < count; ++i) { // sums in which most of the product is taken away
        a.push_back(static_cast<_Float16>(draw() / 1024.0));
        b.push_back(static_cast<_Float16>(draw() / 1024.0));
        c.push_back(static_cast<_Float16>(-static_cast<double>(a.back()) * static_cast<double>(b.back())));
    }
    Device<_Float16> da(a), db(b), dc(c), more(count), less(count), rest(count), twice(count), apart(count),
        wide(count), named(count);
    halves<<<count / 256, 256>>>(da.get(), db.get(), dc.get(), more.get(), less.get(), rest.get(), twice.get());
    operators<<<count / 256, 256>>>(reinterpret_cast<__half*>(da.get()), reinterpret_cast<__half*>(db.get()),
                                    reinterpret_cast<__half*>(dc.get()), reinterpret_cast<__half*>(named.get()));
    vectors<<<count / 2048, 256>>>(reinterpret_cast<Half8*>(da.get()), reinterpret_cast<Half8*>(db.get()),
                                   reinterpret_cast<Half8*>(dc.get()), reinterpret_cast<Half8*>(wide.get()));
    rounded<<<count / 256, 256>>>(da.get(), db.get(), dc.get(), apart.get());
    int wrong[7] = {};
    int different = 0;
    const auto m = more.read(), l = less.read(), r = rest.read(), t = twice.read(), n = named.read(), w = wide.read(),
               o = apart.read();
    for (int i = 0; i < count; ++i) {
        const _Float16 sum = once(a[i], b[i], c[i]);
        const auto product = static_cast<_Float16>(static_cast<float>(a[i]) * static_cast<float>(b[i]));
        wrong[0] += m[i] != sum;
        wrong[1] += l[i] != once(a[i], b[i], -c[i]);
        wrong[2] += r[i] != once(-a[i], b[i], c[i]);
        wrong[3] += t[i] != (sum > product ? sum : product);
        wrong[4] += n[i] != sum;
        wrong[5] += w[i] != sum;
        wrong[6] += o[i] != static_cast<_Float16>(static_cast<float>(product) + static_cast<float>(c[i]));
        different += o[i] != sum;
    }
    expect("the sums tell the two ways apart", different > count / 4);
    expect("a product and a half", wrong[0] == 0);
    expect("less a half", wrong[1] == 0);
    expect("a half less a product", wrong[2] == 0);
    expect("a product that is used twice", wrong[3] == 0);
    expect("HIP's operators", wrong[4] == 0);
    expect("vectors of eight", wrong[5] == 0);
    expect("apart where the source says so", wrong[6] == 0);
    squares<float>("floats that are used twice", 0x1p-12f);
    squares<double>("doubles that are used twice", 0x1p-29);
    return verdict();
}
