// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/novelty.h"
#include "widgets/common/latest_work.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

namespace gks {

class EngineBridge;

// Which kernels of a campaign nearly repeat an earlier one. Comparing all sources takes a while, so it happens beside
// the window, for new kernels alone, and only while somebody has asked for it.
class NearDuplicates final : public QObject {
    Q_OBJECT

public:
    explicit NearDuplicates(EngineBridge* bridge);

    std::optional<NearDuplicate> of(KernelId kernel) const { return m_index->of(kernel); }
    // "differs from 00012 in 3 lines (similarity 98 %)"; empty when the kernel is new enough.
    QString text(KernelId kernel) const;
    bool isComplete() const { return !m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    void update();

    EngineBridge* m_bridge;
    std::shared_ptr<const NoveltyIndex> m_index = std::make_shared<NoveltyIndex>();
    std::size_t m_kernels = 0; // that the index, or the work on it, has seen
    LatestWork<NoveltyIndex> m_work;
};

} // namespace gks
