// SPDX-License-Identifier: GPL-3.0-or-later
// Reads of many threads at addresses in rows: nearly always nothing is wrong with any of them, which is seen from where
// the rows begin and end. Where it is not, each is told as its thread would tell it.
#include "core/hipcpu/runtime/running_block.h"

#include <cstdlib>

namespace gks::hipcpu {
namespace {

// Plain reads of the threads of a strip.
struct StripReads {
    std::uintptr_t first;
    std::intptr_t laneBytes; // from one to the next
    std::uint64_t bytes;
    const AccessSite& site;
    const void* object;

    std::uintptr_t low() const {
        return laneBytes < 0 ? first + static_cast<std::uintptr_t>(laneBytes * steps) : first;
    }
    std::uintptr_t high() const { return low() + static_cast<std::uintptr_t>(std::abs(laneBytes) * steps) + bytes; }
    static constexpr std::intptr_t steps = stripThreads - 1;
};

bool isAligned(std::uintptr_t address, const AccessSite& site) {
    return (address & (site.alignment - 1)) == 0;
}

// Of LDS: whether no other wave's access matters.
bool noteReads(RunningBlock& running, const BlockExecutor& executor, const StripReads& reads, std::uint32_t thread) {
    const RaceDetector::Where where = {thread / waveSize, executor.barriersPassed()};
    const auto offset = static_cast<std::size_t>(reads.low() - reinterpret_cast<std::uintptr_t>(executor.block().lds));
    const auto distance = static_cast<std::uint64_t>(std::abs(reads.laneBytes));
    return distance <= reads.bytes
               ? watched.races->readLds(running.known, where, {offset, reads.high() - reads.low(), 0, 1}, &reads.site)
               : watched.races->readLds(running.known, where, {offset, reads.bytes, distance, stripThreads},
                                        &reads.site);
}

// Nobody looks for races there.
bool isUnwatched(std::uintptr_t low, std::uintptr_t high) {
    return !watched.races->isWatched(reinterpret_cast<const void*>(low)) &&
           !watched.races->isWatched(reinterpret_cast<const void*>(high - 1));
}

bool isLds(const BlockExecutor& executor, std::uintptr_t address) {
    return executor.isLds(reinterpret_cast<const void*>(address));
}

// Whether there is nothing more to be said of them.
bool takeReads(RunningBlock& running, const BlockExecutor& executor, const StripReads& reads, std::uint32_t thread) {
    const std::uintptr_t low = reads.low();
    const std::uintptr_t high = reads.high();
    if (!isAligned(low | static_cast<std::uintptr_t>(reads.laneBytes), reads.site) ||
        (watched.memory != nullptr && !running.check.isReadable(executor, low, high, reads.site, reads.object))) {
        return false;
    }
    return watched.races == nullptr ||
           (isLds(executor, low) ? noteReads(running, executor, reads, thread) : isUnwatched(low, high));
}

// Where anything is unclear they are told one by one, as each of them would tell it.
void tellReads(BlockExecutor& executor, const StripReads& reads, std::uint32_t thread) {
    executor.tellsAs(thread);
    if (takeReads(runningOn(executor), executor, reads, thread)) {
        return;
    }
    const bool isReversed = executor.block().isReversed != 0;
    for (std::uint32_t i = 0; i < stripThreads; ++i) {
        const std::uint32_t lane = isReversed ? stripThreads - 1 - i : i;
        const std::uintptr_t at = reads.first + static_cast<std::uintptr_t>(reads.laneBytes * lane);
        hipcpu_access_of(reinterpret_cast<const void*>(at), reads.bytes, AccessKind::read, nullptr, &reads.site,
                         reads.object, thread + lane);
    }
}

// An address that wraps round on the way lies at another place than the distances say, far from all memory.
void tellLast(const StripReads& strip, std::uintptr_t last, std::uint32_t thread) {
    if (strip.first + static_cast<std::uintptr_t>(strip.laneBytes * StripReads::steps) != last) {
        hipcpu_access_of(reinterpret_cast<const void*>(last), strip.bytes, AccessKind::read, nullptr, &strip.site,
                         strip.object, thread + stripThreads - 1);
    }
}

// Of all threads of a block.
class BlockReads {
public:
    struct Distances {
        std::intptr_t strip, row, plane;
    };
    BlockReads(BlockExecutor& executor, const StripReads& first, const Distances& distances)
        : m_executor(executor)
        , m_block(executor.block())
        , m_first(first)
        , m_distances(distances)
        , m_strips(m_block.blockSize[0] / stripThreads) {}

    void tell(std::uintptr_t last) {
        const StripReads end = {m_first.first + spread(m_distances.plane, m_block.blockSize[2]) +
                                    spread(m_distances.row, m_block.blockSize[1]) + spread(m_distances.strip, m_strips),
                                m_first.laneBytes, m_first.bytes, m_first.site, m_first.object};
        tellLast(end, last, threadOf(m_strips - 1, m_block.blockSize[1] - 1, m_block.blockSize[2] - 1));
        if (!isClear()) {
            forEachStrip([&](const StripReads& reads, std::uint32_t thread) { tellReads(m_executor, reads, thread); });
        }
    }

private:
    static std::uintptr_t spread(std::intptr_t distance, std::uint32_t count) {
        return static_cast<std::uintptr_t>(distance * (count - 1));
    }
    // `take` gets what is not the same as before in the same wave.
    template<class Take>
    void forEachStrip(Take take) {
        StripReads reads = m_first;
        std::uintptr_t before = 0;
        std::uint32_t waveBefore = ~std::uint32_t{0};
        for (std::uint32_t z = 0; z < m_block.blockSize[2]; ++z) {
            for (std::uint32_t y = 0; y < m_block.blockSize[1]; ++y) {
                for (std::uint32_t x = 0; x < m_strips; ++x) {
                    reads.first = m_first.first + static_cast<std::uintptr_t>(m_distances.plane * z) +
                                  static_cast<std::uintptr_t>(m_distances.row * y) +
                                  static_cast<std::uintptr_t>(m_distances.strip * x);
                    const std::uint32_t thread = threadOf(x, y, z);
                    if (reads.first != before || thread / waveSize != waveBefore) {
                        take(reads, thread);
                    }
                    before = reads.first;
                    waveBefore = thread / waveSize;
                }
            }
        }
    }
    // In the order of the loops.
    std::uint32_t threadOf(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
        const std::uint32_t strip = (z * m_block.blockSize[1] + y) * m_strips + x;
        const std::uint32_t all = m_block.blockSize[2] * m_block.blockSize[1] * m_strips;
        return (m_block.isReversed != 0 ? all - 1 - strip : strip) * stripThreads;
    }

    bool isClear() {
        RunningBlock& running = runningOn(m_executor);
        if (watched.memory != nullptr) {
            step(running, m_executor, m_first.site);
        }
        std::uintptr_t low = m_first.low();
        std::uintptr_t high = m_first.high();
        std::uintptr_t steps = static_cast<std::uintptr_t>(m_first.laneBytes);
        const auto widen = [&](std::intptr_t distance, std::uint32_t count) {
            if (count > 1) {
                (distance < 0 ? low : high) += spread(distance, count);
                steps |= static_cast<std::uintptr_t>(distance);
            }
        };
        widen(m_distances.strip, m_strips);
        widen(m_distances.row, m_block.blockSize[1]);
        widen(m_distances.plane, m_block.blockSize[2]);
        if (!isAligned(low | steps, m_first.site)) {
            return false;
        }
        const bool isSure =
            watched.memory == nullptr || running.check.isReadable(m_executor, low, high, m_first.site, m_first.object);
        if (watched.races == nullptr || !isLds(m_executor, low)) {
            return isSure && (watched.races == nullptr || isUnwatched(low, high));
        }
        if (!isSure) { // what lies between the rows may be unwritten
            return false;
        }
        forEachStrip([&](const StripReads& reads, std::uint32_t thread) {
            if (!noteReads(running, m_executor, reads, thread)) {
                tellReads(m_executor, reads, thread);
            }
        });
        return true;
    }

    BlockExecutor& m_executor;
    const BlockContext& m_block;
    const StripReads& m_first;
    Distances m_distances;
    std::uint32_t m_strips; // of a row
};

} // namespace
} // namespace gks::hipcpu

using namespace gks::hipcpu;

extern "C" void hipcpu_reads_of(const void* first, const void* last, std::uint64_t bytes, const AccessSite* site,
                                const void* object, std::uint32_t thread) {
    if (BlockExecutor* const executor = teller(site)) {
        const auto begin = reinterpret_cast<std::uintptr_t>(first);
        const auto end = reinterpret_cast<std::uintptr_t>(last);
        const StripReads reads = {begin, static_cast<std::intptr_t>(end - begin) / StripReads::steps, bytes, *site,
                                  object};
        tellLast(reads, end, thread);
        tellReads(*executor, reads, thread);
    }
}

extern "C" void hipcpu_reads_of_block(const void* first, const void* last, std::int64_t laneBytes,
                                      std::int64_t stripBytes, std::int64_t rowBytes, std::int64_t planeBytes,
                                      std::uint64_t bytes, const AccessSite* site, const void* object) {
    if (BlockExecutor* const executor = teller(site)) {
        const StripReads reads = {reinterpret_cast<std::uintptr_t>(first), laneBytes, bytes, *site, object};
        BlockReads(*executor, reads, {stripBytes, rowBytes, planeBytes}).tell(reinterpret_cast<std::uintptr_t>(last));
    }
}
