// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/actions.h"
#include "widgets/common/panel.h"

#include <QAction>
#include <QObject>
#include <functional>

class QMenu;

namespace gks {

class CampaignFork;
class EvidenceExport;

// What a person can do with the selected kernel. Single letters work while `home` has the focus.
class KernelActions final : public QObject {
    Q_OBJECT

public:
    KernelActions(const PanelContext& context, QWidget* home);
    void fill(QMenu& menu) const;
    EvidenceExport& evidenceExport() const { return *m_export; }
    CampaignFork& fork() const { return *m_fork; }

private:
    const Kernel* selected() const;
    void add(const ActionSpec& spec, std::function<void(const Kernel&)> run, bool inside);
    void addSteering();
    void addMeasuring();
    void addReading();
    void addForking();
    // The kernel beside `other`, on all shapes, and the page that shows what comes of it.
    void measureBeside(const Kernel& kernel, KernelId other);
    bool mayBeMeasuredBeside(const Kernel& kernel, std::optional<KernelId> other) const;
    void toggleCompared(KernelId kernel);
    void updateComparison(const Kernel& kernel);
    void updateEnabled();
    void explainReadOnly();

    PanelContext m_context;
    QWidget* m_home;
    EvidenceExport* m_export;
    CampaignFork* m_fork;
    QList<QAction*> m_all;
};

} // namespace gks
