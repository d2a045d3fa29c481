// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/python_tokens.h"

#include <string_view>
#include <vector>

// What names of modules stand for: a reference is translated by the names that it calls.
namespace gks {

// torch, math, F and the like, which mean one module each.
bool isModuleName(std::string_view name);

// Refused: an import, a function, a class or a value, other than a plain number, beside the functions that makes
// another thing of such a name.
Result<void> modulesAreThemselves(const std::vector<PythonToken>& tokens, std::string_view where);

} // namespace gks
