// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/live_numbers.h"

#include "core/base/quantity.h"
#include "core/target/function_at.h"
#include "core/target/occupancy_step.h"
#include "widgets/common/terms.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cstdlib>
#include <vector>

namespace gks {
namespace {

constexpr std::size_t shownFunctions = 6;
constexpr qsizetype functionNameCharacters = 40;

QString bytesText(int bytes) {
    return toText(formatBytes(static_cast<std::uint64_t>(std::max(0, bytes))));
}

// "VGPR 96 (+8)"; a line may be broken between two of them, not within one.
class LiveNumbers {
public:
    explicit LiveNumbers(const KernelResources* before) : m_before(before) {}

    void count(const char* name, int KernelResources::* part, const KernelResources& now, bool always) {
        add(name, part, now, always, [](int value) { return QString::number(value); });
    }
    void bytes(const char* name, int KernelResources::* part, const KernelResources& now, bool always) {
        add(name, part, now, always, bytesText);
    }
    QString difference(int KernelResources::* part, const KernelResources& now, QString (*text)(int)) const {
        const int more = m_before != nullptr ? now.*part - m_before->*part : 0;
        return more == 0
                   ? QString()
                   : QStringLiteral(" (%1%2)").arg(more > 0 ? QChar(u'+') : QChar(u'\u2212'), text(std::abs(more)));
    }
    QStringList take() { return std::move(m_parts); }

private:
    void add(const char* name, int KernelResources::* part, const KernelResources& now, bool always,
             QString (*text)(int)) {
        if (always || now.*part != 0 || (m_before != nullptr && m_before->*part != 0)) {
            m_parts << QString::fromLatin1(name) % QLatin1Char(' ') % text(now.*part) % difference(part, now, text);
        }
    }

    const KernelResources* m_before;
    QStringList m_parts;
};

QString wavesPart(const std::string& architecture, const KernelResources& now, const QString& difference) {
    QString waves = QObject::tr("%1 waves/SIMD").arg(now.occupancyWavesPerSimd) % difference;
    if (const auto step = nextOccupancyStep(architecture, now)) {
        waves += QStringLiteral(", ") %
                 (step->ldsBytes > 0 ? QObject::tr("%1 of LDS give %2").arg(bytesText(step->ldsBytes)).arg(step->waves)
                                     : QObject::tr("%1 VGPRs give %2").arg(step->vgprs).arg(step->waves));
    }
    return waves;
}

QString numbersOf(const std::string& architecture, const KernelResources& now, const KernelResources* before) {
    LiveNumbers numbers(before);
    numbers.count("VGPR", &KernelResources::vgprs, now, true);
    numbers.count("AGPR", &KernelResources::agprs, now, false);
    numbers.count("SGPR", &KernelResources::sgprs, now, true);
    numbers.bytes("LDS", &KernelResources::ldsBytes, now, true);
    numbers.count("VGPR spills", &KernelResources::vgprSpills, now, false);
    numbers.count("SGPR spills", &KernelResources::sgprSpills, now, false);
    numbers.bytes("scratch", &KernelResources::scratchBytes, now, false);
    const QString waves = numbers.difference(&KernelResources::occupancyWavesPerSimd, now,
                                             [](int value) { return QString::number(value); });
    QStringList parts = numbers.take();
    if (now.occupancyWavesPerSimd > 0) {
        parts << wavesPart(architecture, now, waves);
    }
    for (QString& part : parts) {
        part = part.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
        part.replace(QLatin1Char('/'), QStringLiteral("/&#8288;")); // nor is a line broken there
    }
    return parts.join(QStringLiteral(" &nbsp; "));
}

// The parent's function of that name; where both have a single one, that one whatever it is called.
const KernelResources* counterpart(const StaticReport& report, const StaticReport* parents,
                                   const KernelResources& now) {
    if (parents == nullptr) {
        return nullptr;
    }
    if (report.kernels.size() == 1 && parents->kernels.size() == 1) {
        return &parents->kernels.front();
    }
    const auto same = [&](auto nameOf) -> const KernelResources* {
        const auto found = std::find_if(parents->kernels.begin(), parents->kernels.end(),
                                        [&](const KernelResources& one) { return nameOf(one) == nameOf(now); });
        return found == parents->kernels.end() ? nullptr : &*found;
    };
    const KernelResources* exact = same([](const KernelResources& one) { return one.name; });
    return exact != nullptr ? exact : same([](const KernelResources& one) { return bareFunctionName(one.name); });
}

} // namespace

QString liveNumbersHtml(const StaticReport& report, const StaticReport* parents, const std::string& current) {
    std::vector<const KernelResources*> shown;
    shown.reserve(report.kernels.size());
    for (const KernelResources& kernel : report.kernels) {
        shown.push_back(&kernel);
    }
    const auto isCurrent = [&](const KernelResources* one) {
        return !current.empty() && bareFunctionName(one->name) == current;
    };
    if (shown.size() > shownFunctions) { // that of the cursor is among them
        std::stable_partition(shown.begin(), shown.end(), isCurrent);
        shown.resize(shownFunctions);
    }
    QStringList rows;
    for (const KernelResources* kernel : shown) {
        const std::string bare = bareFunctionName(kernel->name);
        const QString name = toText(bare.empty() ? kernel->name : bare).left(functionNameCharacters).toHtmlEscaped();
        const bool isBold = isCurrent(kernel);
        rows << (isBold ? QStringLiteral("<b>\u25B8 ") : QString()) % name %
                    (isBold ? QStringLiteral("</b>") : QString()) % QStringLiteral(" &nbsp; ") %
                    numbersOf(report.architecture, *kernel, counterpart(report, parents, *kernel));
    }
    const auto left = static_cast<int>(report.kernels.size() - shown.size());
    if (left > 0) {
        rows << QObject::tr("%1 more functions").arg(left).toHtmlEscaped();
    }
    // Other devices have other numbers: whose these are stands in front.
    return toText(report.architecture).toHtmlEscaped() % QStringLiteral(": ") % rows.join(QStringLiteral("<br>"));
}

} // namespace gks
