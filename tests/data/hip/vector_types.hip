// SPDX-License-Identifier: GPL-3.0-or-later
// HIP's vectors: copied as their bytes are, so that a union may hold them; their operators, each against numbers by
// themselves on the host.
#include "check.h"

#include <cstdint>
#include <type_traits>

// As kernels read eight halves at once.
union Words {
    float f[4];
    float2 pairs[2];
    float4 four;
    double2 wide;
};
static_assert(std::is_trivially_copyable_v<Words> && std::is_trivially_copyable_v<float3> &&
              std::is_trivially_default_constructible_v<uint4> && sizeof(uchar3) == 3 && alignof(float4) == 16);
static_assert(std::is_same_v<decltype(make_ulonglong2(1, 2).x), unsigned long long>);

struct Turns { // what turns into a vector
    __host__ __device__ operator float2() const { return make_float2(1.5f, 2); }
};

// Of each place a number, in the order of the formulas.
constexpr int formulas = 13;
template<class V, class T>
__host__ __device__ void calculate(V a, V b, T s, T* out, int rank) {
    const auto put = [&](int formula, const V& value) {
        for (int i = 0; i < rank; ++i) {
            out[formula * 4 + i] = value.data[i];
        }
    };
    put(0, a + b * s);
    put(1, a - b);
    put(2, s * a / b);
    if constexpr (std::is_signed_v<T>) {
        put(3, -a + s);
    } else {
        put(3, s - a);
    }
    V c = a;
    c += b;
    c -= s;
    c *= b;
    c /= s;
    put(4, c);
    put(5, c++);
    put(6, --c);
    put(7, V(s));
    if constexpr (std::is_integral_v<T>) {
        put(8, (a & b) | (~a ^ s));
        put(9, (a << s) >> V(1));
        put(10, a % b);
        c %= b;
        c <<= V(2);
        put(11, c);
    }
    out[12 * 4] = a == b;
    out[12 * 4 + 1] = a != a;
    out[12 * 4 + 2] = V(s) == s;
    out[12 * 4 + 3] = s != b;
}
template<class T>
void expected(T a, T b, T s, T* out, int i) {
    T c = (a + b - s) * b / s;
    const T values[] = {T(a + b * s), T(a - b), T(s * a / b), T(s - a), c, c, c, s};
    for (int k = 0; k < 8; ++k) {
        out[4 * k + i] = values[k];
    }
    if constexpr (std::is_integral_v<T>) {
        const T more[] = {T((a & b) | (~a ^ s)), T((a << s) >> 1), T(a % b), T((c % b) << 2)};
        for (int k = 0; k < 4; ++k) {
            out[4 * (8 + k) + i] = more[k];
        }
    }
}

template<class V, class T>
__global__ void onDevice(const T* in, T* out, int rank) {
    V a, b;
    for (int i = 0; i < rank; ++i) {
        a.data[i] = in[i];
        b.data[i] = in[4 + i];
    }
    calculate(a, b, in[8], out, rank);
}

template<class V, class T>
void check(const char* what, int rank) {
    const std::vector<T> in = {12, 5, 40, 7, 3, 2, 2, 5, 2};
    const Device<T> numbers(in);
    Device<T> out(4 * formulas);
    onDevice<V, T><<<1, 1>>>(numbers.get(), out.get(), rank);
    std::vector<T> right(4 * formulas), host(4 * formulas);
    V a, b;
    for (int i = 0; i < rank; ++i) {
        expected<T>(in[i], in[4 + i], in[8], right.data(), i);
        a.data[i] = in[i];
        b.data[i] = in[4 + i];
    }
    right[12 * 4 + 2] = right[12 * 4 + 3] = 1;
    calculate(a, b, in[8], host.data(), rank);
    expect(what, out.read() == right && host == right);
}

__global__ void throughUnions(const Words* in, Words* out) {
    __shared__ Words row[64];
    Words own[2];
    row[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    own[0] = row[63 - threadIdx.x];
    own[1] = own[0];
    own[1].pairs[1] = own[0].pairs[0] * Turns();
    out[threadIdx.x] = own[1];
}

int main() {
    check<float1, float>("one float", 1);
    check<float2, float>("two floats", 2);
    check<float3, float>("three floats", 3);
    check<float4, float>("four floats", 4);
    check<double3, double>("three doubles", 3);
    check<int2, int>("two integers", 2);
    check<uint4, unsigned>("four integers", 4);
    check<longlong3, long long>("three wide integers", 3);
    check<short4, short>("four short ones", 4);
    check<uchar3, unsigned char>("three bytes", 3);

    std::vector<Words> in(64);
    for (int i = 0; i < 64; ++i) {
        in[i].four = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
    }
    const Device<Words> words(in);
    Device<Words> out(64);
    throughUnions<<<1, 64>>>(words.get(), out.get());
    const auto got = out.read();
    bool ok = true;
    for (int i = 0; i < 64; ++i) {
        const float first = 63 - i;
        ok = ok && got[i].f[0] == first && got[i].f[1] == first + 0.25f && got[i].f[2] == 1.5f * first &&
             got[i].f[3] == 2 * (first + 0.25f);
    }
    expect("vectors in a union", ok);
    return verdict();
}
