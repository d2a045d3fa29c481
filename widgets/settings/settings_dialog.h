// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/settings.h"

#include <QDialog>
#include <QList>

class QAction;
class QLabel;
class QTableWidget;

namespace gks {

inline const Setting<bool> notifyRunEnd{"run/notifyEnd", true};

// Theme, editor and shortcuts. Every change works at once; a shortcut that is taken is named beside the table.
class SettingsDialog final : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(const QList<QAction*>& actions, QWidget* parent = nullptr);

private:
    QWidget* buildChoices();
    QTableWidget* buildShortcuts();
    void updateConflicts();

    QList<QAction*> m_actions;
    QTableWidget* m_shortcuts;
    QLabel* m_conflicts;
};

} // namespace gks
