// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/frozen/opening.h"

namespace gks::frozen {

// First byte that the process writes; behind `failed` a sentence follows.
inline constexpr char ready = 'r';
inline constexpr char failed = 'f';

// The whole life of the process with device code, forked by the keeper: maps the regions, loads the module, makes the
// plans ready, gives up what device code does not need, says that it is ready. Then for each byte (Which) from `go` it
// does that and writes one to `done`. Reads past the end, where they are checked, it notes in memory that it shares.
[[noreturn]] void liveAsDevice(const Opening& opening, int go, int done, hipcpu::ReadNotes& notes);

} // namespace gks::frozen
