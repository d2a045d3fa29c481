// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/thread_facts.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <unistd.h>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// The roof of the cpu target: what one thread reaches in the best case. Arithmetic: twelve chains of multiply-adds,
// more than two units with a latency of four or five cycles can have in flight, in the widest vectors of the processor.
// LLVM makes 256 bits of its own accord on most processors with AVX-512, but a kernel can ask for 512. Memory: one pass
// over more bytes than a cache holds. Each several times, the fastest counts: another program's share of the machine
// only makes a try slower.
namespace gks {
namespace {

constexpr int arithmeticTries = 12;
constexpr int arithmeticRounds = 20000;
constexpr int arithmeticChains = 12;
constexpr int memoryTries = 3;
constexpr std::size_t memoryBytes = std::size_t{96} << 20;
constexpr std::size_t pieceBytes = std::size_t{4} << 20;

double threadSeconds() {
    timespec at{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

double secondsOf(const auto& work) {
    const double begin = threadSeconds();
    work();
    return std::max(threadSeconds() - begin, 1e-9);
}

volatile float floatSink;
volatile std::uint64_t wordSink;

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void multiplyAddVectors() {
    __m256 sums[arithmeticChains];
    for (int chain = 0; chain < arithmeticChains; ++chain) {
        sums[chain] = _mm256_set1_ps(static_cast<float>(chain));
    }
    const __m256 factor = _mm256_set1_ps(0.5F);
    for (int round = 0; round < arithmeticRounds; ++round) {
#pragma GCC unroll 12
        for (__m256& sum : sums) {
            sum = _mm256_fmadd_ps(sum, factor, factor);
        }
    }
    __m256 all = sums[0];
    for (const __m256& sum : sums) {
        all = _mm256_add_ps(all, sum);
    }
    floatSink = _mm256_cvtss_f32(all);
}

__attribute__((target("avx512f"))) void multiplyAddWideVectors() {
    __m512 sums[arithmeticChains];
    for (int chain = 0; chain < arithmeticChains; ++chain) {
        sums[chain] = _mm512_set1_ps(static_cast<float>(chain));
    }
    const __m512 factor = _mm512_set1_ps(0.5F);
    for (int round = 0; round < arithmeticRounds; ++round) {
#pragma GCC unroll 12
        for (__m512& sum : sums) {
            sum = _mm512_fmadd_ps(sum, factor, factor);
        }
    }
    __m512 all = sums[0];
    for (const __m512& sum : sums) {
        all = _mm512_add_ps(all, sum);
    }
    floatSink = _mm512_cvtss_f32(all);
}
#endif

// Where there is no AVX2: vectors of 128 bits, a multiplication and an addition.
void multiplyAddNarrow() {
    using Vector = float __attribute__((vector_size(16)));
    Vector sums[arithmeticChains] = {};
    const Vector factor = {0.5F, 0.5F, 0.5F, 0.5F};
    for (int round = 0; round < arithmeticRounds; ++round) {
#pragma GCC unroll 12
        for (Vector& sum : sums) {
            sum = sum * factor + factor;
        }
    }
    Vector all = sums[0];
    for (const Vector& sum : sums) {
        all += sum;
    }
    floatSink = all[0];
}

void measureArithmetic(ThreadFacts& facts, int vectorBits, void (*work)()) {
    const double flops = 2.0 * arithmeticRounds * arithmeticChains * vectorBits / 32;
    facts.vectorBits = vectorBits;
    for (int i = 0; i < arithmeticTries; ++i) {
        facts.flopsPerSecond = std::max(facts.flopsPerSecond, flops / secondsOf(work));
    }
}

// The widest last: a narrower one may be as fast, on processors that cut wide vectors in two.
void measureArithmetic(ThreadFacts& facts) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        measureArithmetic(facts, 256, multiplyAddVectors);
        if (__builtin_cpu_supports("avx512f")) {
            measureArithmetic(facts, 512, multiplyAddWideVectors);
        }
        return;
    }
#endif
    measureArithmetic(facts, 128, multiplyAddNarrow);
}

void measureMemory(ThreadFacts& facts) {
    std::vector<std::uint64_t> words(memoryBytes / sizeof(std::uint64_t), 1);
    const std::size_t piece = pieceBytes / sizeof(std::uint64_t);
    for (int i = 0; i < memoryTries; ++i) {
        for (std::size_t from = 0; from + piece <= words.size(); from += piece) {
            const double seconds = secondsOf([&] {
                std::uint64_t sums[8] = {};
                for (std::size_t at = from; at < from + piece; at += 8) {
                    for (std::size_t lane = 0; lane < 8; ++lane) {
                        sums[lane] += words[at + lane];
                    }
                }
                wordSink = sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
            });
            facts.bytesPerSecond = std::max(facts.bytesPerSecond, static_cast<double>(pieceBytes) / seconds);
        }
    }
}

std::int64_t cacheBytes(int what) {
    return std::max<std::int64_t>(0, ::sysconf(what));
}

} // namespace

ThreadFacts threadFactsHere() {
    static const ThreadFacts measured = [] {
        ThreadFacts facts;
        measureArithmetic(facts);
        measureMemory(facts);
        facts.l1Bytes = cacheBytes(_SC_LEVEL1_DCACHE_SIZE);
        facts.l2Bytes = cacheBytes(_SC_LEVEL2_CACHE_SIZE);
        facts.l3Bytes = cacheBytes(_SC_LEVEL3_CACHE_SIZE);
        return facts;
    }();
    return measured;
}

Device withThreadFacts(Device device) {
    const DeviceList here = device.target == TargetKind::cpu ? listDevices(TargetKind::cpu) : DeviceList();
    const auto isIt = [&](const Device& one) { return one.name == device.name; };
    if (std::any_of(here.devices.begin(), here.devices.end(), isIt)) {
        const int threads = device.facts.thread.threads;
        device.facts.thread = threadFactsHere();
        device.facts.thread.threads = threads;
    }
    return device;
}

} // namespace gks
