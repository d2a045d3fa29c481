// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/static_summary.h"

#include "core/base/quantity.h"
#include "core/target/ptxas_report.h"

#include <QObject>
#include <QStringList>
#include <algorithm>

namespace gks {
namespace {

enum class Worth { always, whereThereIsSome };

class FactList {
public:
    void number(const char* name, std::int64_t value, Worth worth) { add(name, QString::number(value), value, worth); }
    void bytes(const char* name, std::int64_t value, Worth worth) {
        add(name, QString::fromStdString(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, value)))),
            value, worth);
    }
    std::vector<StaticFact> take() { return std::move(m_facts); }

private:
    void add(const char* name, QString value, std::int64_t amount, Worth worth) {
        m_facts.push_back(
            {QString::fromLatin1(name), std::move(value), worth == Worth::whereThereIsSome && amount == 0});
    }

    std::vector<StaticFact> m_facts;
};

template<class Kernel>
int largest(const std::vector<Kernel>& kernels, int Kernel::* part) {
    int most = 0;
    for (const Kernel& kernel : kernels) {
        most = std::max(most, kernel.*part);
    }
    return most;
}

StaticFacts staticFacts(const std::vector<PtxasKernel>& kernels) {
    int spills = 0;
    for (const PtxasKernel& kernel : kernels) {
        spills += kernel.spillBytes;
    }
    FactList list;
    list.number("registers", largest(kernels, &PtxasKernel::registers), Worth::always);
    list.bytes("spills", spills, Worth::whereThereIsSome);
    list.bytes("stack", largest(kernels, &PtxasKernel::stackBytes), Worth::whereThereIsSome);
    list.bytes("static shared memory", largest(kernels, &PtxasKernel::sharedBytes), Worth::always);
    list.number("barriers", largest(kernels, &PtxasKernel::barriers), Worth::always);
    return {QStringLiteral("ptxas"), QObject::tr("what ptxas says of the code for the card"), list.take()};
}

// A line may be broken between two facts, not within one.
QString joined(QStringList parts) {
    for (QString& part : parts) {
        part.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    }
    return parts.join(QStringLiteral("    "));
}

} // namespace

StaticFacts staticFacts(const StaticReport& report) {
    int spills = 0;
    int matrix = 0;
    std::int64_t code = 0;
    int waves = 0;
    for (const KernelResources& kernel : report.kernels) {
        spills += kernel.vgprSpills + kernel.sgprSpills;
        const auto mfma = kernel.instructions.find("mfma");
        matrix += mfma == kernel.instructions.end() ? 0 : mfma->second;
        code += kernel.codeBytes;
        waves = &kernel == &report.kernels.front() ? kernel.occupancyWavesPerSimd
                                                   : std::min(waves, kernel.occupancyWavesPerSimd);
    }
    const std::vector<KernelResources>& kernels = report.kernels;
    FactList list;
    list.number("VGPR", largest(kernels, &KernelResources::vgprs), Worth::always);
    list.number("AGPR", largest(kernels, &KernelResources::agprs), Worth::whereThereIsSome);
    list.number("SGPR", largest(kernels, &KernelResources::sgprs), Worth::always);
    list.number("spills", spills, Worth::whereThereIsSome);
    list.bytes("scratch", largest(kernels, &KernelResources::scratchBytes), Worth::whereThereIsSome);
    list.bytes("LDS", largest(kernels, &KernelResources::ldsBytes), Worth::always);
    list.number("occupancy", waves, Worth::always);
    list.number("mfma", matrix, Worth::whereThereIsSome);
    list.bytes("code", code, Worth::always);
    const QString architecture = QString::fromStdString(report.architecture);
    return {architecture, QObject::tr("the compiled %1 code object").arg(architecture), list.take()};
}

std::optional<StaticFacts> staticFacts(const Verdict& verdict) {
    if (verdict.staticReport) {
        return staticFacts(*verdict.staticReport);
    }
    const std::vector<PtxasKernel> kernels = readPtxasReport(verdict.build.log);
    return kernels.empty() ? std::nullopt : std::optional(staticFacts(kernels));
}

QString staticText(const StaticFacts* before, const StaticFacts& after) {
    const bool isComparable =
        before != nullptr && before->reader == after.reader && before->facts.size() == after.facts.size();
    QStringList parts;
    for (std::size_t i = 0; i < after.facts.size(); ++i) {
        const StaticFact& to = after.facts[i];
        const StaticFact& from = isComparable ? before->facts[i] : to;
        if (from.isNothing && to.isNothing) {
            continue;
        }
        parts << to.name + QLatin1Char(' ') +
                     (from.value == to.value ? to.value : from.value + QStringLiteral(" \u2192 ") + to.value);
    }
    return joined(parts);
}

} // namespace gks
