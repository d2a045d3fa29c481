// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/rating/shape_scales.h"

#include <optional>
#include <string>
#include <vector>

// The best kernel of every shape, by the ratios of paired runs on that shape: asked here by everybody who shows or uses
// it. A kernel that is slower over all shapes can be the fastest on one, and a dispatch takes each where it wins.
namespace gks {

struct ShapeChampion {
    std::map<std::string, std::int64_t> shape = {}; // extents by dim
    KernelId kernel = 0;
    SpeedRatio speed = {};                   // speed / speed of the baseline, on this shape
    std::vector<KernelId> rivals = {};       // that may be as fast: not decided. The fastest first
    std::optional<SpeedRatio> best = {};     // of the campaign's best, against the baseline; nothing: not compared here
    std::optional<SpeedRatio> overBest = {}; // speed / speed of the campaign's best
    bool isDecided() const { return rivals.empty(); }
};

struct Champions {
    std::vector<ShapeChampion> shapes = {}; // in the order of a verdict's measurements
    // What picking every shape's champion would bring over the best: geometric mean of ShapeChampion::overBest, by
    // weights. An estimate, not a measurement: nothing is known of the cost of picking, and as champions were chosen by
    // the same ratios, it leans upwards. Nothing where the best was compared on no shape.
    std::optional<SpeedRatio> dispatch = {};
    std::size_t dispatched = 0; // shapes that it is over

    const ShapeChampion* of(const std::map<std::string, std::int64_t>& shape) const; // null: no champion is known
    std::vector<const ShapeChampion*> wonBy(KernelId kernel) const;
};

// Accepted kernels that a chain of paired runs connects with the baseline on a shape are its candidates. A banned one
// is too: it may not become a parent, but it ran.
Champions championsOf(const Population& population);

// "00012", "00012 or 00009: not decided", "00012, 00009, 00007 or 2 more: not decided".
std::string championText(const ShapeChampion& champion);

} // namespace gks
