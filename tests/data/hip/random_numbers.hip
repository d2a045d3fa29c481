// SPDX-License-Identifier: GPL-3.0-or-later
// The generators of rocRAND and hipRAND in kernels: the same functions on the host draw the same numbers, and Philox
// those that its authors have published.
#include "check.h"

#define FQUALIFIERS inline __host__ __device__
#include <rocrand/rocrand_kernel.h>
#undef FQUALIFIERS

#include <hiprand/hiprand_kernel.h>

namespace {

constexpr int threads = 256;
constexpr int draws = 16;
constexpr unsigned seed = 1729;

struct Draw {
    unsigned words[draws];
    float uniform[draws];
    float normal[draws];
    double wide[draws];
};

// A sequence of its own for each thread, from its third number on.
template<class State>
__host__ __device__ void draw(Draw& drawn, unsigned thread) {
    State state;
    rocrand_init(seed, thread, 2, &state);
    for (int i = 0; i < draws; ++i) {
        drawn.words[i] = rocrand(&state);
        drawn.uniform[i] = rocrand_uniform(&state);
        drawn.normal[i] = rocrand_normal(&state);
        drawn.wide[i] = rocrand_uniform_double(&state);
    }
}

template<class State>
__global__ void drawAll(Draw* drawn) {
    draw<State>(drawn[blockIdx.x * blockDim.x + threadIdx.x], blockIdx.x * blockDim.x + threadIdx.x);
}

template<class State>
void drawsTheSame(const char* what) {
    const Device<Draw> device(2 * threads);
    drawAll<State><<<2, threads>>>(device.get());
    const std::vector<Draw> got = device.read();
    bool isSame = true;
    double sum = 0, squares = 0;
    for (unsigned thread = 0; thread < got.size(); ++thread) {
        Draw expected;
        draw<State>(expected, thread);
        for (int i = 0; i < draws; ++i) {
            const Draw& mine = got[thread];
            isSame = isSame && mine.words[i] == expected.words[i] && mine.uniform[i] == expected.uniform[i] &&
                     mine.uniform[i] > 0 && mine.uniform[i] <= 1 && mine.wide[i] == expected.wide[i] &&
                     near(mine.normal[i], expected.normal[i], 1e-5);
            sum += mine.normal[i];
            squares += mine.normal[i] * mine.normal[i];
        }
    }
    // 8192 numbers: five standard errors.
    const double count = draws * static_cast<double>(got.size());
    expect(what, isSame && std::fabs(sum / count) < 0.056 && std::fabs(squares / count - 1) < 0.079);
}

// A key and a counter of zeros: the first known answer of philox4x32-10 in Random123's kat_vectors.
__global__ void firstOfPhilox(uint4* out) {
    rocrand_state_philox4x32_10 state;
    rocrand_init(0, 0, 0, &state);
    *out = rocrand4(&state);
}

template<class State>
__global__ void byHiprand(unsigned* words, float* pairs) {
    const unsigned thread = threadIdx.x;
    State state;
    hiprand_init(seed, thread, 2, &state);
    words[thread] = hiprand(&state);
    const float2 pair = hiprand_normal2(&state);
    pairs[thread] = pair.x + pair.y;
}

template<class State, class Same>
void sameByHiprand(const char* what) {
    const Device<unsigned> words(threads);
    const Device<float> pairs(threads);
    byHiprand<State><<<1, threads>>>(words.get(), pairs.get());
    const std::vector<unsigned> got = words.read();
    const std::vector<float> sums = pairs.read();
    bool isSame = true;
    for (unsigned thread = 0; thread < threads; ++thread) {
        Same state;
        rocrand_init(seed, thread, 2, &state);
        isSame = isSame && got[thread] == rocrand(&state);
        const float2 pair = rocrand_normal2(&state);
        isSame = isSame && near(sums[thread], pair.x + pair.y, 1e-5);
    }
    expect(what, isSame);
}

} // namespace

int main() {
    drawsTheSame<rocrand_state_xorwow>("rocRAND: XORWOW");
    drawsTheSame<rocrand_state_philox4x32_10>("rocRAND: Philox");
    drawsTheSame<rocrand_state_mrg32k3a>("rocRAND: MRG32k3a");
    const Device<uint4> first(1);
    firstOfPhilox<<<1, 1>>>(first.get());
    const uint4 words = first.read()[0];
    expect("Philox: published numbers",
           words.x == 0x6627e8d5 && words.y == 0xe169c58d && words.z == 0xbc57ac4c && words.w == 0x9b00dbd8);
    sameByHiprand<hiprandStateXORWOW_t, rocrand_state_xorwow>("hipRAND: XORWOW");
    sameByHiprand<hiprandStatePhilox4_32_10_t, rocrand_state_philox4x32_10>("hipRAND: Philox");
    sameByHiprand<hiprandStateMRG32k3a_t, rocrand_state_mrg32k3a>("hipRAND: MRG32k3a");
    return verdict();
}
