// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/palette.h"

#include <QString>
#include <cstddef>
#include <vector>

// What a series of any chart is of, and with that its colour: one colour means the same on every page, so that no page
// chooses one of its own.
namespace gks {

enum class SeriesRole { selected, comparedWith, parent, best, baseline, library };

// Indices of Palette::series.
inline constexpr int selectedColor = 0;
inline constexpr int kernelColor = 1; // any kernel
inline constexpr int otherColor = 3;  // the parent, or the second that is selected
inline constexpr int bestColor = 2;
inline constexpr int goalColor = 4;
inline constexpr int baselineColor = 5;
inline constexpr int libraryColor = 6;
inline constexpr int neutralColor = -1; // quiet text: what was not compared

// Of a kernel with several roles: the selected one is found first, then what the others are measured by.
int colorOf(const std::vector<SeriesRole>& roles);
// Of the libraries, in their order; two colours take turns.
int colorOfLibrary(std::size_t number);
QColor seriesColor(int index, const Palette& palette);

// "Selected and best"
QString rolesText(const std::vector<SeriesRole>& roles);

} // namespace gks
