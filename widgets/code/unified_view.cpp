// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/code/unified_view.h"

#include "core/base/text.h"
#include "widgets/common/theme.h"

#include <optional>

namespace gks {
namespace {

// Marker numbers: 0 to 24 are free.
constexpr int unifiedAdded = 1;
constexpr int unifiedRemoved = 2;
constexpr int unifiedHunk = 3;

// A line that was removed may begin with "--": only the first two lines are the names.
std::optional<int> unifiedMarker(std::string_view line, int number) {
    if (number < 2 || line.starts_with("@@")) {
        return unifiedHunk;
    }
    return line.starts_with('+')   ? std::optional(unifiedAdded)
           : line.starts_with('-') ? std::optional(unifiedRemoved)
                                   : std::nullopt;
}

} // namespace

UnifiedView::UnifiedView(QWidget* parent) : SourceEditor(parent) {
    for (const int marker : {unifiedAdded, unifiedRemoved, unifiedHunk}) {
        markerDefine(QsciScintilla::Background, marker);
    }
    UnifiedView::applyTheme();
}

void UnifiedView::applyTheme() {
    SourceEditor::applyTheme();
    const Palette& palette = Theme::instance().palette();
    setMarkerBackgroundColor(tinted(palette.surface, palette.faster, 0.16), unifiedAdded);
    setMarkerBackgroundColor(tinted(palette.surface, palette.wrong, 0.16), unifiedRemoved);
    setMarkerBackgroundColor(palette.raised, unifiedHunk);
    setCaretLineVisible(false);
}

void UnifiedView::setUnifiedText(const std::string& text) {
    setSource(text);
    markerDeleteAll();
    int number = 0;
    for (const std::string_view line : gks::lines(text)) {
        if (const auto marker = unifiedMarker(line, number)) {
            markerAdd(number, *marker);
        }
        ++number;
    }
}

} // namespace gks
