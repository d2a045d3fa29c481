// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/pair_ratio.h"

#include "core/campaign/ranking.h"
#include "widgets/common/statements.h"

#include <QObject>

namespace gks {

PairRatio pairRatio(const Population& population, const Kernel& left, const Kernel& right) {
    if (right.versusParent && !right.parents.empty() && right.parents.front() == left.id) {
        const ComparisonFact& fact = *right.versusParent;
        return {comparisonOf(fact), markOf(fact.verdict)};
    }
    const auto told = [](const SpeedRatio& ratio, const QString& by) {
        const VerdictKind kind = !isDecided(ratio) ? VerdictKind::undecided
                                 : ratio.ratio > 1 ? VerdictKind::faster
                                                   : VerdictKind::slower;
        return PairRatio{speedOf(ratio) + by, markOf(kind)};
    };
    if (const auto direct = directRatio(population, right.id, left.id)) {
        return told(*direct, QObject::tr(" by their newest paired run"));
    }
    if (const auto ratio = population.scale ? population.scale->ratio(right.id, left.id) : std::nullopt) {
        return told(*ratio, QObject::tr(" by a chain of paired runs"));
    }
    return {QObject::tr("not compared: no paired runs connect the two"), VerdictMark::waiting};
}

} // namespace gks
