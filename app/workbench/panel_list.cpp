// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/panel_list.h"

#include "widgets/lineage/lineage_panel.h"
#include "widgets/run/activity_panel.h"
#include "widgets/run/problem_page.h"

#include <QCoreApplication>

namespace gks {

namespace {

template<class P>
PanelSpec spec(const char* id, const char* title, PanelPlace place) {
    return {QLatin1String(id), QCoreApplication::translate("PanelList", title), place, [](const PanelContext& context) -> Panel* { return new P(context); }};
}

} // namespace

std::vector<PanelSpec> workbenchPanels() {
    return {
        spec<LineagePanel>("lineage", QT_TRANSLATE_NOOP("PanelList", "Lineage"), PanelPlace::left),
        spec<ProblemPage>("problem", QT_TRANSLATE_NOOP("PanelList", "Problem"), PanelPlace::page),
        spec<ActivityPanel>("activity", QT_TRANSLATE_NOOP("PanelList", "Activity"), PanelPlace::bottom),
    };
}

} // namespace gks
