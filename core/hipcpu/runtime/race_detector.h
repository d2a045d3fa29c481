// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gks::hipcpu {

// Two accesses of one place that nothing orders, one of which writes what the other would notice.
struct Race {
    struct Side {
        std::uint32_t operation = 0; // its number in the plan
        std::uint64_t block = 0;     // x fastest
        std::uint32_t wave = 0;      // of the block
        bool writes = false;
    };
    Side first;
    Side second;
    std::uintptr_t address = 0; // in LDS counted from its start
    bool isLds = false;
};

// Finds such accesses among those that it is told; see race_detector.cpp.
class RaceDetector {
public:
    // Beyond these it looks no further and isComplete() is false.
    struct Limits {
        std::size_t pages = 8192; // of 4 KiB that somebody touched
        std::size_t events = std::size_t{4} << 20;
        std::uint64_t steps = std::uint64_t{1} << 26; // through events
    };
    RaceDetector();
    explicit RaceDetector(const Limits& limits);
    ~RaceDetector();

    // Memory that blocks share.
    void watch(const void* begin, std::size_t bytes);
    // For every operation of a plan those that neither wait for it nor have it wait for them, ascending; without it
    // every operation waits for the one before.
    void setUnordered(std::vector<std::vector<std::size_t>> unordered) { m_unordered = std::move(unordered); }
    // While no block runs. A call executes the operations of the plan once; what an earlier one did is before all of
    // it.
    void beginCall() { m_firstOfCall = m_nextActor; }
    void beginOperation(std::uint32_t number, std::uint64_t blocks);

private:
    struct Access { // a plain one; actor 0: none
        std::uint32_t actor = 0;
        std::uint32_t epoch = 0;
        std::uint32_t interval = 0;
        std::uint8_t wave = 0;
        std::uint8_t bytes = 0; // of the word, a bit each
        bool changes = false;   // a write of something else than was there
        bool isSame = false;    // and others have written the same there
    };
    struct Cell { // of an aligned word of four bytes
        Access written, read, readBefore;
    };

public:
    // What is known of the block that a thread of the operating system runs; it is entered once for each block.
    class Block {
        friend class RaceDetector;
        std::uint32_t m_actor = 0;
        std::uint32_t m_epoch = 0; // releases so far
        std::uint32_t m_event = 0; // its latest
        std::uint32_t m_acquired = 0;
        std::array<std::uint32_t, maxThreadsPerBlock / waveSize> m_acquiredIn = {}; // epoch, for each wave
        std::vector<std::uint32_t> m_unexplored;
        std::unordered_set<std::uint32_t> m_explored;
        std::unordered_map<std::uint32_t, std::uint32_t> m_known; // of each actor so many releases
        std::unique_ptr<Cell[]> m_lds;
    };
    struct Where {
        std::uint32_t wave = 0;
        std::uint32_t interval = 0; // barriers that the block has passed
    };
    void enter(Block& block, std::uint64_t number) const; // x fastest, of the running operation
    // Told before it happens. `value` may be null, as in hipcpu_access().
    void access(Block& block, const Where& where, const void* address, std::size_t bytes, AccessKind kind,
                const void* value);
    // `offset` from the start of the block's LDS, which lies at `lds`.
    void accessLds(Block& block, const Where& where, const void* lds, std::size_t offset, std::size_t bytes,
                   AccessKind kind, const void* value);

    const std::optional<Race>& race() const { return m_race; } // the first; while no block runs
    std::uint64_t accesses() const { return m_accesses.load(std::memory_order_relaxed); }
    bool isComplete() const { return m_complete.load(std::memory_order_relaxed); }

private:
    using Page = std::unique_ptr<Cell[]>;
    struct Memory {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::vector<Page> pages;
    };
    // Of the order of atomics: one of a block, or (actor 0) what lies at an address since.
    struct Event {
        std::uint32_t before = 0;
        std::uint32_t other = 0;
        std::uint32_t actor = 0;
        std::uint32_t releases = 0; // of the actor: what it did before the last of them is known behind this event
    };
    struct Operation {
        std::uint32_t firstActor = 0;
        std::uint32_t number = 0;
    };
    struct Told;

    void take(Block& block, const Told& told);
    void plain(Block& block, const Told& told);
    void look(Block& block, const Told& told, Cell& cell, Access mine, std::uintptr_t word);
    void acquire(Block& block, const Told& told);
    void learn(Block& block, std::uint32_t event);
    void release(Block& block, const Told& told);
    Cell* cellOf(Block& block, const Told& told, std::uintptr_t word);
    bool isOrdered(Block& block, const Told& told, const Access& before);
    void explore(Block& block);
    std::uint32_t addEvent(const Event& event);
    const Operation& operationOf(std::uint32_t actor) const;
    bool areUnordered(const Operation& a, const Operation& b) const;
    void report(const Told& told, const Access& before, const Access& mine, std::uintptr_t word);
    void giveUp() { m_complete.store(false, std::memory_order_relaxed); }

    Limits m_limits;
    std::vector<Memory> m_memory;
    std::vector<std::vector<std::size_t>> m_unordered;
    std::vector<Operation> m_operations;
    std::uint64_t m_nextActor = 1;
    std::uint64_t m_firstOfCall = 1;
    std::size_t m_pages = 0;
    std::uint64_t m_steps = 0;
    std::vector<Event> m_events; // number 0: none
    std::unordered_map<std::uintptr_t, std::uint32_t> m_lastAt;
    std::unordered_map<std::uint32_t, std::uint32_t> m_lastOf; // actors that have one
    std::optional<Race> m_race;
    std::atomic<bool> m_found{false};
    std::atomic<bool> m_complete{true};
    std::atomic<std::uint64_t> m_accesses{0};
    std::atomic_flag m_busy; // guards all of the above but what is atomic
};

} // namespace gks::hipcpu
