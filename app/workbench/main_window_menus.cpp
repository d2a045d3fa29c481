// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/campaign_view.h"
#include "app/workbench/main_window.h"
#include "app/workbench/recent_menu.h"
#include "widgets/common/actions.h"

#include <QMenuBar>
#include <algorithm>
#include <initializer_list>

// The menus, in the order that programs have: File, Edit, View, what is of the campaign, Help.
namespace gks {
namespace {

// Of the menu File, in groups; an empty id is a line between them.
constexpr std::initializer_list<const char*> fileOrder = {"campaign.new",
                                                          "campaign.open",
                                                          "campaign.open-remote",
                                                          "recent",
                                                          "",
                                                          "campaign.sample",
                                                          "campaign.demo",
                                                          "",
                                                          "campaign.copy",
                                                          "campaign.export-report",
                                                          "campaign.export-kernel",
                                                          "campaign.lanes",
                                                          "",
                                                          "campaign.close",
                                                          "window.quit"};

QList<QAction*> ofMenu(const QList<QAction*>& all, const QString& menu) {
    QList<QAction*> found;
    for (QAction* action : all) {
        if (ActionCollection::menuOf(action) == menu) {
            found.append(action);
        }
    }
    return found;
}

// What is not in the order stands behind it.
void fillFile(QMenu& menu, QList<QAction*> actions, QMenu* recent) {
    for (const char* id : fileOrder) {
        const QLatin1String wanted(id);
        const auto found = std::find_if(actions.begin(), actions.end(),
                                        [&](const QAction* action) { return action->objectName() == wanted; });
        if (wanted == QLatin1String("recent")) {
            menu.addMenu(recent);
        } else if (wanted.isEmpty()) {
            menu.addSeparator();
        } else if (found != actions.end()) {
            menu.addAction(*found);
            actions.erase(found);
        }
    }
    menu.addActions(actions);
}

} // namespace

void MainWindow::rebuildMenus() {
    const QString file = tr("&File");
    const QStringList order = {file,          tr("E&dit"),       tr("&View"), tr("&Run"),
                               tr("&Kernel"), tr("&Experiment"), tr("&Help")};
    const QList<QAction*> all = allActions();
    QStringList menus = order;
    for (const QAction* action : all) {
        const QString name = ActionCollection::menuOf(action);
        if (!name.isEmpty() && !menus.contains(name)) {
            menus.insert(menus.size() - 1, name);
        }
    }
    menuBar()->clear();
    menuBar()->setObjectName(QStringLiteral("menuBar"));
    for (const QString& name : std::as_const(menus)) {
        const QList<QAction*> actions = ofMenu(all, name);
        if (actions.isEmpty()) {
            continue;
        }
        QMenu* menu = menuBar()->addMenu(name);
        if (name == file) {
            fillFile(*menu, actions, m_recent);
        } else {
            menu->addActions(actions);
        }
    }
    m_actions->action("campaign.close")->setEnabled(currentView() != nullptr);
    m_actions->action("campaign.lanes")->setEnabled(currentView() != nullptr);
}

} // namespace gks
