// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/terms.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>

namespace gks {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Terms", text);
}

} // namespace

QString verdictText(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::correct:
        return tr("correct");
    case VerdictKind::faster:
        return tr("faster");
    case VerdictKind::slower:
        return tr("slower");
    case VerdictKind::tie:
        return tr("tie");
    case VerdictKind::undecided:
        return tr("undecided");
    case VerdictKind::wrong:
        return tr("wrong");
    case VerdictKind::buildFailed:
        return tr("build failed");
    case VerdictKind::crashed:
        return tr("crashed");
    case VerdictKind::timedOut:
        return tr("timed out");
    case VerdictKind::cheatingSuspected:
        return tr("cheating suspected");
    case VerdictKind::infrastructureFailed:
        return tr("infrastructure failed");
    }
    return {};
}

QString authorText(Author author) {
    switch (author) {
    case Author::seed:
        return tr("seed");
    case Author::person:
        return tr("you");
    case Author::model:
        return tr("model");
    case Author::tuner:
        return tr("tuner");
    case Author::engine:
        return tr("engine");
    }
    return {};
}

QString modeText(Mode mode) {
    switch (mode) {
    case Mode::automatic:
        return tr("Automatic");
    case Mode::approveExperiments:
        return tr("Approve");
    case Mode::step:
        return tr("Step");
    }
    return {};
}

QString stateText(EngineState state) {
    switch (state) {
    case EngineState::idle:
        return tr("idle");
    case EngineState::running:
        return tr("running");
    case EngineState::paused:
        return tr("paused");
    case EngineState::stopping:
        return tr("stopping");
    }
    return {};
}

QString activityText(Activity activity) {
    switch (activity) {
    case Activity::idle:
        return tr("idle");
    case Activity::selecting:
        return tr("Selector");
    case Activity::designing:
        return tr("Designer");
    case Activity::writing:
        return tr("Writer");
    case Activity::repairing:
        return tr("Repair");
    case Activity::building:
        return tr("building");
    case Activity::verifying:
        return tr("verifying");
    case Activity::measuring:
        return tr("measuring");
    case Activity::away:
        return tr("away");
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
        return tr("proposed");
    case ExperimentState::notPicked:
        return tr("not picked");
    case ExperimentState::approved:
        return tr("approved");
    case ExperimentState::rejected:
        return tr("rejected");
    case ExperimentState::writing:
        return tr("writing");
    case ExperimentState::evaluating:
        return tr("evaluating");
    case ExperimentState::done:
        return tr("done");
    case ExperimentState::failed:
        return tr("failed");
    }
    return {};
}

QString idText(KernelId id) {
    return toText(kernelLabel(id));
}

QString kernelStateText(const Kernel& kernel) {
    switch (kernel.state) {
    case KernelState::proposed:
        return tr("for your approval");
    case KernelState::screening:
        return tr("screening");
    case KernelState::evaluating:
        return tr("evaluating");
    case KernelState::declined:
        return tr("declined");
    case KernelState::waiting:
    case KernelState::evaluated:
        break;
    }
    return kernel.verdict ? verdictText(*kernel.verdict) : tr("queued");
}

QString speedupText(const Kernel& kernel) {
    if (kernel.speedup > 0) {
        return toText(formatRatio(kernel.speedup));
    }
    return kernel.geomeanUs > 0 ? tr("not compared") : QString();
}

QString versusParentText(const Kernel& kernel) {
    if (!kernel.versusParent) {
        return {};
    }
    const QString ratio = toText(ratioText(*kernel.versusParent));
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
    return parts.join(QLatin1Char(' '));
}

QString calmMarkdown(const std::string& markdown) {
    static const QRegularExpression heading(QStringLiteral("^#{1,3} "), QRegularExpression::MultilineOption);
    return toText(markdown).replace(heading, QStringLiteral("#### ")).trimmed();
}

QString costText(const Exchange& exchange) {
    return toText(formatCost(exchange.usd.value_or(0), exchange.usd.has_value()));
}

QString costText(const Spend& spend) {
    return toText(formatCost(spend.usd, spend.unpricedTokens == 0));
}

QString dateText(Timestamp at) {
    return at == 0 ? QString() : QDateTime::fromMSecsSinceEpoch(at).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString countText(std::int64_t count) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

} // namespace gks
