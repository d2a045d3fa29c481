// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/static_summary.h"

#include "core/base/quantity.h"

#include <QStringList>
#include <algorithm>
#include <functional>

namespace gks {
namespace {

struct Fact {
    const char* name;
    std::function<QString(const StaticSummary&)> value;
    bool onlyWhenSet;
};

const std::vector<Fact>& facts() {
    static const std::vector<Fact> all = {
        {"VGPR", [](const StaticSummary& s) { return QString::number(s.vgprs); }, false},
        {"AGPR", [](const StaticSummary& s) { return QString::number(s.agprs); }, true},
        {"SGPR", [](const StaticSummary& s) { return QString::number(s.sgprs); }, false},
        {"spills", [](const StaticSummary& s) { return QString::number(s.spills); }, true},
        {"scratch",
         [](const StaticSummary& s) {
             return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(s.scratchBytes)));
         },
         true},
        {"LDS",
         [](const StaticSummary& s) {
             return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(s.ldsBytes)));
         },
         false},
        {"occupancy", [](const StaticSummary& s) { return QString::number(s.occupancyWavesPerSimd); }, false},
        {"mfma", [](const StaticSummary& s) { return QString::number(s.matrixInstructions); }, true},
        {"code",
         [](const StaticSummary& s) {
             return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(s.codeBytes)));
         },
         false},
    };
    return all;
}

// A line may be broken between two facts, not within one.
QString joined(QStringList parts) {
    for (QString& part : parts) {
        part.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    }
    return parts.join(QStringLiteral("    "));
}

} // namespace

StaticSummary summarize(const StaticReport& report) {
    StaticSummary all;
    bool first = true;
    for (const KernelResources& kernel : report.kernels) {
        all.vgprs = std::max(all.vgprs, kernel.vgprs);
        all.agprs = std::max(all.agprs, kernel.agprs);
        all.sgprs = std::max(all.sgprs, kernel.sgprs);
        all.spills += kernel.vgprSpills + kernel.sgprSpills;
        all.scratchBytes = std::max(all.scratchBytes, kernel.scratchBytes);
        all.ldsBytes = std::max(all.ldsBytes, kernel.ldsBytes);
        all.occupancyWavesPerSimd =
            first ? kernel.occupancyWavesPerSimd : std::min(all.occupancyWavesPerSimd, kernel.occupancyWavesPerSimd);
        const auto matrix = kernel.instructions.find("mfma");
        all.matrixInstructions += matrix == kernel.instructions.end() ? 0 : matrix->second;
        all.codeBytes += kernel.codeBytes;
        first = false;
    }
    return all;
}

QString staticText(const StaticReport& report) {
    const StaticSummary summary = summarize(report);
    const QString zero = QString::number(0);
    QStringList parts;
    for (const Fact& fact : facts()) {
        const QString value = fact.value(summary);
        if (!fact.onlyWhenSet || (value != zero && value != fact.value(StaticSummary{}))) {
            parts << QLatin1String(fact.name) + QLatin1Char(' ') + value;
        }
    }
    return joined(parts);
}

QString staticText(const StaticReport& before, const StaticReport& after) {
    const StaticSummary a = summarize(before);
    const StaticSummary b = summarize(after);
    const QString none;
    QStringList parts;
    for (const Fact& fact : facts()) {
        const QString from = fact.value(a);
        const QString to = fact.value(b);
        const QString empty = fact.value(StaticSummary{});
        if (fact.onlyWhenSet && from == empty && to == empty) {
            continue;
        }
        parts << QLatin1String(fact.name) + QLatin1Char(' ') +
                     (from == to ? to : from + QStringLiteral(" \u2192 ") + to);
    }
    return joined(parts);
}

} // namespace gks
