// SPDX-License-Identifier: GPL-3.0-or-later
// What ROCm 7 added to half and bf16: sums and products that are never fused, updates of one half at a time, bf16 of
// the compiler's own type; larger and smaller ones with NaN, and pairs that differ, on the device and on the host. The
// host rounds in doubles.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>

using Bits = std::uint16_t;

// Codes of 16 bits with so many of mantissa. A double holds each sum and product of two of them, or is as far from each
// border as they are.
struct Format {
    int mantissaBits, bias;

    double value(Bits code) const {
        const int exponent = (code & 0x7fff) >> mantissaBits, mantissa = code & ((1 << mantissaBits) - 1);
        const double size = exponent == (0x7fff >> mantissaBits) ? (mantissa ? NAN : INFINITY)
                            : exponent == 0
                                ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                                : std::ldexp(mantissa + (1 << mantissaBits), exponent - bias - mantissaBits);
        return code & 0x8000 ? -size : size;
    }
    Bits nearest(double x) const {
        const Bits sign = std::signbit(x) ? 0x8000 : 0;
        const Bits infinite = static_cast<Bits>((0x7fff >> mantissaBits) << mantissaBits);
        if (std::isnan(x) || std::isinf(x) || x == 0) {
            return static_cast<Bits>(sign | (x == 0 ? 0 : std::isnan(x) ? infinite | 1 : infinite));
        }
        const int exponent = std::max(std::ilogb(x), 1 - bias);
        const double steps = std::nearbyint(std::ldexp(std::fabs(x), mantissaBits - exponent));
        const double code = steps + std::ldexp(exponent + bias - 1, mantissaBits); // a carry is a step of the exponent
        return static_cast<Bits>(sign | static_cast<int>(std::min(code, double(infinite))));
    }
};
constexpr Format halfFormat = {10, 15}, bfloatFormat = {7, 127};

bool isSame(Bits a, Bits b, const Format& format) {
    return a == b || (std::isnan(format.value(a)) && std::isnan(format.value(b)));
}

__host__ __device__ __half fromBits(Bits bits, __half*) {
    return __ushort_as_half(bits);
}
__host__ __device__ __hip_bfloat16 fromBits(Bits bits, __hip_bfloat16*) {
    return __ushort_as_bfloat16(bits);
}
__host__ __device__ Bits toBits(__half x) {
    return __half_as_ushort(x);
}
__host__ __device__ Bits toBits(__hip_bfloat16 x) {
    return __bfloat16_as_ushort(x);
}
__host__ __device__ __half2 pairOf(__half a, __half b) {
    return __halves2half2(a, b);
}
__host__ __device__ __hip_bfloat162 pairOf(__hip_bfloat16 a, __hip_bfloat16 b) {
    return __halves2bfloat162(a, b);
}

enum {
    add,
    sub,
    mul,
    mulAdd,
    addPair,
    subPair,
    mulPair,
    most,
    least,
    unequal,
    unequalUnordered,
    magnitude,
    kinds,
    operators,
    results
};

template<class T>
__host__ __device__ void operate(const Bits* in, int count, int i, Bits* out) {
    const T a = fromBits(in[i], static_cast<T*>(nullptr)), b = fromBits(in[count + i], static_cast<T*>(nullptr)),
            c = fromBits(in[2 * count + i], static_cast<T*>(nullptr));
    Bits* const own = out + i * results;
    own[add] = toBits(__hadd_rn(a, b));
    own[sub] = toBits(__hsub_rn(a, b));
    own[mul] = toBits(__hmul_rn(a, b));
    own[mulAdd] = toBits(__hadd_rn(__hmul_rn(a, b), c));
    const auto pair = pairOf(c, a), other = pairOf(a, b);
    own[addPair] = toBits(__hadd2_rn(pair, other).y);
    own[subPair] = toBits(__hsub2_rn(pair, other).x);
    own[mulPair] = toBits(__hmul2_rn(pair, other).y);
    own[most] = toBits(__hmax(a, b));
    own[least] = toBits(__hmin(a, b));
    own[unequal] = __hbne2(pair, pairOf(c, b));
    own[unequalUnordered] = __hbneu2(pair, pairOf(c, b));
    own[magnitude] = toBits(__habs2(pairOf(c, a)).x) & (toBits(__habs(c)) | 0x8000);
    own[kinds] = static_cast<int>(static_cast<float>(__hisnan2(pair).y)) + 2 * __hisnan(b) + 4 * (__hisinf(a) != 0) +
                 8 * __hlt(a, b) + 16 * (a < b) + 32 * (static_cast<int>(T(3)) == 3);
    T sum = a / b;
    sum += -b;
    own[operators] = toBits(sum);
}
template<class T>
__global__ void arithmetic(const Bits* in, int count, Bits* out) {
    operate<T>(in, count, blockIdx.x * blockDim.x + threadIdx.x, out);
}

template<class T>
void checkArithmetic(const char* what, const Format& format, const std::vector<Bits>& in, bool eitherUnordered) {
    const int count = static_cast<int>(in.size() / 3);
    const Device<Bits> codes(in);
    Device<Bits> out(count * results);
    arithmetic<T><<<count / 64, 64>>>(codes.get(), count, out.get());
    const auto got = out.read();
    std::vector<Bits> host(got.size());
    Bits* const onHost = host.data();
    bool ok = true, sameOnHost = true;
    for (int i = 0; i < count; ++i) {
        const double a = format.value(in[i]), b = format.value(in[count + i]), c = format.value(in[2 * count + i]);
        const Bits* const own = got.data() + i * results;
        Bits expected[results] = {};
        expected[add] = expected[addPair] = format.nearest(a + b);
        expected[sub] = format.nearest(a - b);
        expected[mul] = expected[mulPair] = format.nearest(a * b);
        expected[mulAdd] = format.nearest(format.value(expected[mul]) + c);
        expected[subPair] = format.nearest(c - a);
        expected[most] = format.nearest(std::isnan(a) || b > a ? b : a);
        expected[least] = format.nearest(std::isnan(a) || b < a ? b : a);
        // The first halves are equal, if they are numbers.
        expected[unequal] = c != c && a != b;
        expected[unequalUnordered] = eitherUnordered ? c != c || a != b : c != c && a != b;
        expected[magnitude] = static_cast<Bits>(in[2 * count + i] & 0x7fff);
        expected[kinds] = (a != a) + 2 * (b != b) + 4 * std::isinf(a) + 24 * (a < b) + 32;
        expected[operators] = format.nearest(format.value(format.nearest(a / b)) - b);
        operate<T>(in.data(), count, i, onHost);
        for (int k = 0; k < results; ++k) {
            const bool isCode = k < unequal || k == operators;
            sameOnHost = sameOnHost &&
                         (isCode ? isSame(onHost[i * results + k], own[k], format) : onHost[i * results + k] == own[k]);
            // Which zero is the larger one is not said.
            const bool isZero = (k == most || k == least) && a == 0 && b == 0;
            if (!isZero && (isCode ? !isSame(own[k], expected[k], format) : own[k] != expected[k])) {
                std::printf("%s %d: %04x %04x %04x gives %04x, not %04x\n", what, k, in[i], in[count + i],
                            in[2 * count + i], own[k], expected[k]);
                ok = false;
            }
        }
    }
    expect(what, ok);
    expect("the same on the host", sameOnHost);
}

template<class T>
__global__ void updates(T* sums, Bits* seen) {
    // An odd number of them: the last one has no neighbour in memory.
    const T one = fromBits(sizeof(seen) == 8 ? toBits(T(1.0f)) : Bits{}, static_cast<T*>(nullptr));
    const T before = unsafeAtomicAdd(&sums[threadIdx.x % 3], one);
    seen[blockIdx.x * blockDim.x + threadIdx.x] = toBits(before);
}

template<class T>
void checkUpdates(const char* what, const Format& format) {
    Device<T> sums(3);
    Device<Bits> seen(2 * 96);
    updates<<<2, 96>>>(sums.get(), seen.get());
    const std::vector<T> read = sums.read();
    Bits bits[3];
    std::memcpy(bits, read.data(), sizeof bits);
    std::array<int, 64> times = {};
    for (const Bits one : seen.read()) {
        ++times[static_cast<std::size_t>(format.value(one))];
    }
    bool ok = true;
    for (const Bits one : bits) {
        ok = ok && format.value(one) == 64;
    }
    for (const int one : times) {
        ok = ok && one == 3; // each sum was seen once by each of the three
    }
    expect(what, ok);
}

__global__ void compilersOwn(const float* in, float* out) {
    const int i = threadIdx.x;
    const __bf16 own = __hip_bfloat16(in[i]);
    const __hip_bfloat16 back = own;
    const __bf16_2 pair = __hip_bfloat162(back, __hip_bfloat16(2.0f));
    const __hip_bfloat162 both = pair;
    out[i] = static_cast<float>(both.x) + 1000 * __bfloat162float(both.y) + static_cast<int>(back);
}

int main() {
    std::mt19937 random(3);
    std::vector<Bits> in(3 * 4096);
    const auto fill = [&](const Format& format) {
        const int one = format.bias << format.mantissaBits;
        for (std::size_t i = 0; i < in.size(); ++i) {
            // Any code, or one near 1 so that sums and products round.
            in[i] = static_cast<Bits>(i % 3 == 0 ? random() : one + random() % (4 << format.mantissaBits));
            in[i] = static_cast<Bits>(i % 8 == 0 ? in[i] | 0x8000 : in[i]);
        }
        for (std::size_t i = 0; i < 64; ++i) { // equal ones, and NaN on either side
            in[4096 + i] = in[i];
            in[i + (i % 2) * 4096] = static_cast<Bits>(i % 5 == 0 ? 0x7fff : in[i]);
            in[8192 + i] = static_cast<Bits>(i % 3 == 0 ? 0x7fff : in[8192 + i]);
        }
    };
    fill(halfFormat);
    checkArithmetic<__half>("half, each rounded", halfFormat, in, false);
    fill(bfloatFormat);
    checkArithmetic<__hip_bfloat16>("bf16, each rounded", bfloatFormat, in, true);
    checkUpdates<__half>("updates of one half", halfFormat);
    checkUpdates<__hip_bfloat16>("updates of one bf16", bfloatFormat);

    std::vector<float> values(64);
    for (int i = 0; i < 64; ++i) {
        values[i] = static_cast<float>(i) - 20.5f;
    }
    const Device<float> numbers(values);
    Device<float> out(64);
    compilersOwn<<<1, 64>>>(numbers.get(), out.get());
    const auto got = out.read();
    bool ok = true;
    for (int i = 0; i < 64; ++i) {
        ok = ok && got[i] == values[i] + 2000 + static_cast<int>(values[i]);
    }
    expect("the compiler's own bf16", ok);
    return verdict();
}
