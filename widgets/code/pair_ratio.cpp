// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/pair_ratio.h"

#include "core/campaign/ranking.h"
#include "widgets/common/statements.h"

#include <QObject>
#include <cmath>

namespace gks {

namespace {

// The same number, read from two places of the file.
bool isSameRatio(double one, double other) {
    constexpr double roundingError = 1e-9;
    return std::abs(one - other) <= roundingError * other;
}

} // namespace

PairRatio pairRatio(const Population& population, const Kernel& left, const Kernel& right) {
    const auto direct = directRatio(population, right.id, left.id);
    if (right.versusParent && !right.parents.empty() && right.parents.front() == left.id) {
        const ComparisonFact& fact = *right.versusParent;
        if (!direct || isSameRatio(direct->ratio, fact.ratio)) { // nobody has measured the two again
            return {comparisonOf(fact), markOf(fact.verdict)};
        }
    }
    const auto told = [](const SpeedRatio& ratio, const QString& by) {
        const VerdictKind kind = !isDecided(ratio) ? VerdictKind::undecided
                                 : ratio.ratio > 1 ? VerdictKind::faster
                                                   : VerdictKind::slower;
        return PairRatio{speedOf(ratio) + by, markOf(kind)};
    };
    if (direct) {
        return told(*direct, QObject::tr(" by their newest paired run"));
    }
    if (const auto ratio = population.scale ? population.scale->ratio(right.id, left.id) : std::nullopt) {
        return told(*ratio, QObject::tr(" by a chain of paired runs"));
    }
    return {QObject::tr("not compared: no paired runs connect the two"), VerdictMark::waiting};
}

} // namespace gks
