// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace gks {

struct CompletedProcess;

// How every error and reason ends that is about a process which somebody else killed.
inline constexpr std::string_view killedFromOutside = "was killed from outside (SIGKILL)";
// "the linker was killed from outside (SIGKILL)"; `who` is words alone, by which the error is known again.
Error killedError(std::string_view who, std::string where, std::string next = {});
// Whether it was made by the function above. One that quotes such words, of a compiler or a kernel, was not.
bool tellsOfKill(const Error& error);

// The process was ended by a SIGKILL that we did not send, or says that one of its own processes was: a shell and our
// own compiler by the status that is usual for it, clang's driver and nvcc in words of their own, which a source cannot
// put together with that status.
bool wasKilled(const CompletedProcess& run);

} // namespace gks
