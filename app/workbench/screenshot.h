// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>

namespace gks {

class CampaignView;
class MainWindow;

// Whether a picture may be put there: nothing is, or another picture.
Result<void> checkPicture(const QString& file);

// Draws the window (isWhole, or without a panel), or one panel of its campaign alone, at the given size, once
// everything in view has been filled. Runs an event loop of its own; gives up after 30 s.
Result<void> takeScreenshot(MainWindow& window, const QString& panel, bool isWhole, QSize size, const QString& file);

} // namespace gks
