// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/panel.h"

#include <QString>
#include <functional>
#include <vector>

namespace gks {

enum class PanelPlace { left, page, right, bottom };

// One dock or one page of a campaign. The id is what SelectionContext::requestPage and --panel name, and the object
// name of the dock.
struct PanelSpec {
    QString id;
    QString title;
    QString topic; // the section of the manual, which is English
    PanelPlace place = PanelPlace::page;
    std::function<Panel*(const PanelContext&)> make;
};

// Every panel of a campaign, in the order in which it is shown.
std::vector<PanelSpec> workbenchPanels();

} // namespace gks
