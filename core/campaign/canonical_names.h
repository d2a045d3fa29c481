// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gks {

// For normalizedSource(): a source without comments and formatting, in which local names are replaced by @1, @2, ... in
// the order of their first appearance. Only names whose replacement cannot change the meaning are: see the essay in the
// source file. Whatever is in doubt keeps its name.
std::string withCanonicalNames(std::string_view normalized);

} // namespace gks
