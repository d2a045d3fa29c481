// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

struct Regions;

// In a region's function: what comes of an exchange or a vote (item::lanes, slots and outcome) is read from its
// parameters.
void serveExchanges(llvm::Function& function, const Regions& regions);

} // namespace gks::hipcpu
