// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/icons.h"

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QStringList>
#include <functional>
#include <optional>

class QToolButton;
class QWidget;

namespace gks {

struct ActionSpec {
    const char* id; // "kernel.pin-parent"; also the objectName and the key of the user's own shortcut
    QString text;   // with mnemonic
    QString menu;   // top-level menu it appears in, empty: none
    QKeySequence shortcut = {};
    std::optional<Icon> icon = {};
    QString tip = {};
};

// All actions of one campaign view (or of the window): menus, the command palette, the shortcut page and the tests read
// them here.
class ActionCollection final : public QObject {
    Q_OBJECT

public:
    explicit ActionCollection(QObject* parent = nullptr) : QObject(parent) {}

    // Works while `home` is visible; with `inside`, only while `home` or a child of it has the focus (for single
    // letters and Space).
    QAction* add(QWidget* home, const ActionSpec& spec, std::function<void()> triggered, bool inside = false);
    QAction* action(const char* id) const;
    const QList<QAction*>& actions() const { return m_actions; }
    static void setTip(QAction* action, const QString& tip); // the keys come behind it
    static QString menuOf(const QAction* action);
    static QKeySequence defaultShortcut(const QAction* action);

private:
    QList<QAction*> m_actions;
};

// A button that does what the action does: its icon, with `text` beside it when there is one. It is called `name`, or
// like the action with ".button" behind.
QToolButton* toolButton(QAction* action, const QString& text = {}, const char* name = nullptr);

// Pairs of actions that answer to the same keys at the same time, as readable lines.
QStringList shortcutConflicts(const QList<QAction*>& actions);

} // namespace gks
