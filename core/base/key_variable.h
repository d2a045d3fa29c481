// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gks {

// Whether an environment variable with this name usually holds something secret: one of its words, which underscores
// part, is PASS, PWD, PAT or AUTH, or ends with KEY, TOKEN, SECRET, PASSWORD or the like. Letters count without case,
// numbers at the end do not. The working directory (PWD, OLDPWD) is none.
bool isNamedLikeKey(std::string_view variable);

} // namespace gks
