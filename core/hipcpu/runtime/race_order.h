// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gks::hipcpu {

// What of the blocks of a launch comes before what, by barriers and atomics; see race_order.cpp.
class RaceOrder {
public:
    static constexpr std::size_t waves = maxThreadsPerBlock / waveSize;

    // When a wave did something.
    struct Moment {
        std::uint32_t actor = 0; // its block; 0: nobody
        std::uint32_t epoch = 0; // releases of the wave so far
        std::uint32_t interval : 28 = 0;
        std::uint32_t wave : 4 = 0;
    };
    struct Where {
        std::uint32_t wave = 0;
        std::uint32_t interval = 0; // barriers that the block has passed
    };
    using Place = std::uintptr_t; // address of a word, or its offset in LDS

private:
    using Clocks = std::array<std::uint32_t, waves>;
    // What of other blocks is known.
    struct Knowledge {
        std::vector<std::uint32_t> unexplored; // events
        std::unordered_set<std::uint32_t> explored;
        std::unordered_map<std::uint64_t, std::uint32_t> known; // see keyOf()
    };
    // By waves of one block, at one place.
    struct Released {
        Clocks epochs = {};
        Clocks events = {};
    };

public:
    // What is known of the block that a thread of the operating system runs.
    class Block {
        friend class RaceOrder;
        struct Wave {
            std::uint32_t epoch = 0;
            std::uint32_t event = 0;    // its latest
            std::uint32_t acquired = 0; // the latest that it found at a place of memory
            Clocks seen = {};           // of the other waves of the block so many releases
            Clocks learnt = {};         // events of theirs
            std::uint32_t untold = 0;   // a bit for each of them of which no event says it yet
            Knowledge own;              // since the last barrier
        };
        std::uint32_t m_actor = 0;
        std::uint32_t m_interval = 0;
        std::uint32_t m_event = 0; // all that its waves knew at the last barrier
        std::uint32_t m_used = 0;  // waves, a bit each, that are not as at the start
        std::array<Wave, waves> m_waves;
        Knowledge m_shared;
        std::unordered_map<Place, Released> m_released;

    public:
        std::uint32_t actor() const { return m_actor; }
    };

    RaceOrder(std::size_t eventLimit, std::uint64_t stepLimit);

    // While no block runs: whether what was before comes before all that follows.
    void beginOperation(bool waitsForAll);
    static void enter(Block& block, std::uint32_t actor);
    static Moment now(const Block& block, const Where& where);
    // Whether the wave comes after it, of the same block. It touches nothing that blocks share.
    static bool isOrderedInBlock(const Block& block, const Where& where, const Moment& before);
    // Likewise, of any block of operations that run together.
    bool isOrdered(Block& block, const Where& where, const Moment& before);

    // An atomic reads and one writes; `event` is what the place keeps for it, null in LDS, which no other block sees.
    void acquire(Block& block, const Where& where, Place place, const std::uint32_t* event);
    void release(Block& block, const Where& where, Place place, std::uint32_t* event);
    // An atomic has read what a plain write left there: a flag.
    void acquireFlag(Block& block, const Where& where, const Moment& flag);

    bool isComplete() const { return m_complete; } // else a limit was reached

private:
    // Of a wave; or (actor 0) it only joins two others.
    struct Event {
        std::uint32_t before = 0;
        std::uint32_t other = 0;
        Moment known; // what the wave did before its `epoch`th release, and its block before that interval
    };

    static std::uint64_t keyOf(const Moment& moment) { return std::uint64_t{moment.actor} * 2 * waves + moment.wave; }
    static std::uint64_t keyOfIntervals(const Moment& moment) {
        return std::uint64_t{moment.actor} * 2 * waves + waves;
    }
    Block::Wave& waveOf(Block& block, const Where& where);
    void join(Block& block, const Where& where, const Clocks& epochs, const Clocks& events);
    void learn(Block& block, const Where& where, std::uint32_t event);
    bool covers(Knowledge& knowledge, const Moment& before);
    void explore(Knowledge& knowledge);
    std::uint32_t addEvent(const Event& event);
    std::uint32_t latestOf(std::uint64_t key) const;

    std::size_t m_eventLimit;
    std::uint64_t m_stepLimit;
    std::uint64_t m_steps = 0;
    std::vector<Event> m_events;                               // number 0: none
    std::size_t m_first = 0;                                   // earlier ones are before all that runs now
    std::unordered_map<std::uint64_t, std::uint32_t> m_latest; // of waves and, at a barrier, of blocks
    bool m_complete = true;
};

} // namespace gks::hipcpu
