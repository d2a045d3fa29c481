// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// How far a campaign had come after each of its experiments, read from its file.
namespace gks::progress {

// Experiments count when the first verdict on their code is there; what repairs bring belongs to the same one. A kernel
// of a person without an experiment is one too. Seeds are none.
struct Step {
    std::int64_t experiments = 0;
    KernelId best = 0; // so far, by the scale of the whole campaign; 0: nothing is on it yet
    double speedup = 0;
    Interval ci95 = {};
    std::int64_t failed = 0; // kernels that came to nothing so far
    std::int64_t calls = 0;  // of models so far
    std::int64_t tokens = 0;
    double hours = 0; // since the first evaluation began
    bool operator==(const Step&) const = default;
};

struct Course {
    std::string name; // of the file
    PopulationPtr population;
    std::vector<Step> steps;                        // the first one is of the seeds alone: 0 experiments
    const Step& at(std::int64_t experiments) const; // the last one where it had not so many
};

// Evaluations of all kernels, in any order.
std::vector<Step> stepsOf(const Population& population, std::vector<Evaluation> evaluations,
                          const std::vector<Exchange>& exchanges);
Result<Course> readCourse(const std::string& file);

// A row for each number of experiments, a column for each campaign.
std::string courseTable(const std::vector<Course>& courses);
// What each spent, and on what.
std::string spendTable(const std::vector<Course>& courses);
std::string speedCell(const Step& step); // "3.10x [3.05, 3.15] (00012)"

} // namespace gks::progress
