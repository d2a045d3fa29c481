// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The launcher between the judge and whatever must not be trusted. It gives up rights and then becomes the program:
//   confine bubblewrap OPTIONS -- bwrap ARGUMENTS...     makes the seccomp filter and hands it to bwrap
//   confine landlock OPTIONS -- PROGRAM ARGUMENTS...     Landlock and seccomp, for where user namespaces are not
//   allowed confine probe WHAT [ARGUMENT]                        attempts one escape: status 0 stopped, 1 escaped
// OPTIONS: --processes, --listen-locally, --talk-inside (bubblewrap), --keep DESCRIPTOR, and for landlock --read PATH,
// --write PATH, --device PATH. It depends on libc and libseccomp alone and starts in a millisecond.
namespace gks {

inline constexpr int confineFailedStatus = 126; // the wall could not be built; no program ends so, see guard.h

int confine(int argumentCount, char** arguments);

} // namespace gks
