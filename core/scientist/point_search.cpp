// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/search_space.h"
#include "core/scientist/time_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

// Which point of a tuning space to measure next. A measurement costs seconds, so a little thinking pays.
//
// The logarithm of the time is modelled as a Gaussian process over the points of one structure (Rasmussen and Williams,
// algorithm 2.1). Its covariance has two halves: a sum over the tunables, which learns what each of them does by itself
// from a handful of measurements, and a product over the tunables, which learns how they interact. Values are near to
// each other by their type: powers of two by logarithm, other numbers by value, names not at all. The first points are
// spread out at random; each later one is that with the greatest expected improvement over the best (Jones, Schonlau
// and Welch, "Efficient Global Optimization", 1998). Candidates are all untried points that meet the conditions, or,
// when they are too many, coordinate moves and crossovers of the best points and a random sample; near a good point the
// model is sure of little else, so this is a local search too. Failures carry no time. A value or a pair of values that
// failed and never worked makes a point risky; it is kept for the end. Cost: n^3 for n <= 128 measured points, n for
// each candidate, n^2 for the best thousand of them; some ten milliseconds. How many evaluations it takes:
// resources/docs/tuning.md.
namespace gks {
namespace {

constexpr std::size_t sampleCount = 2048;
constexpr std::size_t refinedLimit = 1024;
constexpr double intervalWidth = 1.28; // standard deviations: 80 % of what will be measured should lie inside
constexpr double avoidedRisk = 0.6;    // failed twice, never worked

// xorshift64*: the same numbers on every machine, which std::uniform_int_distribution does not promise.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed == 0 ? 0x9e3779b97f4a7c15ULL : seed) {}
    std::uint64_t below(std::uint64_t bound) {
        m_state ^= m_state >> 12U;
        m_state ^= m_state << 25U;
        m_state ^= m_state >> 27U;
        return (m_state * 0x2545f4914f6cdd1dULL >> 11U) % bound;
    }

private:
    std::uint64_t m_state;
};

// How often single values and pairs of values failed, and whether they ever worked.
class RiskModel {
public:
    explicit RiskModel(const std::vector<Observation>& observations) {
        for (const Observation& one : observations) {
            if (one.failed || one.us > 0) {
                forEachPair(one.point,
                            [&](const Pair& pair) { ++(one.failed ? m_counts[pair].first : m_counts[pair].second); });
            }
        }
    }
    // 0: every part of it worked somewhere; 0.5: something in it failed once and never worked; towards 1: failed ever
    // again.
    double risk(const TuningPoint& point) const {
        double most = 0;
        if (m_counts.empty()) {
            return most;
        }
        forEachPair(point, [&](const Pair& pair) {
            const auto found = m_counts.find(pair);
            if (found != m_counts.end() && found->second.second == 0) {
                const double failures = found->second.first;
                most = std::max(most, failures / (failures + 1));
            }
        });
        return most;
    }

private:
    using Pair = std::array<int, 4>;

    template<class Visit>
    static void forEachPair(const TuningPoint& point, const Visit& visit) {
        for (std::size_t a = 0; a < point.size(); ++a) {
            for (std::size_t b = a; b < point.size(); ++b) { // a == b: the value by itself
                visit({static_cast<int>(a), point[a], static_cast<int>(b), point[b]});
            }
        }
    }

    std::map<Pair, std::pair<int, int>> m_counts; // failures, successes
};

class PointSearch {
public:
    PointSearch(const SearchSpace& space, const std::vector<Observation>& observations, const TuningPoint& basis,
                std::uint64_t seed)
        : m_space(space)
        , m_observations(observations)
        , m_basis(basis)
        , m_dice(seed)
        , m_risks(observations)
        , m_model(space, measuredOnly(observations)) {
        for (const Observation& one : observations) {
            m_tried.insert(one.point);
        }
        m_tried.insert(basis);
    }

    std::vector<Proposal> propose(std::size_t count) {
        collectCandidates();
        std::vector<TuningPoint> chosen;
        const std::size_t spreadOut = std::clamp<std::size_t>(m_space.tunables().size(), 3, 8);
        while (chosen.size() < count && chosen.size() < m_candidates.size()) {
            const bool starting = m_tried.size() + chosen.size() < spreadOut;
            chosen.push_back(starting ? farthest(chosen) : mostPromising(chosen));
        }
        std::vector<Proposal> proposals;
        for (const TuningPoint& point : chosen) {
            proposals.push_back(describe(point));
        }
        return proposals;
    }

private:
    struct Candidate {
        TuningPoint point;
        double logUs = 0; // expected, with a penalty for what is risky
    };

    static std::vector<Observation> measuredOnly(const std::vector<Observation>& observations) {
        std::vector<Observation> measured;
        std::copy_if(observations.begin(), observations.end(), std::back_inserter(measured),
                     [](const Observation& one) { return one.us > 0; });
        return measured;
    }

    void collectCandidates() {
        std::set<TuningPoint> points;
        const auto add = [&](const TuningPoint& point) {
            const bool declared = std::all_of(point.begin(), point.end(), [](int value) { return value >= 0; });
            if (declared && !m_tried.contains(point) && m_space.allows(point)) {
                points.insert(point);
            }
        };
        if (m_space.size() <= enumerationLimit) {
            for (std::uint64_t index = 0; index < m_space.size(); ++index) {
                add(m_space.pointAt(index));
            }
        } else {
            addMoves(add);
            for (std::size_t i = 0; i < sampleCount; ++i) {
                add(randomPoint());
            }
        }
        std::vector<TuningPoint> safe;
        std::vector<TuningPoint> risky;
        for (const TuningPoint& point : points) {
            (m_risks.risk(point) < avoidedRisk ? safe : risky).push_back(point);
        }
        for (const TuningPoint& point : safe.empty() ? risky : safe) {
            m_candidates.push_back({point, m_model.mean(point) + m_risks.risk(point)});
        }
        std::stable_sort(m_candidates.begin(), m_candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.logUs < b.logUs; });
        m_candidates.resize(std::min(m_candidates.size(), refinedLimit));
    }

    TuningPoint randomPoint() {
        TuningPoint point;
        for (const Tunable& tunable : m_space.tunables()) {
            point.push_back(static_cast<int>(m_dice.below(tunable.values.size())));
        }
        return point;
    }

    // One tunable changed, or each taken from one of two good points.
    template<class Add>
    void addMoves(const Add& add) {
        std::vector<Observation> best = measuredOnly(m_observations);
        std::stable_sort(best.begin(), best.end(),
                         [](const Observation& a, const Observation& b) { return a.us < b.us; });
        best.resize(std::min<std::size_t>(best.size(), 6));
        best.push_back({m_basis, 0, false});
        for (const Observation& one : best) {
            for (std::size_t axis = 0; axis < one.point.size(); ++axis) {
                TuningPoint moved = one.point;
                for (std::size_t value = 0; value < m_space.tunables()[axis].values.size(); ++value) {
                    moved[axis] = static_cast<int>(value);
                    add(moved);
                }
            }
            for (const Observation& other : best) {
                TuningPoint crossed = one.point;
                for (std::size_t axis = 0; axis < crossed.size(); ++axis) {
                    crossed[axis] = m_dice.below(2) == 0 ? crossed[axis] : other.point[axis];
                }
                add(crossed);
            }
        }
    }

    double distanceToKnown(const TuningPoint& point, const std::vector<TuningPoint>& chosen) const {
        double nearest = 1;
        for (const TuningPoint& known : m_tried) {
            nearest = std::min(nearest, m_space.distance(point, known));
        }
        for (const TuningPoint& known : chosen) {
            nearest = std::min(nearest, m_space.distance(point, known));
        }
        return nearest;
    }

    bool isChosen(const TuningPoint& point, const std::vector<TuningPoint>& chosen) const {
        return std::find(chosen.begin(), chosen.end(), point) != chosen.end();
    }

    // Of some random candidates the one farthest from everything known.
    TuningPoint farthest(const std::vector<TuningPoint>& chosen) {
        TuningPoint best;
        double bestDistance = -1;
        for (int i = 0; i < 24 || best.empty(); ++i) {
            const TuningPoint& point = m_candidates[m_dice.below(m_candidates.size())].point;
            const double distance = distanceToKnown(point, chosen);
            if (!isChosen(point, chosen) && distance > bestDistance) {
                best = point;
                bestDistance = distance;
            }
        }
        return best;
    }

    // The greatest expected improvement over the best time. Points that were chosen before count as measured at what
    // the model expects of them, so that a round is not five times the same guess.
    TuningPoint mostPromising(const std::vector<TuningPoint>& chosen) {
        std::vector<Observation> believed = measuredOnly(m_observations);
        for (const TuningPoint& point : chosen) {
            believed.push_back({point, std::exp(m_model.mean(point)), false});
        }
        const TimeModel model(m_space, believed);
        double best = std::numeric_limits<double>::infinity();
        for (const Observation& one : believed) {
            best = std::min(best, model.mean(one.point));
        }
        const Candidate* winner = nullptr;
        double most = -1;
        for (const Candidate& one : m_candidates) {
            if (isChosen(one.point, chosen)) {
                continue;
            }
            const double spread = model.spread(one.point);
            const double z = (best - model.mean(one.point) - m_risks.risk(one.point)) / spread;
            const double merit =
                spread * (z * 0.5 * std::erfc(-z * std::sqrt(0.5)) + 0.3989422804 * std::exp(-z * z / 2));
            if (merit > most) {
                most = merit;
                winner = &one;
            }
        }
        return winner->point;
    }

    Proposal describe(const TuningPoint& point) const {
        // Against the basis as it was measured, not as the model smooths it.
        double basisLogUs = m_model.mean(m_basis);
        for (const Observation& one : m_observations) {
            if (one.point == m_basis && one.us > 0) {
                basisLogUs = std::log(one.us);
            }
        }
        const double change = m_model.mean(point) - basisLogUs;
        const double width = intervalWidth * m_model.spread(point);
        const auto gain = [](double logRatio) { return std::clamp(std::exp(-logRatio), 0.1, 100.0); };
        const auto innovation = static_cast<int>(std::lround(100 * std::min(1.0, distanceToKnown(point, {}))));
        return {point, {gain(change + width), gain(change - width)}, innovation};
    }

    const SearchSpace& m_space;
    const std::vector<Observation>& m_observations;
    TuningPoint m_basis;
    Dice m_dice;
    RiskModel m_risks;
    TimeModel m_model;
    std::set<TuningPoint> m_tried;
    std::vector<Candidate> m_candidates;
};

} // namespace

std::vector<Proposal> proposePoints(const SearchSpace& space, const std::vector<Observation>& observations,
                                    const TuningPoint& basis, std::size_t count, std::uint64_t seed) {
    return PointSearch(space, observations, basis, seed).propose(count);
}

} // namespace gks
