// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Distance of the numbers of neighbouring exchanges (see numberSites): what is added between them fits in.
inline constexpr unsigned siteStep = 4096;

// Of threads that run as fibres, once sites have numbers: the lanes of a wave meet at the end of each turn of a loop in
// which not all of them come to each exchange. A card has them all there; here one that had nothing to wait for in this
// turn would come to an exchange of the next one while others still wait in this one.
void meetAtTurns(llvm::Module& flat);

} // namespace gks::hipcpu
