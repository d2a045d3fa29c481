// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/statements.h"

#include "core/base/interval_end.h"
#include "core/base/quantity.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/judge/ratio_interval.h"
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace gks {
namespace {

constexpr std::size_t namedRivals = 2; // of a champion

struct Statements {
    Q_DECLARE_TR_FUNCTIONS(Statements)
};

} // namespace

QString ratioOf(const ComparisonFact& fact) {
    const QString ratio = toText(ratioInterval(fact));
    return fact.verdict == VerdictKind::undecided ? Statements::tr("%1 at 99 %").arg(ratio) : ratio;
}

QString comparisonOf(const ComparisonFact& fact) {
    return verdictText(fact.verdict) + QLatin1Char(' ') + ratioOf(fact);
}

QString speedOf(const SpeedRatio& speed) {
    return speed == SpeedRatio() || isDecided(speed)
               ? toText(speedText(speed))
               : Statements::tr("%1, not decided (99 %: %2 to %3)")
                     .arg(toText(formatRatio(speed.ratio)), toText(formatIntervalEnd(speed.ci99.low)),
                          toText(formatIntervalEnd(speed.ci99.high)));
}

QString scaledSpeedOf(const Population& population, const Kernel& kernel) {
    if (!isMeasured(kernel)) {
        return QStringLiteral("-");
    }
    const SpeedRatio* speed = population.speed(kernel);
    return speed != nullptr ? speedOf(*speed) : Statements::tr("not compared");
}

QString comparedSpeedOf(const ComparedSpeed& speed) {
    return (speed.runs == 0 ? QStringLiteral("~ ") : QString()) + speedOf(speed.ratio);
}

QString judgedByHarnessText() {
    return Statements::tr("judged by the user's harness");
}

QString headlineOf(const HeadlineRatio& headline, const Population& population) {
    using State = HeadlineRatio::State;
    const QString baseline = toText(headline.baseline);
    const QString clock = headline.isCpu ? Statements::tr(", CPU timings") : QString();
    const Kernel* best = headline.best ? population.kernel(*headline.best) : nullptr;
    switch (headline.state) {
    case State::nothingAccepted:
        break;
    case State::baselineIsBest:
        return Statements::tr("nothing is faster than baseline %1").arg(baseline);
    case State::confirmed: {
        const QString text =
            headline.verdict == VerdictKind::tie      ? Statements::tr("%1 confirmed, a tie with baseline %2%3")
            : headline.verdict == VerdictKind::faster ? Statements::tr("%1 confirmed, faster than baseline %2%3")
                                                      : Statements::tr("%1 confirmed, slower than baseline %2%3");
        return text.arg(toText(headline.ratio), baseline, clock);
    }
    case State::notConfirmed:
        return Statements::tr("%1 not confirmed, by all paired runs over baseline %2%3")
            .arg(best != nullptr ? scaledSpeedOf(population, *best) : toText(headline.ratio), baseline, clock);
    case State::notCompared:
        return Statements::tr("not confirmed, not compared with baseline %1").arg(baseline);
    }
    return Statements::tr("no kernel has passed its verdict yet");
}

QString championOf(const ShapeChampion& champion) {
    QStringList names = {idText(champion.kernel)};
    if (champion.isDecided()) {
        return names.front();
    }
    const std::size_t named = std::min(champion.rivals.size(), namedRivals);
    for (std::size_t at = 0; at < named; ++at) {
        names.append(idText(champion.rivals[at]));
    }
    const QString last = champion.rivals.size() > named ? Statements::tr("%1 more").arg(champion.rivals.size() - named)
                                                        : names.takeLast();
    return Statements::tr("%1 or %2: not decided").arg(names.join(QStringLiteral(", ")), last);
}

QString waitStatement(const Wait& wait) {
    using For = Wait::For;
    const QString kernel = wait.kernel ? idText(*wait.kernel) : QString();
    const QString failed = wait.failed ? verdictText(*wait.failed) : QString();
    switch (wait.what) {
    case For::nothing:
        break;
    case For::codeApproval:
        return Statements::tr("waits for your approval of its code");
    case For::screening:
        return Statements::tr("is built before a device takes it");
    case For::lane:
        return Statements::tr("waits for a device");
    case For::verdict:
        return Statements::tr("waits for the verdict on kernel %1").arg(kernel);
    case For::parentVerdict:
        return Statements::tr("waits for the verdict on its parent %1").arg(kernel);
    case For::budget:
        return failed.isEmpty() ? Statements::tr("over budget: %1").arg(toText(wait.spent))
                                : Statements::tr("%1 is %2, over budget: %3").arg(kernel, failed, toText(wait.spent));
    case For::pick:
        return Statements::tr("was not picked yet; approve it if you want it run");
    case For::approvalOnly:
        return Statements::tr("was not picked; approve it if you want it run");
    case For::approval:
        return Statements::tr("waits for your approval");
    case For::ownCode:
        return Statements::tr("needs code: no model writes in this campaign; write its kernel yourself, or name a "
                              "model");
    case For::repair:
        return Statements::tr("%1 is %2: waits to be repaired").arg(kernel, failed);
    case For::writing:
        return Statements::tr("waits to be written");
    }
    return {};
}

QString askedOf(const AskedComparison& asked) {
    const QString text = asked.allShapes ? Statements::tr("%1 and %2, all shapes") : Statements::tr("%1 and %2");
    return text.arg(idText(asked.kernel), idText(asked.other));
}

QString askedResultOf(const AskedResult& result) {
    const QString text = result.asked.allShapes ? Statements::tr("%1 (side by side with %2, all shapes)")
                                                : Statements::tr("%1 (side by side with %2)");
    return text.arg(comparisonOf(result.fact), idText(result.asked.other));
}

QString useOfFinding(const FindingUse& use) {
    if (use.experiments == 0) {
        return {};
    }
    if (use.experiments > 1) {
        return Statements::tr("used by %1 experiments, %2 of them gained").arg(use.experiments).arg(use.gained);
    }
    return use.gained == 1 ? Statements::tr("used by 1 experiment, which gained")
                           : Statements::tr("used by 1 experiment, which has not gained");
}

} // namespace gks
