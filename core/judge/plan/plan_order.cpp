// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_order.h"

#include <algorithm>
#include <map>
#include <queue>

namespace gks {
namespace {

class Dependencies {
public:
    explicit Dependencies(const LaunchPlan& plan)
        : m_plan(plan), m_waiting(plan.operations.size()), m_then(m_waiting.size()) {
        for (std::size_t i = 0; i < plan.operations.size(); ++i) {
            add(i);
        }
    }

    bool isReady(std::size_t operation) const { return m_waiting[operation] == 0; }

    // All that wait for an operation, at any distance; `of` those before are known from the last operation on.
    std::vector<bool> waiting(std::size_t operation, const std::vector<std::vector<bool>>& of) const {
        std::vector<bool> all(m_then.size());
        for (const std::size_t next : m_then[operation]) {
            all[next] = true;
            for (std::size_t i = next; i < all.size(); ++i) {
                all[i] = all[i] || of[next][i];
            }
        }
        return all;
    }

    // Those that become ready.
    std::vector<std::size_t> done(std::size_t operation) {
        std::vector<std::size_t> ready;
        for (const std::size_t waits : m_then[operation]) {
            if (--m_waiting[waits] == 0) {
                ready.push_back(waits);
            }
        }
        return ready;
    }

private:
    using Newest = std::map<std::uint32_t, std::size_t>;

    void add(std::size_t index) {
        const PlanOperation& operation = m_plan.operations[index];
        after(m_last, operation.stream, index);
        for (std::uint32_t other = 0; other < m_plan.streams.size(); ++other) {
            if (waitForEachOther(operation.stream, other)) {
                after(m_last, other, index);
            }
        }
        if (const auto* wait = std::get_if<EventWait>(&operation.action)) {
            after(m_recorded, wait->event, index);
        }
        m_last[operation.stream] = index;
        if (const auto* record = std::get_if<EventRecord>(&operation.action)) {
            m_recorded[record->event] = index;
        }
    }

    // The null stream and every other that is not independent of it.
    bool waitForEachOther(std::uint32_t a, std::uint32_t b) const {
        const StreamKind one = m_plan.streams[a].kind;
        const StreamKind other = m_plan.streams[b].kind;
        return a != b && one != StreamKind::nonBlocking && other != StreamKind::nonBlocking &&
               (one == StreamKind::legacy || other == StreamKind::legacy);
    }

    void after(const Newest& known, std::uint32_t key, std::size_t index) {
        if (const auto before = known.find(key); before != known.end()) {
            ++m_waiting[index];
            m_then[before->second].push_back(index);
        }
    }

    const LaunchPlan& m_plan;
    std::vector<std::size_t> m_waiting;           // for so many others
    std::vector<std::vector<std::size_t>> m_then; // who waits for it
    Newest m_last;                                // operation of each stream
    Newest m_recorded;                            // operation that recorded each event
};

} // namespace

std::vector<std::size_t> latestFirst(const LaunchPlan& plan) {
    Dependencies dependencies(plan);
    std::priority_queue<std::size_t> ready;
    for (std::size_t i = 0; i < plan.operations.size(); ++i) {
        if (dependencies.isReady(i)) {
            ready.push(i);
        }
    }
    std::vector<std::size_t> order;
    order.reserve(plan.operations.size());
    while (!ready.empty()) {
        const std::size_t next = ready.top();
        ready.pop();
        order.push_back(next);
        for (const std::size_t one : dependencies.done(next)) {
            ready.push(one);
        }
    }
    return order;
}

std::vector<std::vector<std::size_t>> unordered(const LaunchPlan& plan) {
    constexpr std::size_t mostOperations = 1024; // the work grows with the square
    const std::size_t count = plan.operations.size();
    if (plan.streams.size() < 2 || count > mostOperations) {
        return {};
    }
    const Dependencies dependencies(plan);
    std::vector<std::vector<bool>> waiting(count);
    for (std::size_t i = count; i-- > 0;) {
        waiting[i] = dependencies.waiting(i, waiting);
    }
    std::vector<std::vector<std::size_t>> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t other = 0; other < count; ++other) {
            if (other != i && !waiting[std::min(i, other)][std::max(i, other)]) {
                result[i].push_back(other);
            }
        }
    }
    return result;
}

} // namespace gks
