// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/kernel.h"

#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <optional>
#include <string_view>

namespace llvm {
class Argument;
class CallBase;
class Instruction;
class TargetLibraryInfo;
} // namespace llvm

namespace gks::hipcpu {

// An item function is a thread function that gets its index instead of a context, so that a loop can call it:
// void(arguments, block, lds, x, y, z, linear index in the block, private storage of all threads). Where it waits for
// other threads it calls one of the functions below, and nothing else there switches to another thread.
namespace item {
enum Parameter : unsigned { arguments, block, lds, x, y, z, linear, storage, parameters };
inline constexpr const char* exchange = "hipcpu_wave_exchange"; // of a thread function
// Its halves in an item function: void(i64 value), then what the wave has deposited: its lanes as bits, and the
// 64 slots.
inline constexpr const char* barrier = "hipcpu_barrier";
inline constexpr const char* toldBarrier = "hipcpu_item_barrier"; // void(its AccessSite)
inline constexpr const char* deposit = "hipcpu_item_deposit";
inline constexpr const char* lanes = "hipcpu_item_lanes";
inline constexpr const char* slots = "hipcpu_item_slots";
// Likewise of a reduction over the block: void(i64 value, i32 BlockReduction, its AccessSite or null), then its
// outcome.
inline constexpr const char* vote = "hipcpu_item_vote";
inline constexpr const char* outcome = "hipcpu_item_outcome";
inline constexpr const char* matrix = "hipcpu_mfma"; // with constants, and operands in the private storage
} // namespace item

bool isOfTheThread(const llvm::Argument& argument);
bool isCallOf(const llvm::Instruction& instruction, std::string_view name);

// nullptr where a thread may have to wait in another way, or needs more of its context than its index. The function is
// internal; who makes it removes it.
llvm::Function* itemFunction(const Kernel& kernel, const llvm::TargetLibraryInfo& library);

struct PrivateStorage {
    std::uint64_t bytes = 0;                                  // of each thread
    llvm::DenseMap<const llvm::Value*, std::uint64_t> places; // of addresses of variables, within a thread's bytes
};

// Once it is simplified: the item function's variables in memory move to the private storage. Nothing when their size
// is only known later.
std::optional<PrivateStorage> usePrivateStorage(llvm::Function& item);

} // namespace gks::hipcpu
