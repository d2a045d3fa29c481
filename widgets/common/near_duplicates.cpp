// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/near_duplicates.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/terms.h"

#include <QMetaObject>
#include <utility>

namespace gks {

NearDuplicates::NearDuplicates(EngineBridge* bridge) : QObject(bridge), m_bridge(bridge) {}

std::optional<NearDuplicate> NearDuplicates::of(KernelId kernel) {
    const auto known = m_known.find(kernel);
    if (known != m_known.end()) {
        return known->second;
    }
    if (!m_sought.contains(kernel) && m_bridge->population()->kernel(kernel) != nullptr) {
        // A page asks for each of its rows: one look for all of them.
        if (m_wanted.empty()) {
            QMetaObject::invokeMethod(this, &NearDuplicates::work, Qt::QueuedConnection);
        }
        m_wanted.insert(kernel);
    }
    return std::nullopt;
}

void NearDuplicates::work() {
    if (m_work.isBusy() || m_wanted.empty()) {
        return; // whoever is busy comes here at its end
    }
    m_sought = std::exchange(m_wanted, {});
    const std::vector<KernelId> asked(m_sought.begin(), m_sought.end());
    m_work.start(
        [novelty = m_novelty, population = m_bridge->population(), asked](const std::stop_token&) {
            const auto found = novelty->nearestEarlier(*population, asked);
            Answers answers;
            for (const KernelId kernel : asked) {
                const auto at = found.find(kernel);
                answers[kernel] = at == found.end() ? std::nullopt : std::optional(at->second);
            }
            return answers;
        },
        [this](const Answers& answers) {
            m_known.insert(answers.begin(), answers.end());
            m_sought.clear();
            work();
            Q_EMIT changed();
        });
}

QString NearDuplicates::text(KernelId kernel) {
    const auto near = of(kernel);
    const Population& population = *m_bridge->population();
    const Kernel* own = population.kernel(kernel);
    const Kernel* earlier = near ? population.kernel(near->kernel) : nullptr;
    if (own == nullptr || earlier == nullptr) {
        return {};
    }
    return toText(differenceText(*own, *earlier, *near));
}

} // namespace gks
