// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/search_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace gks {
namespace {

double numberOf(const std::string& value) {
    return static_cast<double>(wholeNumber(value).value_or(0));
}

// Where the values of a tunable lie between its smallest and its largest: 64 is as far from 32 as 32 from 16.
std::vector<double> placesOf(const Tunable& tunable) {
    std::vector<double> places;
    if (tunable.type == TunableType::identifier) {
        return places;
    }
    for (const std::string& value : tunable.values) {
        const double number = numberOf(value);
        places.push_back(tunable.type == TunableType::powerOfTwo ? std::log2(number) : number);
    }
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    const double least = *low;
    const double width = *high > least ? *high - least : 1;
    for (double& place : places) {
        place = (place - least) / width;
    }
    return places;
}

} // namespace

SearchSpace::SearchSpace(std::vector<Tunable> tunables, TuningConstraints constraints)
    : m_tunables(std::move(tunables)), m_constraints(std::move(constraints)) {
    for (const Tunable& tunable : m_tunables) {
        m_places.push_back(placesOf(tunable));
        std::vector<double> numbers = {numberOf(tunable.current)};
        std::transform(tunable.values.begin(), tunable.values.end(), std::back_inserter(numbers), numberOf);
        m_numbers.push_back(std::move(numbers));
    }
}

Result<SearchSpace> SearchSpace::of(std::string_view source) {
    std::vector<Tunable> tunables = findTunables(source);
    GKS_TRY_ASSIGN(TuningConstraints constraints, TuningConstraints::compile(tunables, findConditions(source)));
    return SearchSpace(std::move(tunables), std::move(constraints));
}

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

bool SearchSpace::allows(const TuningPoint& point) const {
    if (m_constraints.empty()) {
        return true;
    }
    std::vector<double> numbers;
    for (std::size_t axis = 0; axis < m_tunables.size(); ++axis) {
        numbers.push_back(m_numbers[axis][static_cast<std::size_t>(point[axis] + 1)]);
    }
    return m_constraints.allow(numbers);
}

std::optional<std::uint64_t> SearchSpace::allowedSize() const {
    if (size() > enumerationLimit) {
        return {};
    }
    if (m_constraints.empty()) {
        return size();
    }
    std::uint64_t count = 0;
    for (std::uint64_t index = 0; index < size(); ++index) {
        count += allows(pointAt(index)) ? 1 : 0;
    }
    return count;
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
    const std::vector<double>& places = m_places[axis];
    if (a == b || a < 0 || b < 0 || places.empty()) {
        return a == b ? 0 : 1;
    }
    return std::abs(places[static_cast<std::size_t>(a)] - places[static_cast<std::size_t>(b)]);
}

double SearchSpace::distance(const TuningPoint& a, const TuningPoint& b) const {
    double sum = 0;
    for (std::size_t axis = 0; axis < m_tunables.size(); ++axis) {
        sum += axisDistance(axis, a[axis], b[axis]);
    }
    return m_tunables.empty() ? 0 : sum / static_cast<double>(m_tunables.size());
}

} // namespace gks
