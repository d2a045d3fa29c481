// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"

#include <string>
#include <string_view>

// What a sandboxed process has left on its standard error.
namespace gks {

// How a process ended, with its last words, which are those of others as likely as its own.
std::string endText(const ExitState& exit, std::string_view log);
std::string readNow(int descriptor);              // what is in the pipe already, bounded
std::string_view lastLine(std::string_view text); // the last one with something on it; quotation() shows it to people

} // namespace gks
