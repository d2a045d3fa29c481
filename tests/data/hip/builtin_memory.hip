// SPDX-License-Identifier: GPL-3.0-or-later
// Builtins of masks of the wave, places in the grid, atomics of floats in each memory, and buffers of every width.
#include "check.h"

#include <algorithm>
#include <cstdint>

using Word = std::uint32_t;
using Wide = std::uint64_t;
typedef _Float16 Halves __attribute__((ext_vector_type(2)));
typedef short Shorts __attribute__((ext_vector_type(2)));
typedef unsigned Words2 __attribute__((ext_vector_type(2)));
typedef unsigned Words3 __attribute__((ext_vector_type(3)));
typedef unsigned Words4 __attribute__((ext_vector_type(4)));
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

constexpr int threads = 64;

constexpr int maskResults = 9;
__global__ void masks(const int* a, const int* b, Wide* out) {
    const int x = a[threadIdx.x], y = b[threadIdx.x];
    enum { equal = 32, less = 36, lessSigned = 40, lessFloat = 4 }; // LLVM's predicates
    const Wide results[maskResults] = {__builtin_amdgcn_uicmp(static_cast<Word>(x), static_cast<Word>(y), less),
                                       __builtin_amdgcn_sicmp(x, y, lessSigned),
                                       __builtin_amdgcn_uicmpl(static_cast<Wide>(x), static_cast<Wide>(y), equal),
                                       __builtin_amdgcn_sicmpl(x, y, lessSigned),
                                       __builtin_amdgcn_fcmpf(static_cast<float>(x), static_cast<float>(y), lessFloat),
                                       __builtin_amdgcn_fcmp(x, y, lessFloat),
                                       __builtin_amdgcn_ballot_w64(x % 3 == 0),
                                       __builtin_amdgcn_read_exec(),
                                       Wide{__builtin_amdgcn_read_exec_hi()} << 32 | __builtin_amdgcn_read_exec_lo()};
    for (int k = 0; k < maskResults; ++k) {
        out[threadIdx.x * maskResults + k] = results[k];
    }
}

void checkMasks() {
    std::vector<int> a(threads), b(threads);
    Wide expected[maskResults] = {};
    for (int i = 0; i < threads; ++i) {
        a[i] = i * 7 % 23 - 11;
        b[i] = i * 5 % 19 - 9;
        const bool bits[] = {static_cast<Word>(a[i]) < static_cast<Word>(b[i]),
                             a[i] < b[i],
                             a[i] == b[i],
                             a[i] < b[i],
                             a[i] < b[i],
                             a[i] < b[i],
                             a[i] % 3 == 0,
                             true,
                             true};
        for (int k = 0; k < maskResults; ++k) {
            expected[k] |= Wide{bits[k]} << i;
        }
    }
    Device<int> da(a), db(b);
    Device<Wide> out(threads * maskResults);
    masks<<<1, threads>>>(da.get(), db.get(), out.get());
    const auto got = out.read();
    bool isRight = true;
    for (std::size_t i = 0; i < got.size(); ++i) {
        isRight = isRight && got[i] == expected[i % maskResults];
    }
    expect("masks of the wave", isRight);
}

__global__ void places(Word* out) {
    __shared__ Word lds[24];
    lds[0] = 0;
    const Word i = (__builtin_amdgcn_workgroup_id_z() * 2 + __builtin_amdgcn_workgroup_id_y()) * 3 +
                   __builtin_amdgcn_workgroup_id_x();
    const Word thread = (__builtin_amdgcn_workitem_id_z() * 2 + __builtin_amdgcn_workitem_id_y()) * 8 +
                        __builtin_amdgcn_workitem_id_x();
    out[i * 64 + thread] =
        __builtin_amdgcn_grid_size_x() + 100 * __builtin_amdgcn_grid_size_y() + 10000 * __builtin_amdgcn_grid_size_z() +
        1000000u * (__builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workgroup_size_y() +
                    __builtin_amdgcn_workgroup_size_z()) +
        (__builtin_amdgcn_wavefrontsize() == 64 ? 0 : 1) + lds[0] + (__builtin_amdgcn_groupstaticsize() < 96 ? 5 : 0);
}

// Each thread adds and compares; what comes out is the same in whatever order they come.
struct Atomics {
    float sum;
    float flatSum;
    double wideSum, wideLeast, wideMost, flatWideSum, flatLeast, flatMost;
    Halves halves, flatHalves;
    Shorts bfloats, flatBfloats;
    Word turned;
    Word down;
    Wide wideTurned, wideDown;
};
__global__ void atomics(Atomics* x, Atomics* ofLds) {
    __shared__ float sum, least, most, added;
    __shared__ double wide;
    __shared__ Halves halves;
    __shared__ Shorts bfloats;
    if (threadIdx.x == 0) {
        sum = added = 0;
        least = most = 5;
        wide = 0;
        halves = Halves{0, 0};
        bfloats = Shorts{0, 0};
    }
    __syncthreads();
    const float v = static_cast<float>(threadIdx.x % 8);
    const double w = v; // the builtins take what they are given for the type that they are of
    const Halves pair = {static_cast<_Float16>(v), static_cast<_Float16>(1)};
    const Shorts bfloatPair = {0x3f80, 0x4000}; // 1 and 2
    __builtin_amdgcn_global_atomic_fadd_f32((GLOBAL float*)&x->sum, v);
    __builtin_amdgcn_flat_atomic_fadd_f32(&x->flatSum, v);
    __builtin_amdgcn_global_atomic_fadd_f64((GLOBAL double*)&x->wideSum, w);
    __builtin_amdgcn_global_atomic_fmin_f64((GLOBAL double*)&x->wideLeast, w - 3);
    __builtin_amdgcn_global_atomic_fmax_f64((GLOBAL double*)&x->wideMost, w + 3);
    __builtin_amdgcn_flat_atomic_fadd_f64(&x->flatWideSum, w);
    __builtin_amdgcn_flat_atomic_fmin_f64(&x->flatLeast, w - 4);
    __builtin_amdgcn_flat_atomic_fmax_f64(&x->flatMost, w + 4);
    __builtin_amdgcn_global_atomic_fadd_v2f16((GLOBAL Halves*)&x->halves, pair);
    __builtin_amdgcn_flat_atomic_fadd_v2f16(&x->flatHalves, pair);
    __builtin_amdgcn_global_atomic_fadd_v2bf16((GLOBAL Shorts*)&x->bfloats, bfloatPair);
    __builtin_amdgcn_flat_atomic_fadd_v2bf16(&x->flatBfloats, bfloatPair);
    __builtin_amdgcn_atomic_inc32(&x->turned, 9, __ATOMIC_RELAXED, "agent"); // 0 .. 9 and again
    __builtin_amdgcn_atomic_dec32(&x->down, 6, __ATOMIC_RELAXED, "agent");   // 6 .. 0 and again
    __builtin_amdgcn_atomic_inc64(&x->wideTurned, 100, __ATOMIC_RELAXED, "agent");
    __builtin_amdgcn_atomic_dec64(&x->wideDown, 50, __ATOMIC_RELAXED, "agent");
    __builtin_amdgcn_ds_atomic_fadd_f32((LDS float*)&sum, v);
    __builtin_amdgcn_ds_atomic_fadd_f64((LDS double*)&wide, w);
    __builtin_amdgcn_ds_atomic_fadd_v2f16((LDS Halves*)&halves, pair);
    __builtin_amdgcn_ds_atomic_fadd_v2bf16((LDS Shorts*)&bfloats, bfloatPair);
    __builtin_amdgcn_ds_faddf((LDS float*)&added, v, 0, 0, false);
    __builtin_amdgcn_ds_fminf((LDS float*)&least, v - 2, 0, 0, false);
    __builtin_amdgcn_ds_fmaxf((LDS float*)&most, v + 2, 0, 0, false);
    __syncthreads();
    if (threadIdx.x == 0) {
        ofLds->sum = sum;
        ofLds->flatSum = added;
        ofLds->wideLeast = least;
        ofLds->wideMost = most;
        ofLds->wideSum = wide;
        ofLds->halves = halves;
        ofLds->bfloats = bfloats;
    }
}

void checkAtomics() {
    Device<Atomics> x(1), lds(1);
    atomics<<<1, threads>>>(x.get(), lds.get());
    const Atomics got = x.read()[0], inLds = lds.read()[0];
    constexpr int sum = 8 * 28; // of eight rounds
    const auto isPair = [](Halves pair) { return static_cast<int>(pair.x) == sum && static_cast<int>(pair.y) == 64; };
    const auto isBfloats = [](Shorts pair) { return pair.x == 0x4280 && pair.y == 0x4300; }; // 64 and 128
    expect("atomics of global memory", got.sum == sum && got.wideSum == sum && got.wideLeast == -3 &&
                                           got.wideMost == 10 && isPair(got.halves) && isBfloats(got.bfloats));
    expect("atomics of any memory", got.flatSum == sum && got.flatWideSum == sum && got.flatLeast == -4 &&
                                        got.flatMost == 11 && isPair(got.flatHalves) && isBfloats(got.flatBfloats));
    expect("atomics of LDS", inLds.sum == sum && inLds.flatSum == sum && inLds.wideSum == sum &&
                                 inLds.wideLeast == -2 && inLds.wideMost == 9 && isPair(inLds.halves) &&
                                 isBfloats(inLds.bfloats));
    // 64 steps up of 10, down of 7 from 0, up of 101, down of 51.
    expect("counters", got.turned == 64 % 10 && got.down == (7 - 64 % 7) % 7 && got.wideTurned == 64 &&
                           got.wideDown == (51 - 64 % 51) % 51);
}

// Of 64 bytes, or of 60 where the last one is not whole.
__global__ void buffers(unsigned char* from, unsigned char* to, int bytes) {
    const auto source = __builtin_amdgcn_make_buffer_rsrc(from, static_cast<short>(0), bytes, 0x27000);
    const auto target = __builtin_amdgcn_make_buffer_rsrc(to, static_cast<short>(0), bytes * 6, 0x27000);
    const int i = static_cast<int>(threadIdx.x);
    const unsigned char one = __builtin_amdgcn_raw_buffer_load_b8(source, i, 0, 0);
    __builtin_amdgcn_raw_buffer_store_b8(one, target, i, 0, 0);
    if (i < 32) {
        const unsigned short two = __builtin_amdgcn_raw_buffer_load_b16(source, i * 2, 0, 0);
        __builtin_amdgcn_raw_buffer_store_b16(two, target, i * 2, bytes, 0);
    }
    if (i < 16) {
        const Word four = __builtin_amdgcn_raw_buffer_load_b32(source, i * 4, 0, 0);
        __builtin_amdgcn_raw_buffer_store_b32(four, target, i * 4, 2 * bytes, 0);
    }
    if (i < 8) {
        const Words2 eight = __builtin_amdgcn_raw_buffer_load_b64(source, i * 8, 0, 0);
        __builtin_amdgcn_raw_buffer_store_b64(eight, target, i * 8, 3 * bytes, 0);
    }
    if (i < 5) {
        const Words3 twelve = __builtin_amdgcn_raw_buffer_load_b96(source, i * 12, 0, 0);
        __builtin_amdgcn_raw_buffer_store_b96(twelve, target, i * 12, 4 * bytes, 0);
    }
    if (i < 4) {
        const Words4 all = __builtin_amdgcn_raw_buffer_load_b128(source, i * 16, 0, 0);
        __builtin_amdgcn_raw_buffer_store_b128(all, target, i * 16, 5 * bytes, 0);
    }
}

void checkBuffers() {
    constexpr int bytes = 64;
    std::vector<unsigned char> from(bytes);
    for (int i = 0; i < bytes; ++i) {
        from[i] = static_cast<unsigned char>(i * 37 + 11);
    }
    Device<unsigned char> dFrom(from), to(bytes * 6);
    buffers<<<1, threads>>>(dFrom.get(), to.get(), bytes);
    const auto got = to.read();
    for (int part = 0; part < 6; ++part) {
        const int whole = part == 4 ? 60 : bytes;
        expect("a buffer", std::equal(from.begin(), from.begin() + whole, got.begin() + part * bytes));
    }
}

// The steps of a division of doubles.
__global__ void divides(const double* a, const double* b, double* out) {
    const double x = a[threadIdx.x], y = b[threadIdx.x];
    bool flag = false, unused = false;
    const double denominator = __builtin_amdgcn_div_scale(x, y, false, &unused);
    const double numerator = __builtin_amdgcn_div_scale(x, y, true, &flag);
    double guess = __builtin_amdgcn_rcp(denominator);
    for (int i = 0; i < 2; ++i) {
        guess = __builtin_fma(__builtin_fma(-denominator, guess, 1.0), guess, guess);
    }
    const double quotient = numerator * guess;
    const double rest = __builtin_fma(-denominator, quotient, numerator);
    out[threadIdx.x] = __builtin_amdgcn_div_fixup(__builtin_amdgcn_div_fmas(rest, guess, quotient, flag), y, x);
}

int main() {
    checkMasks();
    {
        Device<Word> out(12 * 32);
        places<<<dim3(3, 2, 1), dim3(8, 2, 2)>>>(out.get());
        const auto got = out.read();
        bool isRight = true;
        for (int block = 0; block < 6; ++block) {
            for (int thread = 0; thread < 32; ++thread) {
                isRight = isRight && got[block * 64 + thread] == 24 + 400 + 20000 + 12000000;
            }
        }
        expect("places in the grid", isRight);
    }
    checkAtomics();
    checkBuffers();
    {
        std::vector<double> a(threads), b(threads), expected(threads);
        for (int i = 0; i < threads; ++i) {
            a[i] = std::ldexp(1 + i * 0.37, (i - 32) * 30);
            b[i] = std::ldexp(3 + i * 0.11, (i % 5 - 2) * 40) * (i % 2 ? -1 : 1);
            expected[i] = a[i] / b[i];
        }
        b[3] = 0;
        expected[3] = a[3] / b[3];
        Device<double> da(a), db(b), out(threads);
        divides<<<1, threads>>>(da.get(), db.get(), out.get());
        expect("a division of doubles", out.read() == expected);
    }
    return verdict();
}
