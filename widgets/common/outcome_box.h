// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace gks {

// Says what came of work that went on behind the window. Not modal: the campaign goes on behind it. The text can be
// copied and is never read as markup.
void showOutcome(QWidget* home, const QString& objectName, bool good, const QString& title, const QString& text);

} // namespace gks
