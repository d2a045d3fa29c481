// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/near_duplicates.h"

#include "widgets/common/engine_bridge.h"
#include "widgets/common/terms.h"

namespace gks {

NearDuplicates::NearDuplicates(EngineBridge* bridge) : QObject(bridge), m_bridge(bridge) {
    connect(bridge, &EngineBridge::populationChanged, this, &NearDuplicates::update);
    update();
}

void NearDuplicates::update() {
    const PopulationPtr population = m_bridge->population();
    if (population->kernels.size() == m_kernels) {
        return;
    }
    m_kernels = population->kernels.size();
    m_work.start(
        [index = m_index, population](const std::stop_token&) {
            NoveltyIndex newer = *index;
            newer.update(*population);
            return newer;
        },
        [this](const NoveltyIndex& index) {
            m_index = std::make_shared<const NoveltyIndex>(index);
            Q_EMIT changed();
        });
}

QString NearDuplicates::text(KernelId kernel) const {
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
