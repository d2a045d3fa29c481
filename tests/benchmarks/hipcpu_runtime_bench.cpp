// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/float8.h"
#include "tests/core/hipcpu_module.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

// What the pieces of a kernel cost on the CPU target, beside what the first prototype needed on two threads. Best of
// several runs: the machine is usually shared.

using namespace gks::hipcpu;
using namespace gks::hipcpu::test;

namespace {

void empty(void**, ThreadContext*, char*) {}

void barriers(void** arguments, ThreadContext*, char*) {
    const auto rounds = argument<std::uint32_t>(arguments, 0);
    for (std::uint32_t i = 0; i < rounds; ++i) {
        hipcpu_barrier();
    }
}

void shuffles(void** arguments, ThreadContext* thread, char*) {
    const auto rounds = argument<std::uint32_t>(arguments, 0);
    const std::uint64_t* deposited = nullptr;
    std::uint64_t value = thread->lane;
    for (std::uint32_t i = 0; i < rounds; ++i) {
        hipcpu_wave_exchange(value, &deposited, reinterpret_cast<void*>(1));
        value = deposited[(thread->lane + 1) % waveSize];
    }
    argument<std::uint64_t*>(arguments, 1)[thread->lane] = value;
}

struct Fragment {
    std::uint64_t a;
    std::uint64_t b;
};

constexpr MatrixInstruction fp8Large{
    32, 32, 16, 1, MatrixType::fp8, MatrixType::fp8, MatrixType::f32, 0, "f32.32x32x16.fp8.fp8"};
constexpr MatrixInstruction fp8Small{
    16, 16, 32, 1, MatrixType::fp8, MatrixType::fp8, MatrixType::f32, 0, "f32.16x16x32.fp8.fp8"};
constexpr MatrixInstruction bf16Large{
    32, 32, 8, 1, MatrixType::bf16, MatrixType::bf16, MatrixType::f32, 0, "f32.32x32x8bf16.1k"};
constexpr MatrixInstruction f16Small{
    16, 16, 16, 1, MatrixType::f16, MatrixType::f16, MatrixType::f32, 0, "f32.16x16x16f16"};

// As many instructions per wave as a block of a 512 x 512 x 512 product takes.
void matrixChain(void** arguments, ThreadContext* thread, char*) {
    const auto* what = argument<const MatrixInstruction*>(arguments, 0);
    const auto rounds = argument<std::uint32_t>(arguments, 1);
    alignas(64) float c[16] = {};
    alignas(64) Fragment fragment{0x3840382038403820u + thread->lane, 0x3028302838283028u};
    for (std::uint32_t i = 0; i < rounds; ++i) {
        hipcpu_mfma(what, &fragment.a, &fragment.b, c, nullptr, 0, 0, 0);
    }
    argument<float*>(arguments, 2)[thread->block->blockIndex[0] * waveSize + thread->lane] = c[3];
}

double seconds() {
    return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)) *
           1e-9;
}

template<class Work>
double best(int repeats, Work work) {
    double shortest = 1e9;
    for (int i = 0; i < repeats; ++i) {
        const double begin = seconds();
        work();
        shortest = std::min(shortest, seconds() - begin);
    }
    return shortest;
}

void row(const char* what, double value, const char* unit, const char* prototype) {
    std::printf("%-58s %10.2f %-4s %s\n", what, value, unit, prototype);
}

// One wave's share, which is short enough to run undisturbed now and then.
double oneInstructionNs(const MatrixInstruction& what) {
    std::vector<float> out(waveSize);
    constexpr std::uint32_t rounds = 200;
    return 1e9 / rounds * best(50, [&] {
               launch(matrixChain, {1, 1, 1}, {waveSize, 1, 1}, 0, nullptr, &what, rounds, out.data());
               hipDeviceSynchronize();
           });
}

double matrixProductMs(const MatrixInstruction& what, std::uint32_t size) {
    const std::uint32_t tiles = size / what.m * (size / what.n);
    std::vector<float> out(std::size_t{tiles} * waveSize);
    return 1e3 * best(5, [&] {
               launch(matrixChain, {tiles, 1, 1}, {waveSize, 1, 1}, 0, nullptr, &what, size / what.k, out.data());
               hipDeviceSynchronize();
           });
}

} // namespace

int main() {
    const LoadedModule module{{{"empty", empty, {}},
                               {"barriers", barriers, {4}},
                               {"shuffles", shuffles, {4, 8}},
                               {"matrixChain", matrixChain, {8, 4, 8}}}};
    int workers = 1;
    hipDeviceGetAttribute(&workers, 63, 0);
    std::printf("%-58s %15s %s\n", "", "here", "prototype");
    std::printf("%d worker threads\n", workers);

    constexpr int repeats = 50;
    constexpr int launches = 200;
    row("launch and synchronise, 1 block of 64",
        1e6 *
            best(repeats,
                 [] {
                     for (int i = 0; i < launches; ++i) {
                         launch(empty, {1, 1, 1}, {64, 1, 1}, 0, nullptr);
                         hipDeviceSynchronize();
                     }
                 }) /
            launches,
        "us", "43-50 us");
    row("launch, 1 block of 64, synchronised at the end",
        1e6 *
            best(repeats,
                 [] {
                     for (int i = 0; i < launches; ++i) {
                         launch(empty, {1, 1, 1}, {64, 1, 1}, 0, nullptr);
                     }
                     hipDeviceSynchronize();
                 }) /
            launches,
        "us", "");
    row("launch and synchronise, 64 blocks of 256",
        1e6 *
            best(repeats,
                 [] {
                     for (int i = 0; i < launches; ++i) {
                         launch(empty, {64, 1, 1}, {256, 1, 1}, 0, nullptr);
                         hipDeviceSynchronize();
                     }
                 }) /
            launches,
        "us", "43-50 us");
    for (const std::uint32_t threads : {64u, 256u, 1024u}) {
        constexpr std::uint32_t rounds = 100;
        char name[64];
        std::snprintf(name, sizeof name, "barrier, per thread, block of %u", threads);
        row(name,
            1e9 *
                best(repeats,
                     [threads] {
                         launch(barriers, {1, 1, 1}, {threads, 1, 1}, 0, nullptr, rounds);
                         hipDeviceSynchronize();
                     }) /
                (rounds * threads),
            "ns", "4.5 ns");
    }
    constexpr std::uint32_t rounds = 1000;
    std::vector<std::uint64_t> out(waveSize);
    row("cross-lane exchange, per lane",
        1e9 *
            best(repeats,
                 [&out] {
                     launch(shuffles, {1, 1, 1}, {waveSize, 1, 1}, 0, nullptr, rounds, out.data());
                     hipDeviceSynchronize();
                 }) /
            (rounds * waveSize),
        "ns", "31 ns");
    constexpr std::uint32_t size = 512;
    for (const MatrixInstruction* what : {&fp8Large, &fp8Small, &bf16Large, &f16Small}) {
        char name[64];
        std::snprintf(name, sizeof name, "%s, one instruction of a wave", what->name);
        row(name, oneInstructionNs(*what), "ns", "");
        std::snprintf(name, sizeof name, "%s, all instructions of 512^3", what->name);
        row(name, matrixProductMs(*what, size), "ms", what == &fp8Large ? "31 ms (with the loads)" : "");
    }
    return 0;
}
