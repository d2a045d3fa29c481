// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

// A writer may send search-and-replace edits in the place of the whole file: short replies, and nothing changes by
// accident.
namespace gks {

struct Edit {
    std::string search;
    std::string replace; // empty: what was found goes
};

inline constexpr std::size_t editLimit = 60;
inline constexpr std::size_t editTextLimitBytes = std::size_t{64} << 10; // of one search or one replacement

// The source after all edits, each applied to what the ones before it left. A search must occur exactly once, byte for
// byte; where it does not occur at all, once when every run of white space counts as one blank. An error is written for
// the model: which edit, and where the nearest place is. The result has at most `limitBytes`.
Result<std::string> withEdits(std::string_view source, const std::vector<Edit>& edits, std::size_t limitBytes);

} // namespace gks
