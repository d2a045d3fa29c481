// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/access_check.h"

#include "core/hipcpu/runtime/access_place.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace gks::hipcpu {
namespace {

bool writes(AccessKind kind) {
    return kind == AccessKind::write || kind == AccessKind::fill || kind == AccessKind::atomicWrite;
}

bool updates(AccessKind kind) {
    return kind == AccessKind::update || kind == AccessKind::blindUpdate;
}

std::size_t ldsBytes(const BlockContext& block) {
    return std::size_t{block.staticLdsBytes} + block.dynamicLdsBytes;
}

std::uintptr_t ldsBegin(const BlockExecutor& executor) {
    return reinterpret_cast<std::uintptr_t>(executor.block().lds);
}

std::string bytesText(std::uint64_t bytes) {
    return " (" + std::to_string(bytes) + " bytes)";
}

// The second side of a copy.
bool isCopied(const ToldAccess& told) {
    return writes(told.kind) && (told.site.flags & AccessSite::isCopy) != 0;
}

constexpr const char* blockMemory = "the block's LDS";

} // namespace

Finding findingAt(const BlockExecutor& executor, FindingKind kind, const AccessSite& site) {
    Finding finding;
    finding.kind = kind;
    finding.name = cleaned(site.name);
    finding.place = placeOf(site);
    finding.symbol = executor.launch().kernel->name;
    finding.kernel = readableKernel(finding.symbol.c_str());
    std::memcpy(finding.block.data(), executor.block().blockIndex, sizeof finding.block);
    if (const Fibre* const fibre = executor.running()) {
        finding.hasThread = true;
        std::memcpy(finding.thread.data(), fibre->context.threadIndex, sizeof finding.thread);
        finding.wave = fibre->index / waveSize;
    }
    return finding;
}

bool ToldAccess::needsWritten() const {
    return !writes(kind) && (site.flags & (AccessSite::isCopy | AccessSite::needsNone)) == 0;
}

void AccessCheck::beginBlock(MemoryCheck& memory, TakeFinding take, const BlockExecutor& executor) {
    m_memory = &memory;
    m_take = take;
    m_ldsBytes = ldsBytes(executor.block());
    m_ldsSure = {};
    std::memset(m_ldsWritten.data(), 0, m_ldsBytes);
    memory.refresh(m_finder);
}

void AccessCheck::report(const ToldAccess& told, FindingKind what, Finding::Memory kind, std::string memory,
                         std::uintptr_t begin, std::uint64_t bytes) const {
    Finding finding = findingAt(told.executor, what, told.site);
    finding.access = writes(told.kind)    ? Finding::Access::write
                     : updates(told.kind) ? Finding::Access::update
                                          : Finding::Access::read;
    finding.bytes = told.bytes;
    finding.memoryKind = kind;
    finding.memory = std::move(memory);
    finding.offset = static_cast<std::int64_t>(told.address - begin);
    finding.memoryBytes = bytes;
    finding.isHarmless = what == FindingKind::misaligned && (told.address & (told.site.alignment - 1)) == 0;
    finding.alignment = finding.isHarmless ? told.site.typeAlignment : told.site.alignment;
    m_take(finding);
}

__attribute__((noinline, cold)) void AccessCheck::report(const ToldAccess& told, FindingKind what,
                                                         const Place& place) const {
    const bool saysBytes = place.area == nullptr && what == FindingKind::outside;
    report(told, what, place.kind,
           place.area != nullptr ? place.area->text : blockMemory + (saysBytes ? bytesText(place.bytes) : ""),
           place.begin, what == FindingKind::misaligned ? 0 : place.bytes);
}

__attribute__((noinline, cold)) void AccessCheck::reportOutside(const ToldAccess& told, const void* object) const {
    const bool isInLds = told.executor.isLds(object);
    report(told, FindingKind::outside, isInLds ? Finding::Memory::ldsVariable : Finding::Memory::variable,
           (isInLds ? "the LDS variable " : "the variable ") + cleaned(told.site.name) +
               bytesText(told.site.objectBytes),
           reinterpret_cast<std::uintptr_t>(object), told.site.objectBytes);
}

void AccessCheck::reportPrivate(const ToldAccess& told, std::uint64_t variableBytes) const {
    report(told, FindingKind::outside, Finding::Memory::privateArray,
           "the private array " + cleaned(told.site.name) + bytesText(variableBytes), 0, variableBytes);
}

// What is known of the bytes that a copy takes along; null: all of them are written.
const unsigned char* AccessCheck::writtenAt(const BlockExecutor& executor, std::uintptr_t from) {
    if (executor.isLds(reinterpret_cast<const void*>(from))) {
        return m_ldsWritten.data() + (from - ldsBegin(executor));
    }
    const MemoryArea* const area = m_memory->find(m_finder, from);
    return area != nullptr && area->has(from) && area->written != nullptr ? area->written + (from - area->begin)
                                                                          : nullptr;
}

// `written` are the bytes of the access itself.
void AccessCheck::noteOrAsk(const ToldAccess& told, const void* value, unsigned char* written, const Place& place) {
    if (told.needsWritten() && !anyWritten(written, told.bytes)) {
        report(told, FindingKind::unwritten, place);
        markWritten(written, told.bytes); // once is enough
    }
    if (!writes(told.kind) && !updates(told.kind)) {
        return;
    }
    const unsigned char* const from =
        isCopied(told) ? writtenAt(told.executor, reinterpret_cast<std::uintptr_t>(value)) : nullptr;
    if (from != nullptr) {
        if (place.area != nullptr && !allWritten(from, told.bytes)) {
            place.area->isAllWritten = false;
        }
        std::memmove(written, from, told.bytes);
    } else {
        markWritten(written, told.bytes);
    }
}

void AccessCheck::noteWrites(const BlockExecutor& executor, const StripRow& writes, const char* flags) {
    const AccessSite anywhere = {};
    const std::uintptr_t low = writes.low(), high = writes.high();
    unsigned char* const written = find(executor, low, high, anywhere, nullptr).written;
    const auto distance = static_cast<std::uint64_t>(std::abs(writes.laneBytes));
    if (written == nullptr || (flags != nullptr && distance <= writes.bytes && allWritten(written, high - low))) {
        return;
    }
    if (flags == nullptr && distance <= writes.bytes) {
        markWritten(written, high - low);
        return;
    }
    for (std::uint32_t lane = 0; lane < writes.lanes; ++lane) {
        if (flags == nullptr || flags[lane] != 0) {
            const std::uint32_t steps = writes.laneBytes < 0 ? writes.lanes - 1 - lane : lane;
            markWritten(written + steps * distance, writes.bytes);
        }
    }
}

void AccessCheck::checkLds(const ToldAccess& told, const void* value) {
    const Place place = {Finding::Memory::lds, nullptr, ldsBegin(told.executor), ldsBytes(told.executor.block())};
    if (told.address + told.bytes > place.begin + place.bytes) {
        report(told, FindingKind::outside, place);
        return;
    }
    noteOrAsk(told, value, m_ldsWritten.data() + (told.address - place.begin), place);
}

void AccessCheck::checkMemory(const ToldAccess& told, const void* value) {
    MemoryArea* const area = m_memory->find(m_finder, told.address);
    if (area == nullptr) {
        return; // memory of the runtime, of this thread or of the host, which a fault will tell if it is none
    }
    const std::uintptr_t begin = area->begin;
    const Place place = {Finding::Memory::buffer, area, begin, area->end - begin};
    if (area->isFreed.load(std::memory_order_relaxed)) {
        report(told, area->has(told.address) ? FindingKind::freed : FindingKind::outside, place);
    } else if (!area->has(told.address) || told.bytes > begin + place.bytes - told.address) {
        report(told, FindingKind::outside, place);
    } else if (unsigned char* const written = isCopied(told) ? area->written.load() : area->unsureBytes()) {
        noteOrAsk(told, value, written + (told.address - begin), place);
    }
}

void AccessCheck::checkAlignment(const ToldAccess& told, bool isLds) {
    if (suits(told.address, told.site)) {
        return;
    }
    if ((told.address & (told.site.alignment - 1)) == 0) {
        m_saidSites.push_back(&told.site);
    }
    MemoryArea* const area = isLds ? nullptr : m_memory->find(m_finder, told.address);
    if (area != nullptr) {
        report(told, FindingKind::misaligned, {Finding::Memory::buffer, area, area->begin, 0});
    } else if (isLds) {
        report(told, FindingKind::misaligned, {Finding::Memory::lds, nullptr, ldsBegin(told.executor), 0});
    }
}

void AccessCheck::look(const ToldAccess& told, const void* value, const void* object) {
    const auto begin = reinterpret_cast<std::uintptr_t>(object);
    if (object != nullptr && (told.address < begin || told.address + told.bytes > begin + told.site.objectBytes)) {
        reportOutside(told, object);
        return;
    }
    if (told.bytes == 0) {
        return;
    }
    const bool isLds = told.executor.isLds(reinterpret_cast<const void*>(told.address));
    checkAlignment(told, isLds);
    if (isLds) {
        checkLds(told, value);
    } else {
        checkMemory(told, value);
    }
}

} // namespace gks::hipcpu
