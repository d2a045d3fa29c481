// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/confine/sandbox.h"
#include "core/problem/problem.h"

namespace gks {

// The pack's reference.cpp as a shared library: the ready-made one of a built-in pack, or compiled in the sandbox from
// this one file, once for each content. Nothing is loaded here. Errors say what the compiler said.
Result<std::filesystem::path> referenceLibrary(const ProblemPack& pack, SandboxLevel sandbox, bool allowNoSandbox);

} // namespace gks
