// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/findings/finding.h"
#include "core/hipcpu/runtime/access_watch.h"
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/memory_check.h"
#include "core/hipcpu/runtime/thread_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gks::hipcpu {

// By the running thread of a block.
Finding findingAt(const BlockExecutor& executor, FindingKind kind, const AccessSite& site);

// One access that device code tells.
struct ToldAccess {
    const BlockExecutor& executor;
    std::uintptr_t address;
    std::uint64_t bytes;
    AccessKind kind;
    const AccessSite& site;

    bool needsWritten() const;
};

// Where the accesses of the block that a thread of the operating system runs lie, and whether anybody has written what
// they read.
class AccessCheck {
public:
    void beginLaunch() {
        m_finder = {};
        m_saidSites.clear();
    }
    void beginBlock(MemoryCheck& memory, TakeFinding take, const BlockExecutor& executor);

    // See hipcpu_access().
    void check(const ToldAccess& told, const void* value, const void* object) {
        const Inside inside = find(told.executor, told.address, told.address + told.bytes, told.site, object);
        const bool isPlain =
            inside.isSure && (told.site.flags & AccessSite::isCopy) == 0 && suits(told.address, told.site);
        if (isPlain && inside.written == nullptr) {
            return;
        }
        if (isPlain && told.kind == AccessKind::write) {
            markWritten(inside.written, told.bytes);
        } else if (!isPlain || told.kind != AccessKind::read || !allWritten(inside.written, told.bytes)) {
            look(told, value, object);
        }
    }
    // Whether nothing is to be said of an address, or of all bits of several.
    bool suits(std::uintptr_t address, const AccessSite& site) const {
        return (address & (site.alignment - 1)) == 0 &&
               ((address & (site.typeAlignment - 1)) == 0 || site.typeAlignment == 0 || isSaid(site));
    }
    // Of an access outside of a thread's own variable: of so many bytes, `told.address` from its start.
    void reportPrivate(const ToldAccess& told, std::uint64_t variableBytes) const;
    // Plain reads of a strip, likewise as the next.
    bool areReadable(const BlockExecutor& executor, const StripRow& reads) {
        const std::uintptr_t low = reads.low(), high = reads.high();
        const Inside inside = find(executor, low, high, *reads.site, reads.object);
        return inside.isSure && (inside.written == nullptr || (reads.site->flags & AccessSite::needsNone) != 0 ||
                                 areWritten(reads, inside.written));
    }
    // Plain reads: whether nothing is wrong with any of them. What lies between them need not be written.
    bool areReadable(const BlockExecutor& executor, const ThreadRows& reads, const ThreadRows::Extent& extent) {
        const StripRow& first = reads.first;
        const Inside inside = find(executor, extent.low, extent.high, *first.site, first.object);
        if (!inside.isSure || inside.written == nullptr || (first.site->flags & AccessSite::needsNone) != 0) {
            return inside.isSure;
        }
        const std::uintptr_t bytes = extent.high - extent.low;
        if (bytes <= mostBetween * reads.threads() * first.bytes && allWritten(inside.written, bytes)) {
            noteSure(extent.low - reinterpret_cast<std::uintptr_t>(executor.block().lds), bytes);
            return true;
        }
        bool areAll = true;
        reads.forEachRowOfWave([&](const StripRow& strip, std::uint32_t) {
            areAll = areAll && areWritten(strip, inside.written + (strip.low() - extent.low));
        });
        return areAll;
    }

    // Whether all lies in one piece of memory, or in none that is known.
    bool isInside(const BlockExecutor& executor, std::uintptr_t low, std::uintptr_t high, const AccessSite& site,
                  const void* object) {
        return find(executor, low, high, site, object).isSure;
    }
    // Likewise, and that memory is known.
    bool isKnown(const BlockExecutor& executor, std::uintptr_t low, std::uintptr_t high, const AccessSite& site,
                 const void* object) {
        return isInside(executor, low, high, site, object) &&
               (executor.isLds(reinterpret_cast<const void*>(low)) || m_memory->find(m_finder, low) != nullptr);
    }
    // Inside; `flags`: not 0 of the lanes that write, null: all do.
    void noteWrites(const BlockExecutor& executor, const StripRow& writes, const char* flags);

private:
    static constexpr std::uintptr_t mostBetween = 2; // times as much
    static bool areWritten(const StripRow& strip, const unsigned char* written) {
        const auto distance = static_cast<std::uint64_t>(std::abs(strip.laneBytes));
        if (distance <= strip.bytes) {
            return allWritten(written, strip.high() - strip.low());
        }
        bool areAll = true;
        for (std::uint32_t i = 0; i < strip.lanes; ++i) {
            areAll = allWritten(written + i * distance, strip.bytes) && areAll;
        }
        return areAll;
    }
    struct Inside {
        bool isSure = false;              // the bytes lie in one piece of memory, or in none that is known
        unsigned char* written = nullptr; // null: all of them count as written
    };
    [[gnu::always_inline]] Inside find(const BlockExecutor& executor, std::uintptr_t low, std::uintptr_t high,
                                       const AccessSite& site, const void* object) {
        const auto begin = reinterpret_cast<std::uintptr_t>(object);
        if (object != nullptr && (low < begin || high > begin + site.objectBytes)) {
            return {};
        }
        const std::uintptr_t inLds = low - reinterpret_cast<std::uintptr_t>(executor.block().lds);
        if (inLds < m_ldsBytes) {
            const std::uintptr_t end = inLds + (high - low);
            return {end <= m_ldsBytes,
                    inLds >= m_ldsSure.begin && end <= m_ldsSure.end ? nullptr : m_ldsWritten.data() + inLds};
        }
        return findMemory(executor, low, high);
    }
    Inside findMemory(const BlockExecutor& executor, std::uintptr_t low, std::uintptr_t high) {
        if (executor.isLds(reinterpret_cast<const void*>(low))) {
            return {};
        }
        const MemoryArea* const area = m_memory->find(m_finder, low);
        if (area == nullptr) {
            return {m_memory->find(m_finder, high - 1) == nullptr};
        }
        if (area->isFreed.load(std::memory_order_relaxed) || low < area->begin.load(std::memory_order_relaxed) ||
            high > area->end.load(std::memory_order_relaxed)) {
            return {};
        }
        unsigned char* const unsure = area->unsureBytes();
        return {true, unsure != nullptr ? unsure + (low - area->begin.load(std::memory_order_relaxed)) : nullptr};
    }
    void noteSure(std::uintptr_t offset, std::uintptr_t bytes) {
        if (offset >= m_ldsBytes) {
            return; // of other memory
        }
        const Sure now = {offset, offset + bytes};
        m_ldsSure = now.begin <= m_ldsSure.end && now.end >= m_ldsSure.begin
                        ? Sure{std::min(now.begin, m_ldsSure.begin), std::max(now.end, m_ldsSure.end)}
                        : now;
    }
    // What is wrong with it, if anything.
    void look(const ToldAccess& told, const void* value, const void* object);
    struct Place { // of an access
        Finding::Memory kind;
        MemoryArea* area; // null: LDS
        std::uintptr_t begin;
        std::uint64_t bytes;
    };
    const unsigned char* writtenAt(const BlockExecutor& executor, std::uintptr_t from);
    void noteOrAsk(const ToldAccess& told, const void* value, unsigned char* written, const Place& place);
    void checkLds(const ToldAccess& told, const void* value);
    void checkMemory(const ToldAccess& told, const void* value);
    void checkAlignment(const ToldAccess& told, bool isLds);
    // That its addresses do not suit their type: once is enough.
    bool isSaid(const AccessSite& site) const {
        return std::find(m_saidSites.begin(), m_saidSites.end(), &site) != m_saidSites.end();
    }
    void reportOutside(const ToldAccess& told, const void* object) const;
    void report(const ToldAccess& told, FindingKind what, const Place& place) const;
    void report(const ToldAccess& told, FindingKind what, Finding::Memory kind, std::string memory,
                std::uintptr_t begin, std::uint64_t bytes) const;

    MemoryCheck* m_memory = nullptr;
    TakeFinding m_take = nullptr;
    MemoryCheck::Finder m_finder;
    std::vector<const AccessSite*> m_saidSites;
    std::uintptr_t m_ldsBytes = 0;
    std::array<unsigned char, greatestLdsBytes> m_ldsWritten; // a byte for each
    struct Sure {                                             // from there to there all bytes are written
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
    };
    Sure m_ldsSure;
};

} // namespace gks::hipcpu
