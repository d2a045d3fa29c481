// SPDX-License-Identifier: GPL-3.0-or-later
// What block functions ask of the runtime: the operations of waves and of the block whose threads are no fibres.
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/matrix.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <emmintrin.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned char noRegion = 255;

bool goesOn(const unsigned char* going, std::uint32_t thread) {
    return going == nullptr || going[thread] != 0;
}

// Bits of the lanes of a wave whose byte has a value.
std::uint64_t lanesWith(unsigned char value, const unsigned char* bytes, std::uint32_t threads, std::uint32_t first) {
    std::uint64_t lanes = 0;
    if (threads - first >= waveSize) {
        const __m128i wanted = _mm_set1_epi8(static_cast<char>(value));
        for (std::uint32_t lane = 0; lane < waveSize; lane += sizeof wanted) {
            const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + first + lane));
            const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted));
            lanes |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(equal)) << lane;
        }
        return lanes;
    }
    for (std::uint32_t lane = 0; lane < threads - first; ++lane) {
        lanes |= bytes[first + lane] == value ? laneBit(lane) : 0;
    }
    return lanes;
}

std::uint64_t lanesOf(const unsigned char* going, std::uint32_t threads, std::uint32_t first) {
    const std::uint32_t missing = waveSize - std::min(waveSize, threads - first);
    const std::uint64_t all = ~std::uint64_t{0} >> missing;
    return going == nullptr ? all : all & ~lanesWith(0, going, threads, first);
}

} // namespace
} // namespace gks::hipcpu

using namespace gks::hipcpu;

extern "C" {

void hipcpu_mfma_block(char* storage, std::uint32_t bytesOfThread, const unsigned char* going, std::uint32_t threads,
                       const MatrixInstruction* what, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                       std::uint32_t index, int cbsz, int abid, int blgp) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    for (std::uint32_t first = 0; first < threads; first += waveSize) {
        const std::uint64_t lanes = lanesOf(going, threads, first);
        if (lanes == 0) {
            continue;
        }
        if (lanes != ~std::uint64_t{0}) {
            char message[128];
            std::snprintf(message, sizeof message, "%s was executed with %d of 64 lanes active", what->name,
                          std::popcount(lanes));
            failProcess(message);
        }
        MatrixOperands operands[waveSize];
        for (std::uint32_t lane = 0; lane < waveSize; ++lane) {
            char* own = storage + std::size_t{first + lane} * bytesOfThread;
            operands[lane] = {own + a, own + b, own + c, index == none ? nullptr : own + index};
        }
        computeMatrix(*what, operands, {cbsz, abid, blgp});
    }
}

int hipcpu_reduce_block(const std::int64_t* values, const unsigned char* going, std::uint32_t threads, int operation) {
    if (static_cast<BlockReduction>(operation) == BlockReduction::grid) {
        BlockExecutor::current()->meetGrid();
        return 0;
    }
    int sum = 0;
    bool all = true;
    bool any = false;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        if (goesOn(going, thread)) {
            const int value = static_cast<int>(values[thread]);
            sum += value;
            all = all && value != 0;
            any = any || value != 0;
        }
    }
    switch (static_cast<BlockReduction>(operation)) {
    case BlockReduction::add:
        return sum;
    case BlockReduction::logicalAnd:
        return all ? 1 : 0;
    case BlockReduction::logicalOr:
        return any ? 1 : 0;
    case BlockReduction::grid:
        break;
    }
    failProcess("an unknown reduction of a block");
}

int hipcpu_any_going(const unsigned char* going, std::uint32_t threads) {
    return std::any_of(going, going + threads, [](unsigned char goes) { return goes != 0; }) ? 1 : 0;
}

void hipcpu_lanes_of_block(const unsigned char* going, std::uint32_t threads, std::uint64_t* lanes) {
    for (std::uint32_t first = 0; first < threads; first += waveSize) {
        lanes[first / waveSize] = lanesOf(going, threads, first);
    }
}

std::uint32_t hipcpu_next_region(const unsigned char* going, std::uint32_t threads) {
    unsigned char least = noRegion; // one less than the number, so that 0 is the largest
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        least = std::min(least, static_cast<unsigned char>(going[thread] - 1));
    }
    return least == noRegion ? 0 : least + 1U;
}

void hipcpu_meet(const unsigned char* going, std::uint32_t threads, std::uint32_t region, const std::uint64_t* left,
                 std::uint64_t* deposits, std::uint64_t* lanes) {
    for (std::uint32_t first = 0; first < threads; first += waveSize) {
        const std::uint64_t come = lanesWith(static_cast<unsigned char>(region), going, threads, first);
        lanes[first / waveSize] = come;
        for (std::uint64_t rest = come; rest != 0; rest &= rest - 1) {
            const std::uint32_t thread = first + static_cast<std::uint32_t>(std::countr_zero(rest));
            deposits[thread] = left[thread];
        }
    }
}

} // extern "C"
