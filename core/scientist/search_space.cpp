// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/search_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gks {

SearchSpace::SearchSpace(std::vector<Tunable> tunables) : m_tunables(std::move(tunables)) {}

TuningPoint SearchSpace::current() const {
    return pointOf({});
}

TuningPoint SearchSpace::pointOf(const std::map<std::string, std::string>& values) const {
    TuningPoint point;
    for (const Tunable& tunable : m_tunables) {
        const auto given = values.find(tunable.name);
        const std::string& value = given == values.end() ? tunable.current : given->second;
        const auto found = std::find(tunable.values.begin(), tunable.values.end(), value);
        point.push_back(found == tunable.values.end() ? -1 : static_cast<int>(found - tunable.values.begin()));
    }
    return point;
}

std::map<std::string, std::string> SearchSpace::valuesOf(const TuningPoint& point) const {
    std::map<std::string, std::string> values;
    for (std::size_t axis = 0; axis < m_tunables.size(); ++axis) {
        const Tunable& tunable = m_tunables[axis];
        values[tunable.name] =
            point[axis] < 0 ? tunable.current : tunable.values[static_cast<std::size_t>(point[axis])];
    }
    return values;
}

std::uint64_t SearchSpace::size() const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t size = m_tunables.empty() ? 0 : 1;
    for (const Tunable& tunable : m_tunables) {
        const std::uint64_t values = tunable.values.size();
        size = size > most / values ? most : size * values;
    }
    return size;
}

TuningPoint SearchSpace::pointAt(std::uint64_t index) const {
    TuningPoint point;
    for (const Tunable& tunable : m_tunables) {
        point.push_back(static_cast<int>(index % tunable.values.size()));
        index /= tunable.values.size();
    }
    return point;
}

double SearchSpace::axisDistance(std::size_t axis, int a, int b) const {
    const auto values = static_cast<double>(m_tunables[axis].values.size());
    return a == b ? 0 : a < 0 || b < 0 || values < 2 ? 1 : std::abs(a - b) / (values - 1);
}

double SearchSpace::distance(const TuningPoint& a, const TuningPoint& b) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < m_tunables.size(); ++axis) {
        sum += axisDistance(axis, a[axis], b[axis]);
    }
    return m_tunables.empty() ? 0 : sum / static_cast<double>(m_tunables.size());
}

} // namespace gks
