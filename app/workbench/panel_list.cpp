// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/panel_list.h"

#include "widgets/charts/calibration_panel.h"
#include "widgets/charts/charts_panel.h"
#include "widgets/charts/roofline_panel.h"
#include "widgets/charts/spend_panel.h"
#include "widgets/code/compare_panel.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/code/machine_code_panel.h"
#include "widgets/code/plan_panel.h"
#include "widgets/conversation/conversation_panel.h"
#include "widgets/conversation/prompt_panel.h"
#include "widgets/experiments/experiments_panel.h"
#include "widgets/experiments/history_panel.h"
#include "widgets/findings/findings_panel.h"
#include "widgets/knowledge/knowledge_panel.h"
#include "widgets/lineage/lineage_panel.h"
#include "widgets/run/activity_panel.h"
#include "widgets/run/problem_page.h"

#include <QCoreApplication>

namespace gks {

namespace {

template<class P>
PanelSpec spec(const char* id, const char* title, PanelPlace place) {
    return {QLatin1String(id), QCoreApplication::translate("PanelList", title), QLatin1String(title), place,
            [](const PanelContext& context) -> Panel* { return new P(context); }};
}

} // namespace

std::vector<PanelSpec> workbenchPanels() {
    return {
        spec<LineagePanel>("lineage", QT_TRANSLATE_NOOP("PanelList", "Lineage"), PanelPlace::left),
        spec<ComparePanel>("compare", QT_TRANSLATE_NOOP("PanelList", "Compare"), PanelPlace::page),
        spec<KernelPanel>("kernel", QT_TRANSLATE_NOOP("PanelList", "Kernel"), PanelPlace::page),
        spec<MachineCodePanel>("machine-code", QT_TRANSLATE_NOOP("PanelList", "Machine code"), PanelPlace::page),
        spec<PlanPanel>("plan", QT_TRANSLATE_NOOP("PanelList", "Launch plan"), PanelPlace::page),
        spec<ChartsPanel>("charts", QT_TRANSLATE_NOOP("PanelList", "Charts"), PanelPlace::page),
        spec<RooflinePanel>("roofline", QT_TRANSLATE_NOOP("PanelList", "Roofline"), PanelPlace::page),
        spec<ConversationPanel>("conversation", QT_TRANSLATE_NOOP("PanelList", "Conversation"), PanelPlace::page),
        spec<FindingsPanel>("findings", QT_TRANSLATE_NOOP("PanelList", "Findings"), PanelPlace::page),
        spec<KnowledgePanel>("knowledge", QT_TRANSLATE_NOOP("PanelList", "Knowledge"), PanelPlace::page),
        spec<PromptPanel>("prompts", QT_TRANSLATE_NOOP("PanelList", "Prompts"), PanelPlace::page),
        spec<CalibrationPanel>("calibration", QT_TRANSLATE_NOOP("PanelList", "Calibration"), PanelPlace::page),
        spec<SpendPanel>("spend", QT_TRANSLATE_NOOP("PanelList", "Spend"), PanelPlace::page),
        spec<HistoryPanel>("history", QT_TRANSLATE_NOOP("PanelList", "History"), PanelPlace::page),
        spec<ProblemPage>("problem", QT_TRANSLATE_NOOP("PanelList", "Problem"), PanelPlace::page),
        spec<ExperimentsPanel>("experiments", QT_TRANSLATE_NOOP("PanelList", "Experiments"), PanelPlace::right),
        spec<ActivityPanel>("activity", QT_TRANSLATE_NOOP("PanelList", "Activity"), PanelPlace::bottom),
    };
}

} // namespace gks
