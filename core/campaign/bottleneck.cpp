// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/bottleneck.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/anchors.h"
#include "core/judge/device_record.h"
#include "core/judge/measured_shapes.h"
#include "core/target/thread_facts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr double uncertainShare = 0.2; // of a time, half of its interval: on a busy machine
constexpr std::size_t shownStalls = 2; // of a launch, the longest
constexpr std::array bottleneckFacts = {"matrix cores busy", "read from memory", "L2 hits"};

struct MeasuredKernel {
    std::vector<RooflineRole> roles;
    const Kernel* kernel = nullptr;
    std::vector<MeasurementFact> measurements;
};

// The selected kernel first, then the others that were measured on the same device, each once.
std::vector<MeasuredKernel> kernelsBeside(const Population& population, const Kernel& selected, const Verdict& verdict,
                                          const std::function<std::optional<Verdict>(KernelId)>& newestVerdict,
                                          std::vector<KernelId>& leftOut) {
    std::vector<MeasuredKernel> found = {{{RooflineRole::selected}, &selected, verdict.measurements}};
    const auto add = [&](std::optional<KernelId> id, RooflineRole role) {
        const Kernel* kernel = id ? population.kernel(*id) : nullptr;
        if (kernel == nullptr) {
            return;
        }
        const auto known =
            std::find_if(found.begin(), found.end(), [&](const MeasuredKernel& one) { return one.kernel == kernel; });
        if (known != found.end()) {
            known->roles.push_back(role);
            return;
        }
        const auto other = newestVerdict(*id);
        if (other && !other->measurements.empty() && other->device != verdict.device) {
            leftOut.push_back(*id);
        } else if (other && !other->measurements.empty()) {
            found.push_back({{role}, kernel, other->measurements});
        }
    };
    add(selected.parents.empty() ? std::nullopt : std::optional(selected.parents.front()), RooflineRole::parent);
    add(population.best, RooflineRole::best);
    add(population.baseline, RooflineRole::baseline);
    std::sort(leftOut.begin(), leftOut.end());
    leftOut.erase(std::unique(leftOut.begin(), leftOut.end()), leftOut.end());
    return found;
}

void addKernels(const std::vector<MeasuredKernel>& kernels, const ShapeExtents& shape, RooflineRow& row) {
    for (const MeasuredKernel& one : kernels) {
        const auto fact = std::find_if(one.measurements.begin(), one.measurements.end(),
                                       [&](const MeasurementFact& candidate) { return candidate.shape == shape; });
        if (fact != one.measurements.end() && fact->medianUs > 0) {
            row.points.push_back({one.roles, one.kernel->id, one.kernel->title, fact->medianUs, fact->ci95Us,
                                  shareOf(row.work, fact->medianUs)});
        }
    }
}

void addAnchors(const Population& population, const std::string& device, std::size_t shape, RooflineRow& row) {
    for (const AnchorFigure* anchor : newestAnchors(population)) {
        const double us = shape < anchor->shapeMediansUs.size() ? anchor->shapeMediansUs[shape] : 0;
        if (us > 0 && anchor->device == device) {
            row.points.push_back({{RooflineRole::anchor}, {}, anchor->title, us, {}, shareOf(row.work, us)});
        }
    }
}

} // namespace

DevicePeaks attainablePeaks(const Device& device) {
    const ThreadFacts& thread = device.facts.thread;
    if (device.target != TargetKind::cpu) {
        return device.peaks;
    }
    DevicePeaks peaks; // of all types in f32, but for double: the processor has no narrower arithmetic
    const double threads = std::max(1, thread.threads);
    peaks.bytesPerSecond = threads * thread.bytesPerSecond;
    for (int i = 0; thread.flopsPerSecond > 0 && i <= static_cast<int>(lastElementType); ++i) {
        const auto type = static_cast<ElementType>(i);
        peaks.flopsPerSecond[type] = threads * thread.flopsPerSecond / (type == ElementType::f64 ? 2 : 1);
    }
    return peaks;
}

double ShapeWork::floorUs() const {
    return std::max(least.arithmeticUs, least.memoryUs);
}

ShapeWork workOf(const ProblemPack& pack, const Shape& shape, const DevicePeaks& peaks) {
    ShapeWork work;
    work.flops = pack.flops(shape).value_or(0);
    work.bytes = pack.bytes(shape).value_or(0);
    work.least = roofline(pack, shape, peaks);
    work.peakFlops = work.least.arithmeticUs > 0 ? work.flops / work.least.arithmeticUs * 1e6 : 0;
    work.peakBytes = peaks.bytesPerSecond;
    return work;
}

std::string_view name(Bound bound) {
    constexpr std::array<std::string_view, 4> names = {"unknown", "FLOP", "bytes", "neither"};
    return names[static_cast<std::size_t>(bound)];
}

std::string_view name(PeakSource source) {
    constexpr std::array<std::string_view, 3> names = {"none", "device file", "measured here"};
    return names[static_cast<std::size_t>(source)];
}

std::string_view name(RooflineRole role) {
    constexpr std::array<std::string_view, 5> names = {"selected", "parent", "best", "baseline", "library"};
    return names[static_cast<std::size_t>(role)];
}

PeakShare shareOf(const ShapeWork& work, double us) {
    PeakShare share;
    const double least = work.floorUs();
    if (least <= 0 || us <= 0) {
        return share;
    }
    const double seconds = us / 1e6;
    share.timesFloor = us / least;
    share.ofFlops = work.peakFlops > 0 ? work.flops / seconds / work.peakFlops : 0;
    share.ofBytes = work.peakBytes > 0 ? work.bytes / seconds / work.peakBytes : 0;
    share.bound = std::max(share.ofFlops, share.ofBytes) < boundShare ? Bound::neither
                  : share.ofFlops > share.ofBytes                     ? Bound::flop
                                                                      : Bound::bytes;
    return share;
}

double halfInterval(double medianUs, const Interval& ci95Us) {
    return medianUs > 0 ? (ci95Us.high - ci95Us.low) / 2 / medianUs : 0;
}

bool isUncertain(double medianUs, const Interval& ci95Us) {
    return halfInterval(medianUs, ci95Us) > uncertainShare;
}

const RooflinePoint* RooflineRow::selected() const {
    const bool isThere =
        !points.empty() && !points.front().roles.empty() && points.front().roles.front() == RooflineRole::selected;
    return isThere ? &points.front() : nullptr;
}

std::string RooflineTable::peaksText() const {
    if (rows.empty()) {
        return fmt::format("{} was not measured: there is nothing to compare with a roof.", kernelLabel(kernel));
    }
    const std::string where = device.name.empty() ? std::string("its device") : device.name;
    switch (source) {
    case PeakSource::deviceFile:
        return fmt::format("Peaks of {}: those of {} in resources/devices, by the units, the clock and the memory rate "
                           "that the card stated when it measured {}.",
                           where, device.architecture, kernelLabel(kernel));
    case PeakSource::measuredHere:
        return fmt::format("Peaks measured on this processor, which is the one that measured {}: vector arithmetic in "
                           "f32 and one pass over memory, of {} timed thread{}.",
                           kernelLabel(kernel), std::max(1, device.facts.thread.threads),
                           device.facts.thread.threads > 1 ? "s" : "");
    case PeakSource::none:
        break;
    }
    return device.target == TargetKind::cpu
               ? fmt::format("No roofs: the peaks of a processor are measured, and {} was measured on another one, {}.",
                             kernelLabel(kernel), where)
               : fmt::format("No roofs: the peaks of {} are not known; a file for {} in resources/devices would tell "
                             "them.",
                             where, device.architecture.empty() ? "its architecture" : device.architecture);
}

RooflineTable rooflineTable(const ProblemPack& pack, const Population& population, KernelId kernel,
                            const std::function<std::optional<Verdict>(KernelId)>& newestVerdict) {
    RooflineTable table;
    table.kernel = kernel;
    const Kernel* selected = population.kernel(kernel);
    const auto verdict = selected != nullptr && !selected->probe ? newestVerdict(kernel) : std::nullopt;
    if (!verdict || verdict->measurements.empty()) {
        return table;
    }
    table.device = withThreadFacts(recordedDevice(*verdict));
    table.peaks = attainablePeaks(table.device);
    if (table.device.target != TargetKind::cpu) { // whose kernels are compiled for a card all the same
        table.arithmetic = deviceArithmetic(table.device.architecture, table.peaks);
    }
    const DevicePeaks reachable = reachablePeaks(pack, table.peaks, table.arithmetic);
    table.source = table.peaks.bytesPerSecond <= 0          ? PeakSource::none
                   : table.device.target == TargetKind::cpu ? PeakSource::measuredHere
                                                            : PeakSource::deviceFile;
    const auto kernels = kernelsBeside(population, *selected, *verdict, newestVerdict, table.leftOut);
    const CampaignSettings& settings = population.settings;
    std::size_t number = 0;
    for (const Shape& shape : measuredShapes(pack, settings.target, settings.shapes)) {
        const ShapeExtents named = pack.namedShape(shape);
        RooflineRow row{shape, pack.shapeLabel(shape), workOf(pack, shape, reachable), {}, {}};
        addKernels(kernels, named, row);
        addAnchors(population, verdict->device, number++, row);
        for (const LaunchCounters& launch :
             verdict->counters ? verdict->counters->launches : std::vector<LaunchCounters>()) {
            if (launch.shape == named) {
                row.counters.push_back(launch);
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string boundText(const RooflinePoint& point) {
    if (isUncertain(point.medianUs, point.ci95Us)) {
        return "taken on a busy machine: too unsure to say";
    }
    if (point.share.bound == Bound::unknown) {
        return "no floor is known";
    }
    return fmt::format("bound by {}, {} of the floor",
                       point.share.bound == Bound::neither ? "neither peak" : name(point.share.bound),
                       formatRatio(point.share.timesFloor));
}

std::string floorShareText(const RooflinePoint& point) {
    const bool isKnown = point.share.timesFloor > 0 && !isUncertain(point.medianUs, point.ci95Us);
    return isKnown ? formatShare(1 / point.share.timesFloor) : "-";
}

std::string bottleneckCounters(const std::vector<LaunchCounters>& launches) {
    std::vector<std::string> texts;
    for (const LaunchCounters& launch : launches) {
        std::vector<CounterFact> shown;
        std::vector<CounterFact> stalls;
        for (const CounterFact& fact : launch.facts) {
            if (std::find(bottleneckFacts.begin(), bottleneckFacts.end(), fact.name) != bottleneckFacts.end()) {
                shown.push_back(fact);
            } else if (fact.name.starts_with("stall: ")) {
                stalls.push_back(fact);
            }
        }
        std::stable_sort(stalls.begin(), stalls.end(),
                         [](const CounterFact& a, const CounterFact& b) { return a.value > b.value; });
        stalls.resize(std::min(stalls.size(), shownStalls));
        shown.insert(shown.end(), stalls.begin(), stalls.end());
        if (!shown.empty()) {
            texts.push_back((launches.size() > 1 ? launch.kernel + ": " : std::string()) + counterText(shown));
        }
    }
    return join(texts, "; ");
}

} // namespace gks
