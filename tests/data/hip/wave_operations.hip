// SPDX-License-Identifier: GPL-3.0-or-later
// Shuffles, votes and lane permutations of a wave of 64, also where it has diverged.
#include "check.h"

__global__ void reduce(const float* x, float* out, int n) {
    extern __shared__ float partial[];
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        v += x[i];
    }
    for (int offset = warpSize / 2; offset > 0; offset >>= 1) {
        v += __shfl_down(v, offset);
    }
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    if (lane == 0) {
        partial[wave] = v;
    }
    __syncthreads();
    if (wave == 0) {
        v = lane < static_cast<int>(blockDim.x / 64) ? partial[lane] : 0.f;
        for (int offset = 32; offset > 0; offset >>= 1) {
            v += __shfl_xor(v, offset);
        }
        if (lane == 0) {
            atomicAdd(out, v);
        }
    }
}

__global__ void compact(const int* x, int* out, unsigned* count, int* wrongVotes, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && x[i] % 3 == 0;
    const unsigned long long mask = __ballot(keep);
    const int before = __popcll(mask & ((1ull << __lane_id()) - 1));
    const int leader = __ffsll(static_cast<long long>(mask)) - 1;
    unsigned base = 0;
    if (mask != 0 && static_cast<int>(__lane_id()) == leader) {
        base = atomicAdd(count, static_cast<unsigned>(__popcll(mask)));
    }
    if (mask != 0) {
        base = __shfl(base, leader);
    }
    if (keep) {
        out[base + before] = x[i];
    }
    if ((__any(keep) != 0) != (mask != 0) || (__all(keep) != 0) != (mask == ~0ull)) {
        atomicAdd(wrongVotes, 1);
    }
}

__global__ void divergent(int* out) {
    const int lane = threadIdx.x;
    int v = lane;
    if (lane < 32) {
        v += __shfl(v, 3);
    } else {
        v += __shfl(v, 40);
    }
    int active = 0;
    for (int i = 0; i < (lane & 3) + 1; ++i) {
        active += __popcll(__ballot(1));
    }
    out[lane] = v * 1000 + active;
}

__global__ void permute(int* out) {
    const int lane = threadIdx.x;
    const int first = __builtin_amdgcn_readfirstlane(lane + 5);
    const int shifted = __builtin_amdgcn_update_dpp(0, lane, 0x111, 0xf, 0xf, true); // row_shr:1
    const int quad = __builtin_amdgcn_mov_dpp(lane, 0xb1, 0xf, 0xf, true);           // quad_perm:[1,0,3,2]
    const int swizzled = __builtin_amdgcn_ds_swizzle(lane, 0x041f);                  // lane ^ 1
    const int seventh = __builtin_amdgcn_readlane(lane * 3, 7);
    out[lane] = first + 100 * shifted + 10000 * quad + (swizzled << 20) + seventh;
}

// Lanes without a source keep a value of which nothing is said, and the last one does not use it.
template<int control>
__device__ double movedByHalves(double value) {
    struct Halves {
        int words[2];
    };
    auto halves = __builtin_bit_cast(Halves, value);
    for (int& word : halves.words) {
        word = __builtin_amdgcn_mov_dpp(word, control, 0xf, 0xf, false);
    }
    return __builtin_bit_cast(double, halves);
}

__global__ void sumOfDoubles(const double* in, double* out) {
    double sum = in[blockIdx.x * 64 + threadIdx.x];
    sum += movedByHalves<0xb1>(sum);  // quad_perm:[1,0,3,2]
    sum += movedByHalves<0x4e>(sum);  // quad_perm:[2,3,0,1]
    sum += movedByHalves<0x114>(sum); // row_shr:4
    sum += movedByHalves<0x118>(sum); // row_shr:8
    sum += movedByHalves<0x142>(sum); // row_bcast:15
    sum += movedByHalves<0x143>(sum); // row_bcast:31
    if (threadIdx.x == 63) {
        out[blockIdx.x] = sum;
    }
}

int main() {
    const int n = 1 << 18;
    std::vector<float> x(n);
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = (i % 7) * 0.25f;
        sum += x[i];
    }
    Device<float> dx(x), total(1);
    reduce<<<64, 256, 4 * sizeof(float)>>>(dx.get(), total.get(), n);
    expect("reduce with shuffles and dynamic LDS", near(total.read()[0], sum, 1e-5));

    const int m = 100'000;
    std::vector<int> values(m);
    long keptSum = 0;
    unsigned kept = 0;
    for (int i = 0; i < m; ++i) {
        values[i] = static_cast<int>(i * 7919ll % 1'000'003);
        if (values[i] % 3 == 0) {
            keptSum += values[i];
            ++kept;
        }
    }
    Device<int> dv(values), out(m), wrong(1);
    Device<unsigned> count(1);
    compact<<<(m + 255) / 256, 256>>>(dv.get(), out.get(), count.get(), wrong.get(), m);
    long long found = 0;
    for (const int v : out.read()) {
        found += v;
    }
    expect("stream compaction with ballot", count.read()[0] == kept && found == keptSum);
    expect("any and all", wrong.read()[0] == 0);

    Device<int> lanes(64);
    divergent<<<1, 64>>>(lanes.get());
    std::vector<int> r = lanes.read();
    bool ok = true;
    for (int lane = 0; lane < 64; ++lane) {
        int active = 0;
        for (int i = 0; i < (lane & 3) + 1; ++i) {
            active += 64 - 16 * i;
        }
        ok = ok && r[lane] == (lane < 32 ? lane + 3 : lane + 40) * 1000 + active;
    }
    expect("shuffle and ballot in divergent code", ok);

    permute<<<1, 64>>>(lanes.get());
    r = lanes.read();
    ok = true;
    for (int lane = 0; lane < 64; ++lane) {
        const int shifted = (lane & 15) != 0 ? lane - 1 : 0;
        ok = ok && r[lane] == 5 + 100 * shifted + 10000 * (lane ^ 1) + ((lane ^ 1) << 20) + 21;
    }
    expect("readfirstlane, DPP, swizzle, readlane", ok);

    const int waves = 4;
    std::vector<double> doubles(waves * 64), sums(waves);
    for (int i = 0; i < waves * 64; ++i) {
        doubles[i] = i * 7919 % 201 - 100;
        sums[i / 64] += doubles[i];
    }
    Device<double> dd(doubles), ds(waves);
    sumOfDoubles<<<waves, 64>>>(dd.get(), ds.get());
    expect("doubles that DPP moves by halves", ds.read() == sums);
    return verdict();
}
