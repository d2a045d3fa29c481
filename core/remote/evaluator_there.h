// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/remote/remote_shell.h"

#include <stop_token>
#include <string>

namespace gks {

// Sees to it that this program's own evaluator lies on the other side, in the user's cache folder, one folder for each
// build by the SHA-256 of its archive; copies it where it does not. Returns the full path of that folder there. Many
// may do so at the same time.
Result<std::string> evaluatorThere(const RemoteShell& shell, const std::stop_token& stop);

} // namespace gks
