// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/judge/counters.h"
#include "core/problem/device_arithmetic.h"
#include "core/problem/problem.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

// What holds a kernel back, shape by shape. The roofline model (Williams, Waterman and Patterson, "Roofline: An
// Insightful Visual Performance Model for Multicore Architectures", CACM 2009): a shape's work in operations and bytes,
// by the pack's cost model, over the device's peaks is the least time it can take. Prompts, the Roofline page and `show
// --roofline` ask here.
namespace gks {

// What floors and shares refer to: a card's peaks; on the cpu target what the threads that are timed can do. Zero where
// nothing is known.
DevicePeaks attainablePeaks(const Device& device);

struct ShapeWork {
    double flops = 0;
    double bytes = 0;
    Roofline least;
    double peakFlops = 0; // FLOP/s by the peaks that were given; 0: unknown
    double peakBytes = 0; // bytes/s; 0: unknown
    double floorUs() const;
    double intensity() const { return bytes > 0 ? flops / bytes : 0; } // FLOP/byte
};
ShapeWork workOf(const ProblemPack& pack, const Shape& shape, const DevicePeaks& peaks);

// A kernel that reaches `boundShare` of one peak is bound by it; one that reaches neither waits for something else:
// latency, launches, too little in flight.
inline constexpr double boundShare = 0.6;
enum class Bound { unknown, flop, bytes, neither };
std::string_view name(Bound bound); // "unknown", "FLOP", "bytes", "neither"

struct PeakShare {
    double timesFloor = 0; // time / floor; 0: no floor is known
    double ofFlops = 0;    // of the peak rates, 0..1
    double ofBytes = 0;    // counts what stays in a cache too, and may pass 1 there
    Bound bound = Bound::unknown;
};
PeakShare shareOf(const ShapeWork& work, double us);

// Half of the 95 % interval / the median.
double halfInterval(double medianUs, const Interval& ci95Us);
// No better than a guess: nothing is derived from it.
bool isUncertain(double medianUs, const Interval& ci95Us);

enum class PeakSource { none, deviceFile, measuredHere };
std::string_view name(PeakSource source); // "none", "device file", "measured here"
enum class RooflineRole { selected, parent, best, baseline, anchor };
std::string_view name(RooflineRole role);

struct RooflinePoint {
    std::vector<RooflineRole> roles; // a kernel is there once
    std::optional<KernelId> kernel;  // empty: a library
    std::string title;
    double medianUs = 0; // alone, under the load of its evaluation
    Interval ci95Us;     // both zero: not told
    PeakShare share;
};
struct RooflineRow {
    Shape shape;
    std::string label; // "m=64 n=128 k=256"
    ShapeWork work;
    std::vector<RooflinePoint> points;    // the selected kernel first, if it was measured on this shape
    std::vector<LaunchCounters> counters; // of the selected kernel
    const RooflinePoint* selected() const;
};
struct RooflineTable {
    KernelId kernel = 0;
    Device device; // that the selected kernel was measured on
    DevicePeaks peaks;
    DeviceArithmetic arithmetic; // what the peaks are of
    PeakSource source = PeakSource::none;
    std::vector<RooflineRow> rows; // in the order of the campaign's shapes
    std::vector<KernelId> leftOut; // measured on another device
    std::string peaksText() const; // what is taken, and from where; or why there is none
};
// Reads verdicts and may measure the processor (a few hundredths of a second): not for the thread of a window. Without
// rows where the kernel was not measured.
RooflineTable rooflineTable(const ProblemPack& pack, const Population& population, KernelId kernel,
                            const std::function<std::optional<Verdict>(KernelId)>& newestVerdict);

// "bound by bytes, 1.24x of the floor"; "no floor is known"; of a guess that it is one.
std::string boundText(const RooflinePoint& point);
// "80 %" of the floor / time; "-" where there is no floor or the time is a guess.
std::string floorShareText(const RooflinePoint& point);
// What of the counters says where the time goes, a launch after the other; empty when nobody counted.
std::string bottleneckCounters(const std::vector<LaunchCounters>& launches);

} // namespace gks
