// SPDX-License-Identifier: GPL-3.0-or-later
// What gfx950 adds beside matrices and conversions: swaps of rows, transposed reads of LDS, wide loads into it, bits.
#include "../check.h"
#include "ocp.h"

#include <cstring>

typedef int intx2 __attribute__((ext_vector_type(2)));
typedef int intx3 __attribute__((ext_vector_type(3)));
typedef unsigned uintx2 __attribute__((ext_vector_type(2)));
typedef short shortx2 __attribute__((ext_vector_type(2)));
typedef short shortx4 __attribute__((ext_vector_type(4)));
typedef _Float16 halfx4 __attribute__((ext_vector_type(4)));
typedef __bf16 bfloatx2 __attribute__((ext_vector_type(2)));
typedef __bf16 bfloatx4 __attribute__((ext_vector_type(4)));
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

__global__ void swaps(unsigned* out) {
    const unsigned lane = threadIdx.x % 64;
    const uintx2 by16 = __builtin_amdgcn_permlane16_swap(100 + lane, 200 + lane, false, false);
    const uintx2 by32 = __builtin_amdgcn_permlane32_swap(100 + lane, 200 + lane, false, false);
    unsigned* o = out + threadIdx.x * 8;
    o[0] = by16[0];
    o[1] = by16[1];
    o[2] = by32[0];
    o[3] = by32[1];
    // A sum over the wave, as softmax kernels have it.
    float sum = static_cast<float>(threadIdx.x);
    for (int step = 1; step < 16; step *= 2) {
        sum += __shfl_xor(sum, step);
    }
    uintx2 halves = __builtin_amdgcn_permlane16_swap(__builtin_bit_cast(unsigned, sum), __builtin_bit_cast(unsigned, sum), false, false);
    sum = __builtin_bit_cast(float, static_cast<unsigned>(halves[0])) + __builtin_bit_cast(float, static_cast<unsigned>(halves[1]));
    halves = __builtin_amdgcn_permlane32_swap(__builtin_bit_cast(unsigned, sum), __builtin_bit_cast(unsigned, sum), false, false);
    sum = __builtin_bit_cast(float, static_cast<unsigned>(halves[0])) + __builtin_bit_cast(float, static_cast<unsigned>(halves[1]));
    o[4] = static_cast<unsigned>(sum);
    if (lane < 20) { // lanes 0 to 3 have a partner, those from 4 on none
        const uintx2 few = __builtin_amdgcn_permlane16_swap(100 + lane, 200 + lane, false, false);
        const uintx2 none = __builtin_amdgcn_permlane32_swap(100 + lane, 200 + lane, false, true);
        o[5] = few[0];
        o[6] = few[1];
        o[7] = none[1];
    }
}

// A tile of 64 columns lies in LDS row by row. 16 lanes read 16 columns of as many rows as a lane has elements; group g
// those of the columns 16 g and up.
constexpr int columns = 64;
template<int bits> struct Tile { // rows of 64 elements, packed
    static constexpr int ofLane = bits == 6 ? 16 : 64 / bits;
    static constexpr int rowBytes = columns * bits / 8 + (bits == 6 ? 16 : 0); // each 16 columns of 6 bits begin at 16 bytes
    static constexpr int rows = ofLane;
    static constexpr int groupBytes = bits == 6 ? 16 : 16 * bits / 8;
};
template<int bits> __device__ int laneOffset() {
    constexpr int lanesOfRow = 16 / Tile<bits>::ofLane;
    const int inGroup = threadIdx.x % 16;
    return inGroup / lanesOfRow * Tile<bits>::rowBytes + threadIdx.x / 16 * Tile<bits>::groupBytes + inGroup % lanesOfRow * 8;
}
template<int bits> __global__ void transposed(const unsigned char* tile, unsigned* out) {
    __shared__ __align__(16) unsigned char lds[Tile<bits>::rows * Tile<bits>::rowBytes];
    for (unsigned i = threadIdx.x; i < sizeof lds; i += 64) {
        lds[i] = tile[i];
    }
    __syncthreads();
    LDS unsigned char* from = (LDS unsigned char*)lds + laneOffset<bits>();
    unsigned* o = out + threadIdx.x * 4;
    if constexpr (bits == 4) {
        const intx2 got = __builtin_amdgcn_ds_read_tr4_b64_v2i32((LDS intx2*)from);
        __builtin_memcpy(o, &got, 8);
    } else if constexpr (bits == 6) {
        const intx3 got = __builtin_amdgcn_ds_read_tr6_b96_v3i32((LDS intx3*)from);
        __builtin_memcpy(o, &got, 12);
    } else if constexpr (bits == 8) {
        const intx2 got = __builtin_amdgcn_ds_read_tr8_b64_v2i32((LDS intx2*)from);
        __builtin_memcpy(o, &got, 8);
    } else {
        const shortx4 words = __builtin_amdgcn_ds_read_tr16_b64_v4i16((LDS shortx4*)from);
        const halfx4 halves = __builtin_amdgcn_ds_read_tr16_b64_v4f16((LDS halfx4*)from);
        const bfloatx4 bfloats = __builtin_amdgcn_ds_read_tr16_b64_v4bf16((LDS bfloatx4*)from);
        __builtin_memcpy(o, &words, 8);
        const auto asLong = [](auto vector) { return __builtin_bit_cast(long, vector); };
        o[2] = asLong(words) == asLong(halves) && asLong(words) == asLong(bfloats);
    }
}

template<int bits> bool transposes() {
    using T = Tile<bits>;
    std::vector<unsigned char> bytes(T::rows * T::rowBytes);
    const auto element = [](int row, int column) { return static_cast<unsigned>(row * 37 + column * 11 + row * column) & ((1u << bits) - 1); };
    for (int row = 0; row < T::rows; ++row) {
        for (int group = 0; group < 4; ++group) {
            unsigned words[8] = {};
            for (int c = 0; c < 16; ++c) {
                ocp::setElement(words, c, bits, element(row, group * 16 + c));
            }
            std::memcpy(bytes.data() + row * T::rowBytes + group * T::groupBytes, words, 16 * bits / 8);
        }
    }
    Device<unsigned char> tile(bytes);
    Device<unsigned> out(256);
    transposed<bits><<<1, 64>>>(tile.get(), out.get());
    const auto all = out.read();
    for (int lane = 0; lane < 64; ++lane) {
        for (int row = 0; row < T::rows; ++row) {
            if (ocp::element(all.data() + lane * 4, row, bits) != element(row, lane)) { // the lane's own column
                return false;
            }
        }
        if (bits == 16 && all[lane * 4 + 2] != 1) {
            return false;
        }
    }
    return true;
}

// Each wave fetches its part, 12 or 16 bytes a lane, and turns it around.
template<int bytes> __global__ void intoLds(const unsigned* in, unsigned* out) {
    constexpr int words = bytes / 4;
    __shared__ unsigned lds[256 * words];
    const int wave = threadIdx.x / 64;
    __builtin_amdgcn_global_load_lds((GLOBAL void*)(in + threadIdx.x * words), (LDS void*)(lds + wave * 64 * words), bytes, 0, 0);
    __builtin_amdgcn_s_waitcnt(0);
    __syncthreads();
    for (int i = 0; i < words; ++i) {
        out[threadIdx.x * words + i] = lds[(255 - threadIdx.x) * words + i];
    }
}
// A buffer ends amid a lane's 16 bytes.
__global__ void bufferIntoLds(unsigned* in, unsigned* out, int records) {
    __shared__ unsigned lds[256];
    for (int i = threadIdx.x; i < 256; i += 64) {
        lds[i] = 7;
    }
    __syncthreads();
    const auto buffer = __builtin_amdgcn_make_buffer_rsrc(in, 0, records, 0x00020000);
    __builtin_amdgcn_raw_ptr_buffer_load_lds(buffer, (LDS void*)lds, 16, threadIdx.x * 16, 0, 0, 0);
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        out[threadIdx.x * 4 + i] = lds[threadIdx.x * 4 + i];
    }
}

__global__ void scalars(const unsigned* in, unsigned* out) {
    const unsigned a = in[threadIdx.x], b = in[threadIdx.x + 1], c = in[threadIdx.x + 2];
    unsigned* o = out + threadIdx.x * 10;
    o[0] = __builtin_amdgcn_prng_b32(a);
    o[1] = __builtin_amdgcn_bitop3_b32(a, b, c, 0x96);
    o[2] = __builtin_amdgcn_bitop3_b32(a, b, c, 0x1b);
    o[3] = static_cast<unsigned short>(__builtin_amdgcn_bitop3_b16(a, b, c, 0xea));
    o[4] = __builtin_amdgcn_ashr_pk_i8_i32(a, b, c % 32);
    o[5] = __builtin_amdgcn_ashr_pk_u8_i32(a, b, c % 32);
    bfloatx2 x, y;
    __builtin_memcpy(&x, &a, 4);
    __builtin_memcpy(&y, &b, 4);
    shortx2 p, q;
    __builtin_memcpy(&p, &a, 4);
    __builtin_memcpy(&q, &b, 4);
    o[6] = __builtin_bit_cast(unsigned, __builtin_amdgcn_fdot2_f32_bf16(x, y, 0.5f, false));
    o[7] = __builtin_bit_cast(unsigned, __builtin_amdgcn_fdot2c_f32_bf16(x, y, 0.5f, false));
    o[8] = __builtin_bit_cast(unsigned, __builtin_amdgcn_fdot2_f32_bf16(p, q, 0.5f, true));
    o[9] = __builtin_bit_cast(unsigned, __builtin_amdgcn_fdot2_f32_bf16(p, q, 0.5f, false));
}

void lanes() {
    Device<unsigned> out(128 * 8);
    swaps<<<1, 128>>>(out.get());
    const auto all = out.read();
    bool by16 = true, by32 = true, sum = true, few = true;
    for (unsigned t = 0; t < 128; ++t) {
        const unsigned lane = t % 64, row = lane / 16;
        const unsigned* o = all.data() + t * 8;
        // Odd rows of the first operand against even rows of the second.
        by16 = by16 && o[0] == (row % 2 == 1 ? 200 + lane - 16 : 100 + lane) && o[1] == (row % 2 == 0 ? 100 + lane + 16 : 200 + lane);
        by32 = by32 && o[2] == (row >= 2 ? 200 + lane - 32 : 100 + lane) && o[3] == (row < 2 ? 100 + lane + 32 : 200 + lane);
        sum = sum && o[4] == (t < 64 ? 2016 : 6112);
        if (lane < 20) {
            few = few && o[5] == (lane >= 16 ? 200 + lane - 16 : 100 + lane) && o[6] == (lane < 4 ? 100 + lane + 16 : 200 + lane) && o[7] == 0;
        }
    }
    expect("permlane16_swap", by16);
    expect("permlane32_swap", by32);
    expect("a sum over the wave", sum);
    expect("swaps among few lanes", few);
}

template<int bytes> bool copies() {
    constexpr int words = bytes / 4;
    std::vector<unsigned> in(256 * words);
    for (unsigned i = 0; i < in.size(); ++i) {
        in[i] = i * 2654435761u;
    }
    Device<unsigned> deviceIn(in), out(in.size());
    intoLds<bytes><<<1, 256>>>(deviceIn.get(), out.get());
    const auto all = out.read();
    for (int t = 0; t < 256; ++t) {
        for (int i = 0; i < words; ++i) {
            if (all[t * words + i] != in[(255 - t) * words + i]) {
                return false;
            }
        }
    }
    return true;
}

void memory() {
    expect("ds_read_tr4", transposes<4>());
    expect("ds_read_tr6", transposes<6>());
    expect("ds_read_tr8", transposes<8>());
    expect("ds_read_tr16", transposes<16>());
    expect("global_load_lds of 4 bytes", copies<4>());
    expect("global_load_lds of 12 bytes", copies<12>());
    expect("global_load_lds of 16 bytes", copies<16>());
    std::vector<unsigned> in(256);
    for (unsigned i = 0; i < 256; ++i) {
        in[i] = 1000 + i;
    }
    Device<unsigned> deviceIn(in), out(256);
    constexpr int records = 16 * 40 + 8;
    bufferIntoLds<<<1, 64>>>(deviceIn.get(), out.get(), records);
    const auto all = out.read();
    bool right = true;
    for (unsigned i = 0; i < 256; ++i) {
        right = right && all[i] == (i * 4 < records ? 1000 + i : 0);
    }
    expect("raw_ptr_buffer_load_lds of 16 bytes", right);
}

void numbers() {
    constexpr int count = 256;
    std::vector<unsigned> in(count + 2);
    unsigned state = 1;
    for (unsigned& word : in) {
        word = state = state * 1664525u + 1013904223u;
    }
    for (int i = 0; i < 64; ++i) { // small numbers, and bfloats that are finite
        in[i] = i % 3 == 0 ? i - 30u : in[i] & 0xbfffbfffu;
    }
    Device<unsigned> deviceIn(in), out(count * 10);
    scalars<<<1, count>>>(deviceIn.get(), out.get());
    const auto all = out.read();
    bool random = true, bits = true, shifts = true, dots = true;
    const auto value = [](unsigned code) {
        const unsigned word = code << 16;
        float f;
        std::memcpy(&f, &word, 4);
        return static_cast<double>(f);
    };
    for (int t = 0; t < count; ++t) {
        const unsigned a = in[t], b = in[t + 1], c = in[t + 2];
        const unsigned* o = all.data() + t * 10;
        random = random && o[0] == ((a << 1) ^ (a >> 31 != 0 ? 197u : 0u));
        unsigned byTable = 0;
        for (int bit = 0; bit < 32; ++bit) {
            const unsigned row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
            byTable |= (0x1bu >> row & 1) << bit;
        }
        bits = bits && o[1] == (a ^ b ^ c) && o[2] == byTable && o[3] == (((a & b) | c) & 0xffff);
        const auto shifted = [&](unsigned v, long least, long most) {
            const long wide = static_cast<long>(static_cast<int>(v)) >> c % 32;
            return static_cast<unsigned>(wide < least ? least : wide > most ? most : wide) & 0xff;
        };
        shifts = shifts && o[4] == (shifted(a, -128, 127) | shifted(b, -128, 127) << 8) && o[5] == (shifted(a, 0, 255) | shifted(b, 0, 255) << 8);
        const double low = value(a & 0xffff) * value(b & 0xffff), high = value(a >> 16) * value(b >> 16), sum = low + high + 0.5;
        if (std::isfinite(sum) && std::fabs(low) + std::fabs(high) < 1e30) {
            const double tolerance = (std::fabs(low) + std::fabs(high) + 0.5) * 1e-6;
            for (int form = 6; form < 10; ++form) {
                float got;
                std::memcpy(&got, o + form, 4);
                const double expected = form == 8 ? std::fmin(std::fmax(sum, 0.0), 1.0) : sum;
                dots = dots && std::fabs(got - expected) <= tolerance;
            }
        }
    }
    expect("prng_b32", random);
    expect("bitop3", bits);
    expect("ashr_pk", shifts);
    expect("dot2 of bf16", dots);
}

int main() {
    lanes();
    memory();
    numbers();
    return verdict();
}
