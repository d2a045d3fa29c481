// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_compare.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace gks {
namespace {

constexpr std::size_t wordBytes = sizeof(std::uint64_t);

// How far the buffers of one set lie from those of the other; two sets have the same buffers.
std::vector<std::uint64_t> movesBetween(const SetAddresses& first, const SetAddresses& second) {
    std::vector<std::uint64_t> moves = {0, second.workspace - first.workspace};
    for (std::size_t i = 0; i < std::min(first.tensors.size(), second.tensors.size()); ++i) {
        moves.push_back(second.tensors[i].address - first.tensors[i].address);
    }
    return moves;
}

class Compare {
public:
    Compare(const SetAddresses& first, const SetAddresses& second) : m_moves(movesBetween(first, second)) {}

    // Nothing else than addresses differs.
    bool operator()(const KernelLaunch& a, const KernelLaunch& b) const {
        KernelLaunch rest = a;
        rest.arguments = b.arguments;
        rest.maps = b.maps;
        return rest == b && same(a.maps, b.maps) &&
               std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                          [this](const PlanBytes& x, const PlanBytes& y) { return same(x, y); });
    }
    bool operator()(DeviceFill a, const DeviceFill& b) const { return moved(a.to, b.to) && a == b; }
    bool operator()(DeviceCopy a, const DeviceCopy& b) const {
        return moved(a.to, b.to) && moved(a.from, b.from) && a == b;
    }
    // What the host writes may itself hold addresses: a table of pointers.
    bool operator()(const HostWrite& a, const HostWrite& b) const {
        std::uint64_t to = a.to;
        return moved(to, b.to) && same(a.bytes, b.bytes) && same(a.maps, b.maps);
    }
    bool operator()(SymbolCopy a, const SymbolCopy& b) const { return moved(a.address, b.address) && a == b; }
    bool operator()(const SymbolWrite& a, const SymbolWrite& b) const {
        return a.symbol == b.symbol && a.offset == b.offset && same(a.bytes, b.bytes) && same(a.maps, b.maps);
    }
    template<class A>
    bool operator()(const A& a, const A& b) const {
        return a == b;
    }
    template<class A, class B>
    bool operator()(const A&, const B&) const {
        return false;
    }

private:
    // Takes the move back, so that the rest can be compared as it is.
    bool moved(std::uint64_t& a, std::uint64_t b) const {
        const bool isMove = std::find(m_moves.begin(), m_moves.end(), b - a) != m_moves.end();
        a = b;
        return isMove;
    }

    bool same(const PlanBytes& a, const PlanBytes& b) const {
        if (a.size() != b.size()) {
            return false;
        }
        std::size_t at = 0;
        for (; at + wordBytes <= a.size(); at += wordBytes) {
            std::uint64_t x = 0;
            std::uint64_t y = 0;
            std::memcpy(&x, &a[at], wordBytes);
            std::memcpy(&y, &b[at], wordBytes);
            if (!moved(x, y)) {
                return false;
            }
        }
        return std::equal(a.begin() + static_cast<std::ptrdiff_t>(at), a.end(),
                          b.begin() + static_cast<std::ptrdiff_t>(at));
    }

    bool same(const std::vector<PlacedMap>& a, const std::vector<PlacedMap>& b) const {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [this](PlacedMap x, const PlacedMap& y) {
            return moved(x.map.address, y.map.address) && x == y;
        });
    }

    std::vector<std::uint64_t> m_moves;
};

// Which operations of one call are those of the other, with the streams and events that correspond.
class Pairing {
public:
    Pairing(const LaunchPlan& first, const LaunchPlan& second) : m_first(first), m_second(second) {}

    bool pair(const PlanOperation& a, const PlanOperation& b) {
        const auto stream = m_streams.find(a.stream);
        const bool sameStream = stream != m_streams.end() ? stream->second == b.stream
                                                          : m_first.streams[a.stream] == m_second.streams[b.stream];
        const auto* record = std::get_if<EventRecord>(&a.action);
        const auto* otherRecord = std::get_if<EventRecord>(&b.action);
        const bool bothRecord = record != nullptr && otherRecord != nullptr;
        const auto* wait = std::get_if<EventWait>(&a.action);
        const auto* otherWait = std::get_if<EventWait>(&b.action);
        const auto event = wait != nullptr ? m_events.find(wait->event) : m_events.end();
        const bool bothWait = otherWait != nullptr && event != m_events.end() && event->second == otherWait->event;
        const bool isOrder = record != nullptr || wait != nullptr;
        if (!sameStream || !(isOrder ? bothRecord || bothWait : a.action == b.action)) {
            return false;
        }
        m_streams[a.stream] = b.stream;
        if (bothRecord) {
            m_events[record->event] = otherRecord->event;
        }
        return true;
    }

private:
    const LaunchPlan& m_first;
    const LaunchPlan& m_second;
    std::map<std::uint32_t, std::uint32_t> m_streams;
    std::map<std::uint32_t, std::uint32_t> m_events;
};

bool isOrder(const PlanAction& action) {
    return std::holds_alternative<EventRecord>(action) || std::holds_alternative<EventWait>(action);
}

bool hasItsStreams(const LaunchPlan& plan) {
    return std::all_of(plan.operations.begin(), plan.operations.end(),
                       [&](const PlanOperation& operation) { return operation.stream < plan.streams.size(); });
}

} // namespace

void clearPadding(LaunchPlan& plan, const ModuleFacts& facts) {
    for (PlanOperation& operation : plan.operations) {
        auto* launch = std::get_if<KernelLaunch>(&operation.action);
        const KernelFacts* const kernel = launch != nullptr ? facts.kernel(launch->kernel) : nullptr;
        if (kernel == nullptr) {
            continue;
        }
        for (const PaddingBytes& hole : kernel->padding) {
            if (hole.argument < launch->arguments.size()) {
                PlanBytes& argument = launch->arguments[hole.argument];
                const std::size_t begin = std::min<std::size_t>(hole.offset, argument.size());
                const std::size_t bytes = std::min<std::size_t>(hole.bytes, argument.size() - begin);
                std::fill_n(argument.begin() + static_cast<std::ptrdiff_t>(begin), bytes, std::uint8_t{0});
            }
        }
    }
}

Result<SplitPlan> splitSetup(const LaunchPlan& first, const LaunchPlan& second) {
    if (!hasItsStreams(first) || !hasItsStreams(second)) {
        return kernelError("an operation is on a stream that there is not", "launch plan");
    }
    SplitPlan split = {{}, second};
    Pairing pairing(first, second);
    std::size_t at = 0;
    for (const PlanOperation& operation : first.operations) {
        if (at < second.operations.size() && pairing.pair(operation, second.operations[at])) {
            ++at;
        } else if (!isOrder(operation.action)) {
            split.setup.operations.push_back({0, operation.place, operation.action});
        }
    }
    if (at < second.operations.size()) {
        return kernelError(fmt::format("the second call of solve() does a {} that the first has not done in this order",
                                       name(second.operations[at].action)),
                           fmt::format("launch plan, operation {}", at + 1), "Do the same at every call");
    }
    return split;
}

Result<void> differByAddressesAlone(const LaunchPlan& first, const SetAddresses& firstSet, const LaunchPlan& second,
                                    const SetAddresses& secondSet) {
    constexpr const char* next = "Let what solve() does depend on the shape alone";
    if (first.streams != second.streams || first.operations.size() != second.operations.size()) {
        return kernelError(fmt::format("solve() does {} operations on {} streams with one set of tensors and {} on {} "
                                       "with another",
                                       first.operations.size(), first.streams.size(), second.operations.size(),
                                       second.streams.size()),
                           "launch plan", next);
    }
    const Compare compare(firstSet, secondSet);
    for (std::size_t i = 0; i < first.operations.size(); ++i) {
        const PlanOperation& a = first.operations[i];
        const PlanOperation& b = second.operations[i];
        if (a.stream != b.stream || !std::visit(compare, a.action, b.action)) {
            return kernelError(
                fmt::format("this {} differs between two sets of tensors by more than their addresses", name(b.action)),
                fmt::format("launch plan, operation {}", i + 1), next);
        }
    }
    return {};
}

std::optional<std::size_t> firstDifference(const LaunchPlan& first, const LaunchPlan& second) {
    const auto [a, b] = std::mismatch(
        first.operations.begin(), first.operations.end(), second.operations.begin(), second.operations.end(),
        [](const PlanOperation& x, const PlanOperation& y) { return x.stream == y.stream && x.action == y.action; });
    const bool isSame = a == first.operations.end() && b == second.operations.end() && first.streams == second.streams;
    return isSame ? std::nullopt : std::optional(static_cast<std::size_t>(a - first.operations.begin()));
}

} // namespace gks
