// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

class Uniformity;
struct Regions;

// Fills in Regions::crossings, once the regions stand.
void findCrossings(llvm::Function& item, const Uniformity& uniformity, Regions& regions);

} // namespace gks::hipcpu
