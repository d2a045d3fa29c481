// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <array>

namespace gks {

// Every colour of the workbench, and what it means: one colour has one meaning.
//   faster     faster, by a paired run; in comparisons of code what was added, as everywhere
//   slower     slower; a measured value outside of what was predicted; preprocessor lines
//   wrong      wrong, did not build, crashed; what was removed; what has to be mended
//   tie        as good as equal, not decided, done without a comparison
//   suspect    suspected of cheating; warnings of the judge
//   accent     what is chosen, approved, running or can be followed
//   text, quietText, line   neutral: what stands, agrees or came out as predicted
//   series     names of a chart's legend; they judge nothing
// Text colours reach a contrast of 4.5 : 1 on surface, panel and raised
// (tests/widgets/theme_test).
struct Palette {
    QColor surface; // canvases, editors, lists
    QColor panel;   // docks, bars
    QColor raised;  // nodes, cards, fields
    QColor line;
    QColor text;
    QColor quietText;
    QColor accent;
    QColor faster;
    QColor slower;
    QColor wrong;
    QColor tie;
    QColor suspect;
    std::array<QColor, 8> series; // stay apart for colour-blind readers; always used in this order
    const QColor& literal() const { return series[5]; } // numbers and strings in code
};

const Palette& darkPalette();
const Palette& lightPalette();

// One grid for the whole window, in device-independent pixels.
inline constexpr int radius = 4;
inline constexpr int spacing1 = 4;
inline constexpr int spacing2 = 8;
inline constexpr int spacing3 = 12;
inline constexpr int spacing4 = 16;

// WCAG 2 contrast ratio, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);
// `over` laid on `base` with the given opacity, as an opaque colour.
QColor tinted(const QColor& base, const QColor& over, double opacity);

} // namespace gks
