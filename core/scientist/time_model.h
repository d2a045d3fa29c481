// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/search_space.h"

#include <vector>

namespace gks {

// A Gaussian process over the logarithm of the times of one structure (Rasmussen and Williams, algorithm 2.1); the
// essay in point_search.cpp says why.
class TimeModel {
public:
    TimeModel(const SearchSpace& space, const std::vector<Observation>& measured);

    double mean(const TuningPoint& point) const;   // of the logarithm of the time in microseconds
    double spread(const TuningPoint& point) const; // standard deviation of a measurement there

private:
    // exp(-d^2/2) for every two values of a tunable, -1 included: asked for millions of times.
    struct Axis {
        std::size_t values = 0;
        std::vector<double> near;
        double at(int a, int b) const {
            return near[static_cast<std::size_t>(a + 1) * (values + 1) + static_cast<std::size_t>(b + 1)];
        }
    };

    static std::vector<Axis> nearness(const SearchSpace& space);
    double covariance(const TuningPoint& a, const TuningPoint& b) const;
    double& factor(std::size_t i, std::size_t j) { return m_factor[i * m_points.size() + j]; }
    double factor(std::size_t i, std::size_t j) const { return m_factor[i * m_points.size() + j]; }
    void factorize();
    void forward(std::vector<double>& values) const;

    std::vector<Axis> m_near;
    std::vector<TuningPoint> m_points;
    std::vector<double> m_weights;
    std::vector<double> m_factor;
    double m_mean = 0;
    double m_variance = 0;
};

} // namespace gks
