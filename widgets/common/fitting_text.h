// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QFontMetrics;

namespace gks {

// Of texts that say the same ever shorter the first that a line has room for; the last one is cut where it has not.
// What holds a number is given as such texts: an ellipsis in a number says nothing.
QString firstThatFits(const QStringList& texts, const QFontMetrics& metrics, int width);

} // namespace gks
