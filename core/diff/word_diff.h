// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/side_by_side.h"

#include <string_view>
#include <vector>

namespace gks {

struct WordDiff {
    std::vector<ByteSpan> left;
    std::vector<ByteSpan> right;
    double similarity = 0; // 0..1: share of the bytes, white space apart, that both lines have in common
};

// Tokens are identifiers, numbers, runs of white space and single other characters (UTF-8 characters are never cut).
WordDiff diffWords(std::string_view left, std::string_view right);

} // namespace gks
