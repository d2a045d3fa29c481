// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/time_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gks {
namespace {

constexpr std::size_t modelPointLimit = 128;
constexpr double priorSpread = 0.35;      // of log time, before anything is known: a factor of 1.4 either way
constexpr double measurementNoise = 0.03; // of log time: under 0.01 on a quiet GPU, 0.1 to 0.3 on shared cores
constexpr double lengthScale = 0.45;      // of the distance along one tunable, which is 0 to 1

} // namespace

TimeModel::TimeModel(const SearchSpace& space, const std::vector<Observation>& measured) : m_near(nearness(space)) {
    std::vector<const Observation*> used;
    for (const Observation& one : measured) {
        used.push_back(&one);
    }
    // The fastest ones matter; the model need not be right about the rest.
    std::stable_sort(used.begin(), used.end(), [](auto a, auto b) { return a->us < b->us; });
    used.resize(std::min(used.size(), modelPointLimit));
    double squares = 0;
    for (const Observation* one : used) {
        m_points.push_back(one->point);
        m_weights.push_back(std::log(one->us));
        m_mean += m_weights.back() / static_cast<double>(used.size());
    }
    for (double& value : m_weights) {
        value -= m_mean;
        squares += value * value;
    }
    // Few measurements say little about how much times differ: the prior counts like four of them.
    m_variance = (squares + 4 * priorSpread * priorSpread) / (static_cast<double>(used.size()) + 4);
    factorize();
}

double TimeModel::mean(const TuningPoint& point) const {
    double sum = m_mean;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        sum += m_weights[i] * covariance(point, m_points[i]);
    }
    return sum;
}

double TimeModel::spread(const TuningPoint& point) const {
    std::vector<double> row;
    for (const TuningPoint& known : m_points) {
        row.push_back(covariance(point, known));
    }
    forward(row);
    const double explained = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    return std::sqrt(std::max(m_variance - explained, 0.0) + measurementNoise * measurementNoise);
}

std::vector<TimeModel::Axis> TimeModel::nearness(const SearchSpace& space) {
    std::vector<Axis> result;
    for (std::size_t axis = 0; axis < space.tunables().size(); ++axis) {
        result.push_back({space.tunables()[axis].values.size(), {}});
        const int end = static_cast<int>(result.back().values);
        for (int a = -1; a < end; ++a) {
            for (int b = -1; b < end; ++b) {
                const double d = space.axisDistance(axis, a, b) / lengthScale;
                result.back().near.push_back(std::exp(-0.5 * d * d));
            }
        }
    }
    return result;
}

double TimeModel::covariance(const TuningPoint& a, const TuningPoint& b) const {
    double sum = 0;
    double product = 1;
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
        const double near = m_near[axis].at(a[axis], b[axis]);
        sum += near;
        product *= near;
    }
    return m_variance * (0.5 * sum / static_cast<double>(a.size()) + 0.5 * product);
}

// Cholesky: factor * factor^T = covariance + noise; then the weights solve it for the measured times.
void TimeModel::factorize() {
    const std::size_t n = m_points.size();
    m_factor.assign(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double value = covariance(m_points[i], m_points[j]) + (i == j ? measurementNoise * measurementNoise : 0);
            for (std::size_t k = 0; k < j; ++k) {
                value -= factor(i, k) * factor(j, k);
            }
            factor(i, j) = i == j ? std::sqrt(std::max(value, 1e-12)) : value / factor(j, j);
        }
    }
    forward(m_weights);
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) {
            m_weights[i] -= factor(k, i) * m_weights[k];
        }
        m_weights[i] /= factor(i, i);
    }
}

void TimeModel::forward(std::vector<double>& values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            values[i] -= factor(i, k) * values[k];
        }
        values[i] /= factor(i, i);
    }
}

} // namespace gks
