// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QIcon>
#include <QRectF>

class QPainter;

namespace gks {

struct Palette;

// How a kernel stands, as a shape and a colour: colour is never the only signal.
enum class VerdictMark {
    faster,      // triangle up
    tie,         // circle
    undecided,   // circle, one half of it filled
    slower,      // triangle down
    wrong,       // cross
    buildFailed, // square
    crashed,     // lightning; timed out looks the same
    suspect,     // flag
    correct,     // hollow circle: measured, compared with nothing
    notJudged,   // hollow diamond: the infrastructure failed
    waiting,     // dot
    running,     // ring
};
inline constexpr VerdictMark lastVerdictMark = VerdictMark::running;

VerdictMark markOf(const Kernel& kernel);
VerdictMark markOf(VerdictKind kind);
QColor colorOf(VerdictMark mark, const Palette& palette);
// Failed or banned: still there to be read, but not where a lineage leads.
bool isDim(const Kernel& kernel);
// fraction: of the running ring, -1 when unknown.
void paintMark(QPainter& painter, const QRectF& rect, VerdictMark mark, const QColor& color, double fraction = -1);
QIcon markIcon(VerdictMark mark); // follows the theme

} // namespace gks
