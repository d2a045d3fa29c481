// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/runtime/lds_notes.h"
#include "core/hipcpu/runtime/race_order.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gks::hipcpu {

// Two accesses of one place that nothing orders, one of which writes what the other would notice.
struct Race {
    struct Side {
        std::uint32_t operation = 0; // its number in the plan
        std::uint64_t block = 0;     // x fastest
        std::uint32_t wave = 0;      // of the block
        bool writes = false;
        std::uint32_t bytes = 0;          // of one word
        const AccessSite* site = nullptr; // in the source, where it is known
    };
    Side first;
    Side second;
    std::uintptr_t address = 0; // in LDS counted from its start
    bool isLds = false;
    bool isLostUpdate = false; // both write back what they have made of what they read there
};

// Finds such accesses among those that it is told; see race_detector.cpp.
class RaceDetector {
public:
    // Beyond these it looks no further and isComplete() is false.
    struct Limits {
        std::size_t pages = 8192; // of 4 KiB that several waves touched, and by words eight times as many
        std::size_t events = std::size_t{4} << 20;
        std::uint64_t steps = std::uint64_t{1} << 26; // through events
    };
    RaceDetector();
    explicit RaceDetector(const Limits& limits);
    ~RaceDetector();

    // Memory that blocks share.
    void watch(const void* begin, std::size_t bytes);
    // Whether access() has anything to do there. Most accesses read inputs: they cost no more than this.
    bool isWatched(const void* address) const { return memoryAt(address) < m_memory.size(); }
    // Whether all of it lies in one piece of that.
    bool areWatched(std::uintptr_t low, std::uintptr_t high) const {
        const std::size_t found = memoryAt(reinterpret_cast<const void*>(low));
        return found < m_memory.size() && high <= m_memory[found].end;
    }
    // For every operation of a plan those that neither wait for it nor have it wait for them, ascending; without it
    // every operation waits for the one before.
    void setUnordered(std::vector<std::vector<std::size_t>> unordered) { m_unordered = std::move(unordered); }
    // Whether some operation does neither: the others race with nothing.
    bool mayRace(std::uint32_t operation) const {
        return operation < m_unordered.size() && !m_unordered[operation].empty();
    }
    // While no block runs. A call executes the operations of the plan once; what an earlier one did is before all of
    // it.
    void beginCall() { m_firstOfCall = m_nextActor; }
    void beginOperation(std::uint32_t number, std::uint64_t blocks);
    // Likewise, of the operation that runs: what its blocks did is before all that they do now.
    void beginPart(std::uint64_t blocks) { beginOperation(m_operations.back().number, blocks); }

    using Where = RaceOrder::Where;

private:
    static constexpr std::size_t pageBytes = 4096;
    struct Access { // actor 0: none
        RaceOrder::Moment when;
        std::uint8_t bytes = 0;     // of the word, a bit each
        bool changes : 1 = false;   // a write of something else than was there
        bool isSame : 1 = false;    // and others have written the same there
        bool isGuess : 1 = false;   // see AccessKind
        bool comesBack : 1 = false; // made of what was there
        std::uint16_t site = 0;     // its number in the module; 0: unknown

        bool isOf(const Access& other) const { return when.actor == other.when.actor && when.wave == other.when.wave; }
    };
    struct Atomics {
        Access changed, changedBefore; // the last two waves that did
        std::uint32_t event = 0;       // of the order
    };
    struct Cell {                         // of an aligned word of four bytes
        Access written, read, readBefore; // plainly
        std::unique_ptr<Atomics> atomics;
    };

public:
    // What is known of the block that a thread of the operating system runs; it is entered once for each block.
    class Block {
        friend class RaceDetector;
        RaceOrder::Block m_order;
        // What waves have read to write it back, each with what they did not wait for.
        std::unordered_map<std::uint64_t, Access> m_toChange;
        LdsNotes m_notes;                                 // of plain accesses to LDS, until an atomic orders them
        bool m_hasNotes = true;                           // else what they said is in m_lds
        std::unique_ptr<Cell[]> m_lds;                    // a cell for each word
        std::atomic<std::uint64_t>* m_accesses = nullptr; // told, of the thread that runs it
        bool m_holds = false;                             // between begin() and access()
        const void* m_waitsAt = nullptr;                  // what it has read last, where that was by an atomic
        std::uint32_t m_waits = 0;                        // so often again
    };
    void enter(Block& block, std::uint64_t number); // x fastest, of the running operation
    // Before an atomic that reads and writes: until access() tells of it, other threads wait.
    void begin(Block& block, const void* address);
    // See hipcpu_access().
    void access(Block& block, const Where& where, const void* address, std::size_t bytes, AccessKind kind,
                const void* value, const AccessSite* site = nullptr);
    // `offset` from the start of the block's LDS, which lies at `lds`.
    void accessLds(Block& block, const Where& where, const void* lds, std::size_t offset, std::size_t bytes,
                   AccessKind kind, const void* value, const AccessSite* site = nullptr);
    // Plain accesses by one wave, all at once.
    struct Row {
        std::uintptr_t first = 0; // address, or offset in LDS
        std::intptr_t distance = 0;
        std::uint64_t bytes = 0;
        std::uint32_t count = 0;
        const char* before = nullptr; // of writes what was there, one behind the other
        const char* values = nullptr;
        const char* flags = nullptr; // not 0 of those that are made; null: all are
    };
    void write(Block& block, const Where& where, const Row& row, bool isLds, const AccessSite* site);
    void read(Block& block, const Where& where, const Row& row, const AccessSite* site); // of memory
    // Plain reads by one wave, all at once; false: they have to be told one by one.
    bool readLds(Block& block, const Where& where, const LdsNotes::Row& row, const AccessSite* site) {
        if (!isLooking()) {
            return true;
        }
        count(block);
        return block.m_hasNotes && block.m_notes.read({where.wave, where.interval, siteNumberOf(site)}, row);
    }

    // Whether such reads may be told later, if at all.
    bool mayNoteLater(Block& block) {
        count(block);
        return block.m_hasNotes;
    }

    const std::optional<Race>& race() const { return m_race; } // the first; while no block runs
    std::uint64_t accesses() const;                            // that were told; of reads that were told at once, one
    bool isComplete() const { return m_complete.load(std::memory_order_relaxed); }

private:
    // Of each 64 bytes, as long as one wave alone has read or written all of them plainly: who it was, and likewise of
    // each word where the lines are not enough. Most memory is touched by one wave. See race_rows.cpp.
    using Note = std::atomic<std::uint64_t>;
    static constexpr std::size_t pagesOfWordsForEach = 8; // page of cells, as much memory
    struct Lines {
        static constexpr std::size_t bytes = 64;
        static constexpr std::uint64_t inCells = 1; // what is known is in the cells
        static constexpr std::uint64_t inWords = 2; // of a line: in the notes of its words
        using Words = std::array<Note, pageBytes / sizeof(std::uint32_t)>;
        std::array<Note, pageBytes / bytes> notes = {};
        std::atomic<Words*> words{nullptr};

        Lines() = default;
        Lines(const Lines&) = delete;
        Lines& operator=(const Lines&) = delete;
        ~Lines() { delete words.load(); }
    };
    struct Page {
        std::atomic<Lines*> lines{nullptr};
        // Of the words of each line; of most lines none is needed.
        std::unique_ptr<std::array<std::unique_ptr<Cell[]>, pageBytes / Lines::bytes>> cells;

        Page() = default;
        Page(const Page&) = delete;
        Page& operator=(const Page&) = delete;
        ~Page() { delete lines.load(); }
    };
    struct Memory {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        std::unique_ptr<Page[]> pages;
    };
    // Which of m_memory; its size where it is none.
    std::size_t memoryAt(const void* address) const {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        std::size_t i = 0;
        while (i < m_memory.size() && at - m_memory[i].begin >= m_memory[i].end - m_memory[i].begin) {
            ++i;
        }
        return i;
    }
    struct Operation {
        std::uint32_t firstActor = 0;
        std::uint32_t number = 0;
    };
    struct Told;

    bool isLooking() const { return !m_found.load(std::memory_order_relaxed) && isComplete(); }
    static void giveWay(Block& block, const void* address, AccessKind kind, const void* value);
    void take(Block& block, const Told& told);
    void plain(Block& block, const Told& told, Cell& cell, Access mine, std::uintptr_t word);
    void atomic(Block& block, const Told& told, Cell& cell, Access mine, std::uintptr_t word);
    void noteRead(Block& block, const Told& told, const Cell& cell, const Access& mine, std::uintptr_t word);
    bool isLost(Block& block, const Told& told, Access& mine, std::uintptr_t word);
    Cell* cellOf(Block& block, const Told& told, std::uintptr_t word);
    static Lines& linesOf(Page& page);
    static Note& lineNote(Lines& lines, std::uintptr_t address);
    Note& wordNote(Lines& lines, std::uintptr_t address);
    void takeLine(Page& page, std::uintptr_t word);
    std::uint64_t noteOf(const Block& block, const Where& where, bool isRead, std::uint16_t site) const;
    bool isOld(std::uint64_t note) const;
    bool isNotedAt(Note& place, std::uint64_t mine, bool changes) const;
    bool isLineNoted(Lines& lines, std::uintptr_t line, std::uint64_t mine, unsigned changes);
    bool isWordNoted(Lines& lines, std::uintptr_t word, std::uint64_t mine, bool changes);
    bool isNoted(Memory& memory, const Told& told, std::uint64_t mine);
    void takeRow(Block& block, const Row& row, Told told);
    bool isLineOfRowNoted(Memory& memory, const Told& told, const Row& row, std::uint32_t first, std::uint64_t mine);
    bool races(Block& block, const Told& told, const Access& before, const Access& mine);
    bool isOrdered(Block& block, const Told& told, const Access& before);
    const Operation& operationOf(std::uint32_t actor) const;
    bool areUnordered(const Operation& a, const Operation& b) const;
    void report(const Told& told, const Access& before, const Access& mine, std::uintptr_t word, bool isLostUpdate);
    static std::uint16_t siteNumberOf(const AccessSite* site) {
        return site != nullptr && site->number <= std::numeric_limits<std::uint16_t>::max()
                   ? static_cast<std::uint16_t>(site->number)
                   : std::uint16_t{0};
    }
    static void count(Block& block) {
        block.m_accesses->store(block.m_accesses->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    static void takeNotes(Block& block);
    void giveUp() { m_complete.store(false, std::memory_order_relaxed); }

    Limits m_limits;
    std::vector<Memory> m_memory;
    std::vector<std::vector<std::size_t>> m_unordered;
    std::vector<Operation> m_operations;
    std::uint64_t m_nextActor = 1;
    std::uint64_t m_firstOfCall = 1;
    std::size_t m_pages = 0;
    std::atomic<std::size_t> m_pagesOfWords{0};
    RaceOrder m_order;
    std::optional<Race> m_race;
    std::atomic<bool> m_found{false};
    std::atomic<bool> m_complete{true};
    struct alignas(64) Count { // a line of the cache for itself
        std::atomic<std::uint64_t> value{0};
    };
    std::deque<Count> m_accesses; // of each thread, which nobody else writes
    std::atomic_flag m_busy;      // guards all of the above but what is atomic
};

} // namespace gks::hipcpu
