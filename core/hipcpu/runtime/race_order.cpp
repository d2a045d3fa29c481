// SPDX-License-Identifier: GPL-3.0-or-later
// In a block every wave has a clock, the number of its releases (as the epochs of FastTrack, Flanagan and Freund 2009):
// who acquires at a place knows of each wave that released there what it did before. A barrier needs no clock: what was
// done in an earlier interval between barriers is known to all waves of the block.
// Between blocks there is an event for each release instead of a vector of clocks, with edges to what it came after:
// most blocks never ask. It says what the wave did before, and what its block did before the last barrier: of waves
// that have met neither at a barrier nor at a place, nothing. What a wave has learnt is its own until the next barrier.
#include "core/hipcpu/runtime/race_order.h"

#include <algorithm>

namespace gks::hipcpu {

RaceOrder::RaceOrder(std::size_t eventLimit, std::uint64_t stepLimit)
    : m_eventLimit(eventLimit), m_stepLimit(stepLimit), m_events(1) {}

void RaceOrder::beginOperation(bool waitsForAll) {
    if (waitsForAll) {
        m_first = m_events.size();
        m_latest.clear();
    }
}

void RaceOrder::enter(Block& block, std::uint32_t actor) {
    block.m_actor = actor;
    block.m_interval = block.m_event = 0;
    for (; block.m_used != 0; block.m_used &= block.m_used - 1) {
        block.m_waves[static_cast<std::size_t>(__builtin_ctz(block.m_used))] = {};
    }
    block.m_shared = {};
    block.m_released.clear();
}

RaceOrder::Moment RaceOrder::now(const Block& block, const Where& where) {
    Moment moment;
    moment.actor = block.m_actor;
    moment.epoch = block.m_waves[where.wave].epoch;
    moment.interval = where.interval & ((1U << 28U) - 1);
    moment.wave = where.wave & (waves - 1);
    return moment;
}

bool RaceOrder::isOrderedInBlock(const Block& block, const Where& where, const Moment& before) {
    return before.wave == where.wave || before.interval != where.interval ||
           block.m_waves[where.wave].seen[before.wave] > before.epoch;
}

bool RaceOrder::isOrdered(Block& block, const Where& where, const Moment& before) {
    if (before.actor == block.m_actor && isOrderedInBlock(block, where, before)) {
        return true;
    }
    Knowledge& own = waveOf(block, where).own;
    return covers(block.m_shared, before) || covers(own, before) || !m_complete;
}

// What its waves have learnt before a barrier all of them know behind it.
RaceOrder::Block::Wave& RaceOrder::waveOf(Block& block, const Where& where) {
    if (where.interval != block.m_interval) {
        block.m_interval = where.interval;
        std::uint32_t all = block.m_event;
        for (std::uint32_t left = block.m_used; left != 0; left &= left - 1) {
            Block::Wave& wave = block.m_waves[static_cast<std::size_t>(__builtin_ctz(left))];
            if (wave.event != block.m_event && wave.event != all) {
                all = all == block.m_event ? wave.event : addEvent({all, wave.event, {}});
            }
            Knowledge& own = wave.own;
            auto& open = block.m_shared.unexplored;
            open.insert(open.end(), own.unexplored.begin(), own.unexplored.end());
            block.m_shared.explored.merge(own.explored);
            for (const auto& [key, epoch] : own.known) {
                std::uint32_t& known = block.m_shared.known[key];
                known = std::max(known, epoch);
            }
            own = {};
            wave.untold = 0;
        }
        if (all != block.m_event) {
            block.m_event = all;
            for (Block::Wave& wave : block.m_waves) {
                wave.event = all;
            }
            block.m_used = (1U << waves) - 1;
            m_latest[keyOfIntervals(now(block, where))] = all;
        }
    }
    block.m_used |= 1U << where.wave;
    return block.m_waves[where.wave];
}

void RaceOrder::join(Block& block, const Where& where, const Clocks& epochs, const Clocks& events) {
    Block::Wave& me = waveOf(block, where);
    for (std::size_t i = 0; i < waves; ++i) {
        if (i == where.wave) {
            continue;
        }
        if (epochs[i] > me.seen[i]) {
            me.seen[i] = epochs[i];
            me.untold |= 1U << i;
        }
        if (events[i] > std::max(me.learnt[i], block.m_event)) {
            me.learnt[i] = events[i];
            learn(block, where, events[i]);
        }
    }
}

void RaceOrder::acquire(Block& block, const Where& where, Place place, const std::uint32_t* event) {
    if (const auto found = block.m_released.find(place); found != block.m_released.end()) {
        join(block, where, found->second.epochs, found->second.events);
    }
    Block::Wave& me = waveOf(block, where);
    if (event != nullptr && *event >= m_first && *event != me.acquired) { // spinning reads the same again and again
        me.acquired = *event;
        learn(block, where, *event);
    }
}

void RaceOrder::acquireFlag(Block& block, const Where& where, const Moment& flag) {
    if (flag.actor == block.m_actor) {
        Block::Wave& writer = block.m_waves[flag.wave];
        writer.epoch = std::max(writer.epoch, flag.epoch + 1); // what it does behind the flag is not known by it
        block.m_used |= 1U << flag.wave;
        Clocks epochs = writer.seen;
        Clocks events = {};
        epochs[flag.wave] = flag.epoch + 1;
        events[flag.wave] = writer.event;
        join(block, where, epochs, events);
        return;
    }
    Event event = {latestOf(keyOf(flag)), latestOf(keyOfIntervals(flag)), flag};
    ++event.known.epoch;
    learn(block, where, addEvent(event));
}

void RaceOrder::learn(Block& block, const Where& where, std::uint32_t event) {
    Block::Wave& me = waveOf(block, where);
    me.event = me.event == 0 ? event : addEvent({me.event, event, {}});
    me.own.unexplored.push_back(event);
    m_latest[keyOf(now(block, where))] = me.event;
}

void RaceOrder::release(Block& block, const Where& where, Place place, std::uint32_t* event) {
    Block::Wave& me = waveOf(block, where);
    ++me.epoch;
    if (event != nullptr) {
        const Moment moment = now(block, where);
        const Event& latest = m_events[me.event];
        const bool isOwn = keyOf(latest.known) == keyOf(moment) && latest.known.interval == moment.interval;
        if (*event >= m_first && *event != 0 && m_events[*event].before == me.event && isOwn && me.untold == 0) {
            m_events[me.event].known.epoch = me.epoch; // once more
        } else {
            for (; me.untold != 0; me.untold &= me.untold - 1) {
                Moment other = moment;
                other.wave = static_cast<std::uint32_t>(__builtin_ctz(me.untold)) & (waves - 1);
                other.epoch = me.seen[other.wave];
                me.event = addEvent({me.event, 0, other});
            }
            me.event = addEvent({me.event, 0, moment});
            m_latest[keyOf(moment)] = me.event;
            *event = addEvent({me.event, *event >= m_first ? *event : 0, {}});
        }
    }
    Released& released = block.m_released[place];
    for (std::size_t i = 0; i < waves; ++i) {
        released.epochs[i] = std::max(released.epochs[i], me.seen[i]);
    }
    released.epochs[where.wave] = me.epoch;
    released.events[where.wave] = me.event;
}

bool RaceOrder::covers(Knowledge& knowledge, const Moment& before) {
    explore(knowledge);
    const auto of = knowledge.known.find(keyOf(before));
    if (of != knowledge.known.end() && of->second > before.epoch) {
        return true;
    }
    const auto intervals = knowledge.known.find(keyOfIntervals(before));
    return intervals != knowledge.known.end() && intervals->second > before.interval;
}

// All that lies behind its events.
void RaceOrder::explore(Knowledge& knowledge) {
    std::vector<std::uint32_t>& open = knowledge.unexplored;
    while (!open.empty() && m_complete) {
        const std::uint32_t number = open.back();
        open.pop_back();
        if (number < m_first || number == 0 || !knowledge.explored.insert(number).second) {
            continue;
        }
        if (++m_steps > m_stepLimit) {
            m_complete = false;
        }
        const Event& event = m_events[number];
        if (event.known.actor != 0) {
            std::uint32_t& epoch = knowledge.known[keyOf(event.known)];
            epoch = std::max(epoch, event.known.epoch);
            std::uint32_t& interval = knowledge.known[keyOfIntervals(event.known)];
            interval = std::max<std::uint32_t>(interval, event.known.interval);
        }
        open.push_back(event.before);
        open.push_back(event.other);
    }
}

std::uint32_t RaceOrder::addEvent(const Event& event) {
    if (m_events.size() >= m_eventLimit) {
        m_complete = false;
        return 0;
    }
    m_events.push_back(event);
    return static_cast<std::uint32_t>(m_events.size() - 1);
}

std::uint32_t RaceOrder::latestOf(std::uint64_t key) const {
    const auto found = m_latest.find(key);
    return found != m_latest.end() ? found->second : 0;
}

} // namespace gks::hipcpu
