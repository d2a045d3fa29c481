// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>
#include <vector>

// How far predictions of a gain can be trusted: what was predicted against what was measured.
namespace gks {

// A prediction that was measured. A gain is time before / time after.
struct CalibrationPoint {
    ExperimentId experiment = 0;
    KernelId kernel = 0;
    std::string designer; // who predicted: a model's name, "model" where none is known, "tuner" or "person"
    std::string writer;   // who wrote the kernel, likewise
    Interval predicted;
    double measured = 0;
    std::optional<Interval> measuredCi95; // empty for a gain tuned against tuned
    bool tuned = false;                   // the best tuned kernel against the best tuned of the parent's structure

    bool inside() const { return measured >= predicted.low && measured <= predicted.high; }
};
std::vector<CalibrationPoint> calibrationPoints(const Population& population); // in the order of the experiments

// Who stands for a stage, and how its predictions came out. For a writer: whether it delivers what was predicted.
struct CalibrationRow {
    std::string stage; // "designer" or "writer"
    std::string model; // as CalibrationPoint::designer and writer
    int count = 0;     // of predictions that were measured
    int inside = 0;
    double coverage = 0;   // inside / count
    Interval coverageCi95; // Wilson
    // Geometric mean of measured / middle of the range, which is the geometric mean of its ends; below 1: promises too
    // much.
    double bias = 1;
    std::optional<Interval> biasCi95; // Student's t on the logarithms; empty for a single one
    double meanWidth = 1;             // geometric mean of high / low
    // The correction: the middle is multiplied by `shift`, high / low is raised to the power `widening`.
    double shift = 1;
    double widening = 1;
};
// Sorted by stage, then by count, the largest first; nothing without a measured prediction.
std::vector<CalibrationRow> calibration(const Population& population);

// Share of results that a corrected range is meant to hold.
inline constexpr double meantCoverage = 0.8;

// The predicted range of an experiment, shifted and widened by how its designer's predictions came out so far. A
// person's stays as it is, and one without a prediction expects no gain.
Interval corrected(const Experiment& experiment, const std::vector<CalibrationRow>& rows);
Interval corrected(const Experiment& experiment, const Population& population);

// Measured gain of an experiment: tuned against tuned where that is known, else of its first kernel.
std::optional<double> gainOf(const Experiment& experiment);
// "model", "tuner" or the like: who predicted it.
std::string designerOf(const Experiment& experiment);

// What a designer is told of its own predictions; empty while nothing was measured.
std::string calibrationText(const Population& population);

} // namespace gks
