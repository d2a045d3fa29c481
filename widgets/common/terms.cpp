// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/terms.h"

#include "core/campaign/agent_kernel.h"
#include "core/campaign/gain.h"
#include "core/problem/shape_text.h"
#include "widgets/common/words.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace gks {

namespace {

struct Terms {
    Q_DECLARE_TR_FUNCTIONS(Terms)
};

} // namespace

QString verdictText(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::correct:
        return Terms::tr("correct");
    case VerdictKind::faster:
        return Terms::tr("faster");
    case VerdictKind::slower:
        return Terms::tr("slower");
    case VerdictKind::tie:
        return Terms::tr("tie");
    case VerdictKind::undecided:
        return Terms::tr("undecided");
    case VerdictKind::wrong:
        return Terms::tr("wrong");
    case VerdictKind::buildFailed:
        return Terms::tr("build failed");
    case VerdictKind::crashed:
        return Terms::tr("crashed");
    case VerdictKind::timedOut:
        return Terms::tr("timed out");
    case VerdictKind::cheatingSuspected:
        return Terms::tr("cheating suspected");
    case VerdictKind::infrastructureFailed:
        return Terms::tr("infrastructure failed");
    }
    return {};
}

QString authorText(Author author) {
    switch (author) {
    case Author::seed:
        return Terms::tr("seed");
    case Author::person:
        return Terms::tr("you");
    case Author::model:
        return Terms::tr("model");
    case Author::tuner:
        return Terms::tr("tuner");
    case Author::engine:
        return Terms::tr("engine");
    }
    return {};
}

QString authorText(const Kernel& kernel) {
    const std::string_view agent = agentOf(kernel);
    return agent.empty() ? authorText(kernel.author)
                         : Terms::tr("agent %1").arg(QLatin1String(agent.data(), static_cast<qsizetype>(agent.size())));
}

QString modeText(Mode mode) {
    switch (mode) {
    case Mode::automatic:
        return Terms::tr("Automatic");
    case Mode::approveExperiments:
        return Terms::tr("Approve");
    case Mode::step:
        return Terms::tr("Step");
    }
    return {};
}

QString stateText(EngineState state) {
    switch (state) {
    case EngineState::idle:
        return Terms::tr("idle");
    case EngineState::running:
        return Terms::tr("running");
    case EngineState::paused:
        return Terms::tr("paused");
    case EngineState::stopping:
        return Terms::tr("stopping");
    }
    return {};
}

QString activityText(Activity activity) {
    switch (activity) {
    case Activity::idle:
        return Terms::tr("idle");
    case Activity::selecting:
        return Terms::tr("Selector");
    case Activity::designing:
        return Terms::tr("Designer");
    case Activity::writing:
        return Terms::tr("Writer");
    case Activity::repairing:
        return Terms::tr("Repair");
    case Activity::building:
        return Terms::tr("building");
    case Activity::verifying:
        return Terms::tr("verifying");
    case Activity::measuring:
        return Terms::tr("measuring");
    case Activity::away:
        return Terms::tr("away");
    }
    return {};
}

QString targetText(TargetKind target) {
    switch (target) {
    case TargetKind::cpu:
        return QStringLiteral("cpu");
    case TargetKind::amd:
        return QStringLiteral("amd");
    case TargetKind::nvidia:
        return QStringLiteral("nvidia");
    }
    return {};
}

QString experimentStateText(ExperimentState state) {
    switch (state) {
    case ExperimentState::proposed:
        return Terms::tr("proposed");
    case ExperimentState::notPicked:
        return Terms::tr("not picked");
    case ExperimentState::approved:
        return Terms::tr("approved");
    case ExperimentState::rejected:
        return Terms::tr("rejected");
    case ExperimentState::writing:
        return Terms::tr("writing");
    case ExperimentState::evaluating:
        return Terms::tr("evaluating");
    case ExperimentState::done:
        return Terms::tr("done");
    case ExperimentState::failed:
        return Terms::tr("failed");
    }
    return {};
}

QString experimentStateText(ExperimentState state, std::optional<KernelState> inLine) {
    Kernel draft;
    draft.state = inLine.value_or(KernelState::waiting);
    return inLine ? kernelStateText(draft) : experimentStateText(state);
}

QString gainRangeOf(const Interval& ratio) {
    return Terms::tr("%1 to %2").arg(toText(formatRatio(ratio.low)), toText(formatRatio(ratio.high)));
}

QString readOnlyReason() {
    return Terms::tr("The campaign is open read-only");
}

QString predictionOf(const Experiment& experiment) {
    return experiment.predicted ? Terms::tr("predicted %1").arg(gainRangeOf(*experiment.predicted))
                                : Terms::tr("no prediction");
}

QString gainsOf(const Experiment& experiment) {
    QStringList parts = {predictionOf(experiment)};
    if (experiment.measuredGain) {
        parts.append(Terms::tr("measured %1").arg(toText(formatRatio(*experiment.measuredGain))));
    }
    if (experiment.tunedGain) {
        parts.append(Terms::tr("%1 tuned vs tuned").arg(toText(formatRatio(*experiment.tunedGain))));
    }
    return parts.join(QStringLiteral(", "));
}

QString idText(KernelId id) {
    return toText(kernelLabel(id));
}

QString kernelStateText(const Kernel& kernel) {
    switch (kernel.state) {
    case KernelState::proposed:
        return Terms::tr("for your approval");
    case KernelState::screening:
        return Terms::tr("screening");
    case KernelState::evaluating:
        return Terms::tr("evaluating");
    case KernelState::declined:
        return Terms::tr("declined");
    case KernelState::waiting:
    case KernelState::evaluated:
        break;
    }
    return kernel.verdict ? verdictText(*kernel.verdict) : Terms::tr("queued");
}

QString standingText(const Kernel& kernel) {
    return kernel.banned ? QString(kernelStateText(kernel) % Terms::tr(", banned")) : kernelStateText(kernel);
}

QString speedupText(const Population& population, const Kernel& kernel) {
    if (const SpeedRatio* speed = population.speed(kernel)) {
        return toText(formatRatio(speed->ratio));
    }
    return kernel.geomeanUs > 0 ? Terms::tr("not compared") : QString();
}

QString versusParentText(const Kernel& kernel) {
    if (!kernel.versusParent) {
        return {};
    }
    const QString ratio = ratioOf(*kernel.versusParent);
    switch (kernel.versusParent->verdict) {
    case VerdictKind::tie:
        return verdictText(VerdictKind::tie);
    case VerdictKind::undecided:
        return verdictText(VerdictKind::undecided) % QLatin1Char(' ') % ratio;
    default:
        return ratio;
    }
}

QString geomeanText(const Kernel& kernel, TargetKind target) {
    if (kernel.geomeanUs <= 0) {
        return {};
    }
    const QString text = toText(formatMicroseconds(kernel.geomeanUs, kernel.geomeanCi95Us));
    return target == TargetKind::cpu ? QString(text % QStringLiteral(" cpu")) : text;
}

QString shapeText(const std::map<std::string, std::int64_t>& shape, const std::vector<std::string>& dims) {
    QStringList parts;
    const auto add = [&](const std::string& dim, std::int64_t extent) {
        parts.append(toText(dim) % QLatin1Char('=') % QString::number(extent));
    };
    for (const std::string& dim : dims) {
        if (const auto found = shape.find(dim); found != shape.end()) {
            add(dim, found->second);
        }
    }
    for (const auto& [dim, extent] : shape) {
        if (std::find(dims.begin(), dims.end(), dim) == dims.end()) {
            add(dim, extent);
        }
    }
    return parts.isEmpty() ? word(wholeRunText) : parts.join(QLatin1Char(' '));
}

QString calmMarkdown(const std::string& markdown) {
    static const QRegularExpression heading(QStringLiteral("^#{1,3} "), QRegularExpression::MultilineOption);
    return toText(markdown).replace(heading, QStringLiteral("#### ")).trimmed();
}

namespace {

QString costOf(double usd, bool complete) {
    const QString known = toText(formatUsd(usd));
    return complete ? known : usd > 0 ? Terms::tr("at least %1").arg(known) : Terms::tr("cost unknown");
}

} // namespace

QString costText(const Exchange& exchange) {
    return costOf(exchange.usd.value_or(0), exchange.usd.has_value());
}

QString costText(const Spend& spend) {
    return costOf(spend.usd, spend.unpricedTokens == 0);
}

QString dateText(Timestamp at) {
    return at == 0 ? QString() : QDateTime::fromMSecsSinceEpoch(at).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString countText(std::int64_t count) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

} // namespace gks
