// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/cache_flush.h"

#include <unistd.h>

// The cache before a timed call. On a GPU a fill of twice its largest cache evicts everything. On the cpu target the
// runner's thread writes a buffer right after it has copied the inputs: twice the level 2 cache where the last level is
// large (a server's is shared, often with other machines, and sweeping it would cost more than the kernel), one and a
// half times the last level where it is small.
namespace gks {
namespace {

constexpr std::size_t largeLastLevelBytes = std::size_t{32} << 20;
constexpr std::size_t unknownFlushBytes = std::size_t{8} << 20;
constexpr std::size_t amdFlushBytes = std::size_t{512} << 20; // MI300: 256 MB of Infinity Cache
constexpr std::size_t nvidiaFlushBytes = std::size_t{256} << 20;
constexpr int secondLevelFactor = 2;

std::size_t cpuFlushBytes() {
    const long second = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
    const long last = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (last > 0 && static_cast<std::size_t>(last) <= largeLastLevelBytes) {
        return static_cast<std::size_t>(last) * 3 / 2;
    }
    return second > 0 ? static_cast<std::size_t>(second) * secondLevelFactor : unknownFlushBytes;
}

} // namespace

std::size_t flushBytesFor(TargetKind target) {
    switch (target) {
    case TargetKind::amd:
        return amdFlushBytes;
    case TargetKind::nvidia:
        return nvidiaFlushBytes;
    case TargetKind::cpu:
        break;
    }
    static const std::size_t bytes = cpuFlushBytes();
    return bytes;
}

} // namespace gks
