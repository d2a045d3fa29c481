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

// What a person can do with the selected kernel. Single letters work while `home` has the focus.
class KernelActions final : public QObject {
    Q_OBJECT

public:
    // Asks where to write; empty: the person thought better of it. Replaced by tests.
    using AskFile = std::function<QString(QWidget* parent, const QString& suggestion)>;

    KernelActions(const PanelContext& context, QWidget* home);
    void fill(QMenu& menu) const;
    void setAskFile(AskFile ask) { m_askFile = std::move(ask); }

private:
    const Kernel* selected() const;
    void add(const ActionSpec& spec, std::function<void(const Kernel&)> run, bool inside);
    void addSteering();
    void addReading();
    void saveEvidence(const Kernel& kernel);
    void updateEnabled();

    PanelContext m_context;
    QWidget* m_home;
    AskFile m_askFile;
    QList<QAction*> m_all;
};

} // namespace gks
