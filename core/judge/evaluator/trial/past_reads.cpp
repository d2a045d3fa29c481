// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/past_reads.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <variant>

namespace gks {
namespace {

std::string indexText(const std::array<std::uint32_t, 3>& index) {
    return fmt::format("({},{},{})", index[0], index[1], index[2]);
}

// The symbol that the note begins; as the plan has it.
std::string kernelOf(const hipcpu::ReadNote& note, const LaunchPlan& plan) {
    const auto end = std::find(note.kernel.begin(), note.kernel.end(), '\0');
    const std::string_view noted(note.kernel.data(), static_cast<std::size_t>(end - note.kernel.begin()));
    for (const auto& operation : plan.operations) {
        const auto* const launch = std::get_if<KernelLaunch>(&operation.action);
        if (launch != nullptr && !noted.empty() && launch->kernel.starts_with(noted)) {
            return launch->kernel;
        }
    }
    return {};
}

} // namespace

std::vector<PastRead> pastReads(std::span<const hipcpu::ReadNote> notes, std::span<const frozen::Region> regions,
                                const LaunchPlan& plan) {
    std::vector<PastRead> reads;
    for (const hipcpu::ReadNote& note : notes) {
        const auto region = std::find_if(regions.begin(), regions.end(), [&](const frozen::Region& one) {
            return note.address >= one.dataAddress + one.dataBytes &&
                   note.address < one.address + one.bytes + frozen::readableBytes;
        });
        const std::string kernel = kernelOf(note, plan);
        if (region == regions.end() || kernel.empty()) {
            continue;
        }
        const std::uint64_t past = note.address - region->dataAddress - region->dataBytes;
        reads.push_back({region->name, fmt::format("read {} past the end of {} ({} bytes); kernel {} block {}{}",
                                                   past == 0 ? "right" : fmt::format("{} bytes", past), region->name,
                                                   region->dataBytes, kernel, indexText(note.block),
                                                   note.hasThread != 0 ? " thread " + indexText(note.thread) : "")});
    }
    return reads;
}

} // namespace gks
