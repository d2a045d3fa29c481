// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/lots.h"
#include "core/judge/evaluator/trial/measurement.h"

#include <fmt/format.h>

namespace gks {

struct Measurement::Kept {
    InputChoice choice;
    OutputCheck::Selection selection; // drawn after the call
    Tensors outputs;
};

struct Measurement::Side {
    std::unique_ptr<KernelTrial> trial;
    std::vector<Series>& series;
    bool ofBaseline = false;
    std::size_t keepLimit = 0; // checked calls of one shape and round, the fastest one of them
    bool isWarm = false;       // this process has used the device long enough
    std::vector<Kept> kept = {};
    std::size_t calls = 0;       // of this shape in this round, timed
    std::size_t unannounced = 0; // of this shape in this round
    std::optional<Kept> fastest = {};
    double fastestUs = 0;

    // The fastest call, and others by reservoir sampling: at the end every one has been kept with the same probability,
    // and none knows whether it will be. Gives the place to keep this call in, or nothing.
    Kept* choose(double us) {
        ++calls;
        if (keepLimit == 0) {
            return nullptr;
        }
        if (!fastest || us < fastestUs) {
            fastestUs = us;
            return &fastest.emplace();
        }
        if (kept.size() + 1 < keepLimit) {
            return &kept.emplace_back();
        }
        const std::size_t place = randomBelow(calls);
        return place < kept.size() ? &kept[place] : nullptr;
    }

    void beginShape() {
        kept.clear();
        fastest.reset();
        calls = 0;
        unannounced = 0;
    }
};

// What goes wrong with the baseline is never charged to the kernel.
template<class T>
Judged<T> Measurement::blamed(const Side& side, Judged<T> result) {
    if (!result && side.ofBaseline) {
        result.error().ifAtFault = VerdictKind::infrastructureFailed;
    }
    if (!result && side.ofBaseline && result.error().kind != VerdictKind::infrastructureFailed) {
        result.error().reason =
            fmt::format("the comparison kernel failed ({}): {}", name(result.error().kind), result.error().reason);
        result.error().kind = VerdictKind::infrastructureFailed;
        result.error().next = "Choose a kernel that passes evaluation";
    }
    return result;
}

} // namespace gks
