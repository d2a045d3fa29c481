// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/asked_comparisons.h"

#include "core/campaign/asked_comparison.h"
#include "core/campaign/rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

bool contains(const std::vector<AskedComparison>& all, const AskedComparison& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

std::optional<AskedComparison> AskedComparisons::next() {
    const std::vector<AskedComparison> waiting = m_run.population().settings.askedComparisons;
    for (const AskedComparison& asked : waiting) {
        if (contains(m_inFlight, asked)) {
            continue;
        }
        const Kernel* kernel = m_run.population().kernel(asked.kernel);
        const Kernel* other = m_run.population().kernel(asked.other);
        if (kernel != nullptr && other != nullptr && kernel != other && isAccepted(*kernel) && isAccepted(*other)) {
            return asked;
        }
        remove(asked, "not measured, for not both have passed the judge");
    }
    return std::nullopt;
}

void AskedComparisons::returned(const AskedComparison& asked) {
    std::erase(m_inFlight, asked);
}

void AskedComparisons::done(const AskedComparison& asked, const Verdict& verdict) {
    std::erase(m_failedOnce, asked);
    remove(asked, verdict.comparison ? comparisonText(*verdict.comparison)
                                     : fmt::format("{}: {}", name(verdict.kind), verdict.reason));
}

void AskedComparisons::failed(const AskedComparison& asked, const Verdict& verdict) {
    const Error error = {ErrorKind::infrastructure, verdict.reason, askedText(asked), verdict.next};
    m_run.warn(error, "evaluator", asked.kernel);
    if (!contains(m_failedOnce, asked)) {
        m_failedOnce.push_back(asked);
    } else {
        std::erase(m_failedOnce, asked);
        remove(asked, "not measured: " + verdict.reason);
    }
}

// What the person has taken back meanwhile is not there any more; its result is.
void AskedComparisons::remove(const AskedComparison& asked, const std::string& detail) {
    m_run.refresh();
    CampaignSettings settings = m_run.population().settings;
    if (std::erase(settings.askedComparisons, asked) == 0) {
        return;
    }
    const Steering line = {0, Author::engine, "side by side", askedText(asked) + ": " + detail, 0};
    if (m_run.stored(m_run.store().saveSettings(settings, line))) {
        m_run.refresh();
    }
}

} // namespace gks
