// SPDX-License-Identifier: GPL-3.0-or-later
// Integer and packed intrinsics, clocks.
#include "check.h"

#include <tuple>

typedef _Float16 halfx2 __attribute__((ext_vector_type(2)));

struct Results {
    int popc, clz, ffs;
    unsigned brev, mulhi, perm, bytePerm;
    int mul24, sad, usad;
    unsigned long long clz64;
};

__global__ void bits(Results* out) {
    const unsigned t = threadIdx.x * 2654435761u + 12345u;
    Results r;
    r.popc = __popc(t);
    r.clz = __clz(static_cast<int>(t | 1));
    r.ffs = __ffs(static_cast<int>(t));
    r.brev = __brev(t);
    r.mulhi = __umulhi(t, t);
    r.perm = __builtin_amdgcn_perm(t, ~t, 0x07020500u);
    r.bytePerm = __byte_perm(t, ~t, 0x5410);
    r.mul24 = __mul24(static_cast<int>(threadIdx.x) - 32, 1000);
    r.sad = static_cast<int>(__sad(3, 10, 5u));
    r.usad = static_cast<int>(__usad(10u, ~0u, 7u));
    r.clz64 = static_cast<unsigned long long>(__clzll(static_cast<long long>(t)));
    out[threadIdx.x] = r;
}

__global__ void packed(float* out) {
    const halfx2 a = {static_cast<_Float16>(threadIdx.x), static_cast<_Float16>(2)};
    const halfx2 b = {static_cast<_Float16>(0.5f), static_cast<_Float16>(1)};
    const float dot = __builtin_amdgcn_fdot2(a, b, 1.0f, false);
    const auto rounded = __builtin_amdgcn_cvt_pkrtz(dot, 2.5f);
    out[threadIdx.x] = dot + static_cast<float>(rounded[0]) + static_cast<float>(rounded[1]);
}

__global__ void clocks(long long* out) {
    const long long begin = clock64(), wall = wall_clock64();
    out[0] = begin != 0 && wall != 0 && clock64() >= begin;
}

struct Whole {
    int i, fromFloat;
    unsigned u, uFromFloat;
    long long l;
    unsigned char byte;
    short two;
    auto all() const { return std::make_tuple(i, fromFloat, u, uFromFloat, l, byte, two); }
};

__global__ void wholeNumbers(const double* x, Whole* out, int n) {
    if (threadIdx.x < n) {
        const double d = x[threadIdx.x];
        const float f = static_cast<float>(d);
        out[threadIdx.x] = {static_cast<int>(d),       static_cast<int>(f),           static_cast<unsigned>(d), static_cast<unsigned>(f),
                            static_cast<long long>(d), static_cast<unsigned char>(f), static_cast<short>(f)};
    }
}

// What is out of range is the nearest number of 32 bits or more, of which narrower types take the lower bits.
Whole whole(double x) {
    const auto within = [&](double least, double most) { return std::isnan(x) ? 0 : std::fmin(std::fmax(x, least), most); };
    const int i = static_cast<int>(within(-0x1p31, 0x1p31 - 1));
    const unsigned u = static_cast<unsigned>(within(0, 0x1p32 - 1));
    const long long l = x >= 0x1p63 ? 0x7fffffffffffffff : static_cast<long long>(within(-0x1p63, 0x1p62));
    return {i, i, u, u, l, static_cast<unsigned char>(u), static_cast<short>(i)};
}

int main() {
    Device<Results> dr(64);
    bits<<<1, 64>>>(dr.get());
    const auto results = dr.read();
    bool counts = true, moves = true, products = true;
    for (unsigned i = 0; i < 64; ++i) {
        const unsigned t = i * 2654435761u + 12345u;
        const Results& r = results[i];
        unsigned reversed = 0;
        for (int b = 0; b < 32; ++b) {
            reversed |= ((t >> b) & 1u) << (31 - b);
        }
        counts = counts && r.popc == __builtin_popcount(t) && r.clz == __builtin_clz(t | 1) && r.ffs == __builtin_ffs(static_cast<int>(t)) &&
                 r.clz64 == static_cast<unsigned long long>(__builtin_clzll(t));
        const unsigned s = ~t;
        const auto byte = [&](unsigned selector) { return ((selector < 4 ? s >> (8 * selector) : t >> (8 * (selector - 4))) & 255u); };
        const unsigned perm = byte(0) | (byte(5) << 8) | (byte(2) << 16) | (byte(7) << 24);
        moves = moves && r.brev == reversed && r.perm == perm &&
                r.bytePerm == ((t & 0xffffu) | ((s & 0xffffu) << 16));
        products = products && r.mulhi == static_cast<unsigned>((static_cast<unsigned long long>(t) * t) >> 32) &&
                   r.mul24 == (static_cast<int>(i) - 32) * 1000 && r.usad == -4 && r.sad == 12;
    }
    expect("counting bits", counts);
    expect("moving bits and bytes", moves);
    expect("products and differences", products);
    Device<float> df(64);
    packed<<<1, 64>>>(df.get());
    const auto f = df.read();
    bool ok = true;
    for (int i = 0; i < 64; ++i) {
        ok = ok && f[i] == 2 * (i * .5f + 3) + 2.5f;
    }
    expect("fdot2 and cvt_pkrtz", ok);
    Device<long long> dl(1);
    clocks<<<1, 1>>>(dl.get());
    expect("clocks", dl.read()[0] == 1);
    const std::vector<double> numbers = {0,       -1.5,     300.75,    -300.75,    70000,      -70000, 0x1p31, 0x1p32, 5e9,
                                         -5e9,    0x1p40,   -0x1p40,   1e19,       -1e19,      NAN,    INFINITY, -INFINITY};
    const Device<double> dn(numbers);
    Device<Whole> dw(numbers.size());
    wholeNumbers<<<1, 64>>>(dn.get(), dw.get(), static_cast<int>(numbers.size()));
    const auto w = dw.read();
    bool areWhole = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        areWhole = areWhole && w[i].all() == whole(numbers[i]).all();
    }
    expect("floats that no integer holds", areWhole);
    return verdict();
}
