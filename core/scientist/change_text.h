// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gks {

// What was changed from one source to the other, for prompts: `- ` and `+ ` before removed and added lines, two lines
// of context, `@@ line N` where lines are left out. Bounded; the beginning and the end are kept. Empty when nothing
// differs.
std::string changeText(std::string_view before, std::string_view after, std::size_t limitBytes);

// The lines that stand on one side only, without those that differ in white space alone.
struct ChangedLines {
    std::string removed;
    std::string added;
};
ChangedLines changedLines(std::string_view before, std::string_view after);

} // namespace gks
