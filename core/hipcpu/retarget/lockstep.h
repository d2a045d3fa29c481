// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Where the lanes of a wave meet and nothing else happens: a function of the device library.
inline constexpr const char* waveMeeting = "hipcpu_amdgcn_wave_barrier";

// Lets the other threads of the block run. Once the device library is linked.
bool isSleep(const llvm::Instruction& instruction);

// Before the device library is linked: asks for what keepWavesInStep needs of it.
void prepareWavesInStep(llvm::Module& flat);

// The lanes of a card's wave make each step together: a value that one has stored in LDS is there for the loads of the
// others that come later in the code, and no store that comes later is there yet, without any barrier. Here threads run
// one after the other, so the lanes of a wave meet where such an access may depend on one of another lane. Once
// everything is inlined.
void keepWavesInStep(llvm::Module& flat);

} // namespace gks::hipcpu
