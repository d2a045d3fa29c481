// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/novelty.h"
#include "widgets/common/latest_work.h"

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace gks {

class EngineBridge;

// Which kernels of a campaign nearly repeat an earlier one: of those that a page shows, not of all. What is asked for
// the first time is looked for beside the window, and `changed` says that it is known. It stays known: what was there
// before a kernel never changes.
class NearDuplicates final : public QObject {
    Q_OBJECT

public:
    explicit NearDuplicates(EngineBridge* bridge);

    // Nothing, too, while it is being looked for.
    std::optional<NearDuplicate> of(KernelId kernel);
    // "differs from 00012 in 3 lines (similarity 98 %)"; empty when the kernel is new enough.
    QString text(KernelId kernel);
    bool isComplete() const { return m_wanted.empty() && !m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    using Answers = std::map<KernelId, std::optional<NearDuplicate>>;
    void work();

    EngineBridge* m_bridge;
    const std::shared_ptr<Novelty> m_novelty = std::make_shared<Novelty>(); // the work's alone, one at a time
    Answers m_known;
    std::set<KernelId> m_wanted; // and not yet looked for
    std::set<KernelId> m_sought; // by the work
    LatestWork<Answers> m_work;
};

} // namespace gks
