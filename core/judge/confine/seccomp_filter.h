// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which system calls the other side of the wall may not make. Used by the launcher alone, so it needs nothing but
// libseccomp.
namespace gks {

struct SeccompRules {
    bool mayStartProcesses = false;
    // Without a pid namespace the processes of the user are in reach: signals are then confined to this one. 0: there
    // is a namespace.
    int confinedPid = 0;
    // A socket of this machine that others could connect to, but no way to connect anywhere: CUDA's driver makes one to
    // hold the name of its process.
    bool mayListenLocally = false;
    // Any socket: there is a network namespace without a way out.
    bool mayTalkInside = false;
};

// Both give 0 or a negative errno.
int writeSeccompFilter(const SeccompRules& rules, int descriptor);
int loadSeccompFilter(const SeccompRules& rules);

} // namespace gks
