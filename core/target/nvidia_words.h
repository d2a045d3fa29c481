// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

#include <algorithm>
#include <string_view>

// The words of an instruction of SASS or PTX.
namespace gks {

// Without "@!P0 " in front.
inline std::string_view withoutPredicate(std::string_view instruction) {
    if (instruction.starts_with('@')) {
        instruction = trimmed(instruction.substr(std::min(instruction.find_first_of(" \t"), instruction.size())));
    }
    return instruction;
}

inline std::string_view firstWord(std::string_view text, std::string_view ends) {
    return text.substr(0, text.find_first_of(ends));
}

} // namespace gks
