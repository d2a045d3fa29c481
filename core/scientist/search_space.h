// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/scientist/tuning_constraints.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gks {

// One value per tunable, as an index into its declared values; -1 for a current value that is not declared.
using TuningPoint = std::vector<int>;

class SearchSpace {
public:
    explicit SearchSpace(std::vector<Tunable> tunables, TuningConstraints constraints = {});
    // Tunables and conditions of a source; a condition that cannot be read is refused with its line.
    static Result<SearchSpace> of(std::string_view source);

    const std::vector<Tunable>& tunables() const { return m_tunables; }
    TuningPoint current() const;
    // Values for names that are missing come from the current ones.
    TuningPoint pointOf(const std::map<std::string, std::string>& values) const;
    std::map<std::string, std::string> valuesOf(const TuningPoint& point) const;
    std::uint64_t size() const;                     // number of points without regard to conditions, saturating
    TuningPoint pointAt(std::uint64_t index) const; // index < size()
    bool allows(const TuningPoint& point) const;    // meets every condition
    // Of how many points may be tried; none when the space is too large to be counted.
    std::optional<std::uint64_t> allowedSize() const;
    // 0 for the same point, 1 when every tunable goes from one end of its values to the other.
    double distance(const TuningPoint& a, const TuningPoint& b) const;
    double axisDistance(std::size_t axis, int a, int b) const;

private:
    std::vector<Tunable> m_tunables;
    std::vector<std::vector<double>> m_numbers; // of the current value, then of the declared ones; 0 for identifiers
    std::vector<std::vector<double>> m_places;  // of the values of a tunable, from 0 to 1; empty for identifiers
    TuningConstraints m_constraints;
};

// What is known of a point: a time, a failure, or only that it was tried.
struct Observation {
    TuningPoint point;
    double us = 0; // 0: not measured
    bool failed = false;
};

struct Proposal {
    TuningPoint point;
    Interval gain;      // predicted, time of the basis / its time
    int innovation = 0; // distance from what was tried, 0..100
};

// More points than these are not gone through one by one.
inline constexpr std::uint64_t enumerationLimit = 32768;

// At most `count` untried points that are worth a measurement, the most promising first. The same arguments give the
// same answer.
std::vector<Proposal> proposePoints(const SearchSpace& space, const std::vector<Observation>& observations,
                                    const TuningPoint& basis, std::size_t count, std::uint64_t seed);

} // namespace gks
