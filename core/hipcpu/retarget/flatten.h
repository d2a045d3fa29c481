// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

namespace llvm {
class DataLayout;
class Function;
class Module;
class Type;
class Value;
} // namespace llvm

namespace gks::hipcpu {

inline constexpr unsigned ldsAddressSpace = 3; // of device IR

// What the later stages have to know about the device module and can no longer see in a module without address spaces.
namespace mark {
inline constexpr const char* ldsVariable = "hipcpu.lds";        // on global variables: lived in LDS
inline constexpr const char* ldsAddress = "hipcpu.lds.address"; // on ptrtoint and inttoptr: a 32-bit LDS address
inline constexpr const char* m0 = "hipcpu.m0";                  // on a global variable: stands for that register
inline constexpr const char* toldValue = "hipcpu.told";         // on stores: of a value that is only told
inline constexpr const char* toldFirst = "hipcpu.told.first";   // likewise, and before others can see it in memory
inline constexpr const char* goingByte = "hipcpu.going"; // on loads: of the thread, those of others lie beside it
inline constexpr const char* deviceVariable = "hipcpu.variable"; // on global variables: the host may know it by name
} // namespace mark

// What a kernel brings gets a name of ours, before anything is looked up by name: its functions and variables can be
// called whatever the assembler takes, also like a service of the runtime or a function of the device library. No name
// that is looked up begins like these.
namespace renamed {
inline constexpr const char* kernel = "device.kernel.";
inline constexpr const char* hostVariable = "device.variable."; // the host may know it by the rest of the name
inline constexpr const char* other = "device.";
} // namespace renamed

// Vectors, and integers wider than 64 bits: the device library takes and gives them by address.
bool goesThroughMemory(const llvm::Type* type);

// The name of the device library function that stands for a function of the device module: llvm.amdgcn.X.Y becomes
// hipcpu_amdgcn_X_Y, and whatever takes or returns such values hipcpu_v_... . Empty when the function keeps its name.
std::string deviceLibraryName(const llvm::Function& function);

// Keeps kernels, variables that the host can name, and what they reach; everything else of the device module is
// removed.
void keepReachable(llvm::Module& device);

// A copy of the device module in which every pointer is an ordinary one: address spaces stripped, casts between them
// gone, everything renamed and internal, target attributes and sections removed: the linker puts a function where its
// section's name belongs, also among data that is written. What accesses ask of their addresses and devices do not need
// is left as claims (alignment_claims.h) where `claimsAlignment`. The device module is consumed.
std::unique_ptr<llvm::Module> flattened(std::unique_ptr<llvm::Module> device, const std::string& triple,
                                        const llvm::DataLayout& layout, bool claimsAlignment);

} // namespace gks::hipcpu
