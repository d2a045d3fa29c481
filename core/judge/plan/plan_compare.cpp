// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/plan_compare.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gks {
namespace {

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

// "argument 3 differs in its bytes 12 to 15 of 24": two launches that are the same but for what they are given. Fields
// that nobody sets and padding look like that, and nothing in the code says which it is.
std::string argumentDifference(const LaunchPlan& first, const PlanAction& action) {
    const auto* launch = std::get_if<KernelLaunch>(&action);
    for (const PlanOperation& operation : first.operations) {
        const auto* known = std::get_if<KernelLaunch>(&operation.action);
        if (launch == nullptr || known == nullptr || known->kernel != launch->kernel || known->grid != launch->grid ||
            known->block != launch->block || known->arguments.size() != launch->arguments.size()) {
            continue;
        }
        for (std::size_t i = 0; i < launch->arguments.size(); ++i) {
            const PlanBytes& a = known->arguments[i];
            const PlanBytes& b = launch->arguments[i];
            const auto from = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
            if (a.size() != b.size() || a == b) {
                continue;
            }
            auto to = static_cast<std::ptrdiff_t>(a.size()) - 1;
            while (a[static_cast<std::size_t>(to)] == b[static_cast<std::size_t>(to)]) {
                --to;
            }
            return fmt::format("its argument {} differs in bytes {} to {} of {}", i + 1, from, to, a.size());
        }
    }
    return {};
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
        const PlanAction& action = second.operations[at].action;
        const std::string difference = argumentDifference(first, action);
        return kernelError(
            fmt::format("the second call of solve() does a {} that the first has not done in this order{}{}",
                        name(action), difference.empty() ? "" : ": ", difference),
            fmt::format("launch plan, operation {}", at + 1),
            difference.empty() ? "Do the same at every call"
                               : "Do the same at every call. Clear a struct with memset before you fill it: what is "
                                 "never set, padding too, is another at every call");
    }
    return split;
}

std::optional<std::size_t> firstDifference(const LaunchPlan& first, const LaunchPlan& second) {
    const auto [a, b] = std::mismatch(
        first.operations.begin(), first.operations.end(), second.operations.begin(), second.operations.end(),
        [](const PlanOperation& x, const PlanOperation& y) { return x.stream == y.stream && x.action == y.action; });
    const bool isSame = a == first.operations.end() && b == second.operations.end() && first.streams == second.streams;
    return isSame ? std::nullopt : std::optional(static_cast<std::size_t>(a - first.operations.begin()));
}

} // namespace gks
