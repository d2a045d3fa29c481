// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/hipcpu_module.h"

#include <QTest>

#include <atomic>
#include <bit>
#include <numeric>

using namespace gks::hipcpu;
using namespace gks::hipcpu::test;

namespace {

void writeIndices(void** arguments, ThreadContext* thread, char*) {
    auto* out = argument<std::uint32_t*>(arguments, 0);
    const BlockContext& block = *thread->block;
    const std::uint32_t blockNumber =
        block.blockIndex[0] + block.gridSize[0] * (block.blockIndex[1] + block.gridSize[1] * block.blockIndex[2]);
    const std::uint32_t threads = block.blockSize[0] * block.blockSize[1] * block.blockSize[2];
    const std::uint32_t me = linearThread(*thread);
    out[blockNumber * threads + me] += blockNumber * threads + me + (thread->lane == me % waveSize ? 1 : 1000);
}

// Each round every thread reads what its neighbour wrote before the barrier.
void rotateThroughLds(void** arguments, ThreadContext* thread, char* lds) {
    auto* out = argument<std::uint32_t*>(arguments, 0);
    const auto rounds = argument<std::uint32_t>(arguments, 1);
    auto* shared = reinterpret_cast<std::uint32_t*>(lds);
    const std::uint32_t threads = thread->block->blockSize[0];
    const std::uint32_t me = thread->threadIndex[0];
    std::uint32_t value = me;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        shared[me] = value;
        hipcpu_barrier();
        value = shared[(me + 1) % threads];
        hipcpu_barrier();
    }
    out[thread->block->blockIndex[0] * threads + me] = value;
}

void returnEarly(void** arguments, ThreadContext* thread, char* lds) {
    auto* out = argument<std::uint32_t*>(arguments, 0);
    const std::uint32_t me = thread->threadIndex[0];
    auto* shared = reinterpret_cast<std::uint32_t*>(lds);
    shared[me] = me;
    if (me % 3 == 1) {
        return;
    }
    hipcpu_barrier();
    out[me] = shared[(me / 3) * 3 + 1] + 1;
}

void ballotAndSum(void** arguments, ThreadContext* thread, char*) {
    auto* masks = argument<std::uint64_t*>(arguments, 0);
    auto* sums = argument<std::uint64_t*>(arguments, 1);
    const std::uint64_t* slots = nullptr;
    const std::uint32_t me = thread->threadIndex[0];
    masks[me] = hipcpu_wave_exchange(me, &slots, reinterpret_cast<void*>(1));
    sums[me] = 0;
    for (std::uint32_t lane = 0; lane < waveSize; ++lane) {
        sums[me] += masks[me] >> lane & 1 ? slots[lane] : 0;
    }
}

// The lanes of a wave split, meet in their halves for a different number of rounds, and come together again.
void divergeAndMeet(void** arguments, ThreadContext* thread, char*) {
    auto* masks = argument<std::uint64_t*>(arguments, 0);
    const std::uint64_t* slots = nullptr;
    const std::uint32_t me = thread->threadIndex[0];
    std::uint64_t inBranch = 0;
    bool exact = true;
    if (thread->lane % 2) {
        for (std::uint64_t round = 0; round < 3; ++round) {
            inBranch = hipcpu_wave_exchange(round * 100 + thread->lane, &slots, reinterpret_cast<void*>(1));
            exact = exact && slots[(thread->lane + 2) % waveSize] == round * 100 + (thread->lane + 2) % waveSize;
        }
    } else {
        inBranch = hipcpu_wave_exchange(7, &slots, reinterpret_cast<void*>(2));
    }
    const std::uint64_t together = hipcpu_wave_exchange(thread->lane, &slots, reinterpret_cast<void*>(3));
    exact = exact && slots[63 - thread->lane] == 63 - thread->lane;
    masks[me] = exact && together == ~std::uint64_t{0} ? inBranch : 0;
}

void lanesLeaveWhileOthersMeet(void** arguments, ThreadContext* thread, char*) {
    auto* masks = argument<std::uint64_t*>(arguments, 0);
    const std::uint32_t me = thread->threadIndex[0];
    const std::uint64_t* slots = nullptr;
    for (std::uint32_t round = 0; round <= thread->lane; ++round) {
        masks[me] = hipcpu_wave_exchange(0, &slots, reinterpret_cast<void*>(1));
    }
}

void waitForOtherWave(void** arguments, ThreadContext* thread, char* lds) {
    auto* out = argument<std::uint32_t*>(arguments, 0);
    auto* flag = reinterpret_cast<volatile std::uint32_t*>(lds);
    const std::uint32_t me = thread->threadIndex[0];
    if (me == 0) {
        *flag = 0;
    }
    hipcpu_barrier();
    if (me < waveSize) {
        while (*flag == 0) {
            hipcpu_yield();
        }
    } else {
        *flag = 1;
    }
    out[me] = *flag;
}

void missingBarrier(void** arguments, ThreadContext* thread, char* lds) {
    auto* out = argument<std::uint32_t*>(arguments, 0);
    auto* shared = reinterpret_cast<std::uint32_t*>(lds);
    const std::uint32_t me = thread->threadIndex[0];
    shared[me] = me + 1;
    out[me] = me == 0 ? 0 : shared[me - 1];
}

void blockOrder(void** arguments, ThreadContext* thread, char*) {
    auto* next = argument<std::atomic<std::uint32_t>*>(arguments, 0);
    argument<std::uint32_t*>(arguments, 1)[thread->block->blockIndex[0]] = next->fetch_add(1);
}

void asBlock(void** arguments, BlockContext* block) {
    auto* out = argument<std::uint32_t*>(arguments, 0);
    for (std::uint32_t x = 0; x < block->blockSize[0]; ++x) {
        out[block->blockIndex[0] * block->blockSize[0] + x] = 5;
    }
}

void asThreads(void** arguments, ThreadContext* thread, char*) {
    argument<std::uint32_t*>(
        arguments, 0)[thread->block->blockIndex[0] * thread->block->blockSize[0] + thread->threadIndex[0]] = 6;
}

const bool isReversed = qEnvironmentVariable("HIPCPU_ORDER") == QStringLiteral("reversed");
constexpr std::uint32_t word = sizeof(void*);

} // namespace

// Run twice by CTest: in forward and in reversed order.
class HipcpuRuntimeBlocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyThreadRunsOnceWithItsIndices();
    void barrierOrdersLds();
    void returnedThreadsDoNotHoldTheBarrier();
    void exchangeSeesAllLanes();
    void divergedLanesMeetAmongThemselves();
    void exchangeGoesOnWithoutReturnedLanes();
    void spinningOnAnotherWaveEnds();
    void orderShowsAMissingBarrier();
    void blocksFollowTheOrder();
    void blockFunctionIsPreferredInForwardOrder();

private:
    LoadedModule m_module{{{"writeIndices", writeIndices, {word}},
                           {"rotateThroughLds", rotateThroughLds, {word, 4}},
                           {"returnEarly", returnEarly, {word}},
                           {"ballotAndSum", ballotAndSum, {word, word}},
                           {"divergeAndMeet", divergeAndMeet, {word}},
                           {"lanesLeaveWhileOthersMeet", lanesLeaveWhileOthersMeet, {word}},
                           {"waitForOtherWave", waitForOtherWave, {word}},
                           {"missingBarrier", missingBarrier, {word}},
                           {"blockOrder", blockOrder, {word, word}},
                           {"asThreads", asThreads, {word}, asBlock}}};
};

void HipcpuRuntimeBlocks::everyThreadRunsOnceWithItsIndices() {
    const Dim3 grid{5, 3, 2};
    const Dim3 block{10, 7, 3};
    std::vector<std::uint32_t> out(grid.count() * block.count());
    QCOMPARE(launch(writeIndices, grid, block, 0, nullptr, out.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    std::vector<std::uint32_t> expected(out.size());
    std::iota(expected.begin(), expected.end(), 1);
    QCOMPARE(out, expected);
}

void HipcpuRuntimeBlocks::barrierOrdersLds() {
    for (const std::uint32_t threads : {1u, 63u, 64u, 65u, 256u, 1024u}) {
        constexpr std::uint32_t blocks = 7;
        constexpr std::uint32_t rounds = 50;
        std::vector<std::uint32_t> out(std::size_t{blocks} * threads);
        QCOMPARE(launch(rotateThroughLds, {blocks, 1, 1}, {threads, 1, 1}, threads * 4, nullptr, out.data(), rounds),
                 hipSuccess);
        QCOMPARE(hipDeviceSynchronize(), hipSuccess);
        for (std::uint32_t i = 0; i < out.size(); ++i) {
            QCOMPARE(out[i], (i % threads + rounds) % threads);
        }
    }
}

void HipcpuRuntimeBlocks::returnedThreadsDoNotHoldTheBarrier() {
    constexpr std::uint32_t threads = 191; // the last thread returns when all others wait
    std::vector<std::uint32_t> out(threads);
    QCOMPARE(launch(returnEarly, {1, 1, 1}, {threads, 1, 1}, threads * 4, nullptr, out.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    for (std::uint32_t i = 0; i < threads; ++i) {
        QCOMPARE(out[i], i % 3 == 1 ? 0 : i / 3 * 3 + 2);
    }
}

void HipcpuRuntimeBlocks::exchangeSeesAllLanes() {
    constexpr std::uint32_t threads = 150; // two whole waves and one of 22 lanes
    std::vector<std::uint64_t> masks(threads);
    std::vector<std::uint64_t> sums(threads);
    QCOMPARE(launch(ballotAndSum, {1, 1, 1}, {threads, 1, 1}, 0, nullptr, masks.data(), sums.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    for (std::uint32_t i = 0; i < threads; ++i) {
        const std::uint32_t first = i / waveSize * waveSize;
        const std::uint32_t end = std::min(first + waveSize, threads);
        QCOMPARE(std::popcount(masks[i]), static_cast<int>(end - first));
        std::uint64_t expected = 0;
        for (std::uint32_t lane = first; lane < end; ++lane) {
            expected += lane;
        }
        QCOMPARE(sums[i], expected);
    }
}

void HipcpuRuntimeBlocks::divergedLanesMeetAmongThemselves() {
    constexpr std::uint32_t threads = 256;
    constexpr std::uint64_t odd = 0xaaaaaaaaaaaaaaaa;
    std::vector<std::uint64_t> masks(threads);
    QCOMPARE(launch(divergeAndMeet, {1, 1, 1}, {threads, 1, 1}, 0, nullptr, masks.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    for (std::uint32_t i = 0; i < threads; ++i) {
        QCOMPARE(masks[i], i % 2 ? odd : ~odd);
    }
}

void HipcpuRuntimeBlocks::exchangeGoesOnWithoutReturnedLanes() {
    std::vector<std::uint64_t> masks(waveSize);
    QCOMPARE(launch(lanesLeaveWhileOthersMeet, {1, 1, 1}, {waveSize, 1, 1}, 0, nullptr, masks.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    for (std::uint32_t lane = 0; lane < waveSize; ++lane) {
        QCOMPARE(masks[lane], ~std::uint64_t{0} << lane);
    }
}

void HipcpuRuntimeBlocks::spinningOnAnotherWaveEnds() {
    std::vector<std::uint32_t> out(2 * waveSize);
    QCOMPARE(launch(waitForOtherWave, {1, 1, 1}, {2 * waveSize, 1, 1}, 4, nullptr, out.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    QCOMPARE(out, std::vector<std::uint32_t>(2 * waveSize, 1));
}

void HipcpuRuntimeBlocks::orderShowsAMissingBarrier() {
    constexpr std::uint32_t threads = 128;
    std::vector<std::uint32_t> out(threads);
    QCOMPARE(launch(missingBarrier, {1, 1, 1}, {threads, 1, 1}, threads * 4, nullptr, out.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    std::uint32_t right = 0;
    for (std::uint32_t i = 1; i < threads; ++i) {
        right += out[i] == i;
    }
    QCOMPARE(right == threads - 1, !isReversed);
}

void HipcpuRuntimeBlocks::blocksFollowTheOrder() {
    constexpr std::uint32_t blocks = 4; // few enough that the dispatcher alone is quick; the order is the counter's
    std::atomic<std::uint32_t> next = 0;
    std::vector<std::uint32_t> rank(blocks);
    QCOMPARE(launch(blockOrder, {blocks, 1, 1}, {1, 1, 1}, 0, nullptr, &next, rank.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    QCOMPARE(next.load(), blocks);
    if (qEnvironmentVariable("HIPCPU_THREADS") == QStringLiteral("1")) {
        for (std::uint32_t i = 0; i < blocks; ++i) {
            QCOMPARE(rank[i], isReversed ? blocks - 1 - i : i);
        }
    }
}

void HipcpuRuntimeBlocks::blockFunctionIsPreferredInForwardOrder() {
    std::vector<std::uint32_t> out(4096);
    QCOMPARE(launch(asThreads, {16, 1, 1}, {256, 1, 1}, 0, nullptr, out.data()), hipSuccess);
    QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    QCOMPARE(out, std::vector<std::uint32_t>(4096, isReversed ? 6 : 5));
}

QTEST_APPLESS_MAIN(HipcpuRuntimeBlocks)
#include "hipcpu_runtime_blocks.moc"
