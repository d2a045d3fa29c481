// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workbench/main_window.h"

// The questions of the window as dialogs, for realWindowSeams().
namespace gks {

ClosingChoice askClosing(QWidget* parent);
UnsavedChoice askUnsaved(QWidget* parent, const QStringList& texts, bool kernel);
QString askAddress(QWidget* parent); // of a campaign on another machine; empty: none
RunChoice askAboutRun(QWidget* parent, const QString& file, const std::optional<RunningCampaign>& run);

} // namespace gks
