// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/pair_ratio.h"

#include "widgets/common/terms.h"

#include <QObject>

namespace gks {

PairRatio pairRatio(const Population& population, const Kernel& left, const Kernel& right) {
    if (right.versusParent && !right.parents.empty() && right.parents.front() == left.id) {
        const ComparisonFact& fact = *right.versusParent;
        return {verdictText(fact.verdict) + QLatin1Char(' ') + QString::fromStdString(ratioText(fact)),
                markOf(fact.verdict)};
    }
    if (const auto ratio = population.scale ? population.scale->ratio(right.id, left.id) : std::nullopt) {
        const VerdictKind kind = !isDecided(*ratio) ? VerdictKind::undecided
                                 : ratio->ratio > 1 ? VerdictKind::faster
                                                    : VerdictKind::slower;
        return {QString::fromStdString(speedText(*ratio)) + QObject::tr(" by all paired runs"), markOf(kind)};
    }
    return {QObject::tr("not compared: no paired runs connect the two"), VerdictMark::waiting};
}

} // namespace gks
