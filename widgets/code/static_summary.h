// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/code_summary.h"

#include <QString>

namespace gks {

// Of what it was read, for a person.
QString originText(const CodeSummary& summary);
// "VGPR 96 -> 88" for each fact; where `before` is null or of another reader only the values.
QString staticText(const CodeSummary* before, const CodeSummary& after);

} // namespace gks
