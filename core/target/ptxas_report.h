// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gks {

// What `ptxas -v` says of a kernel.
struct PtxasKernel {
    std::string symbol; // mangled
    int registers = 0;  // of a thread
    int stackBytes = 0;
    int spillBytes = 0; // stores and loads
    int sharedBytes = 0;
    int barriers = 0;
    bool operator==(const PtxasKernel&) const = default;
};

// Of a compiler's log, as far as it is as ptxas 12 and 13 write it; other lines are passed over. At most 64 kernels.
std::vector<PtxasKernel> readPtxasReport(std::string_view log);

} // namespace gks
