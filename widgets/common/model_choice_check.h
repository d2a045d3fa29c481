// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QString>

namespace gks {

// What is wrong with what a person typed about a model, "" when it is good.
QString mistakeInModelAddress(const QString& address);
QString mistakeInLocalAddress(const ModelChoice& choice); // of a command or a folder
QString mistakeInModelName(const QString& name);
// A key pasted here by mistake must not reach the campaign file; names of variables look different. Empty is good:
// local servers need no key.
QString mistakeInKeyVariable(const QString& variable);

} // namespace gks
