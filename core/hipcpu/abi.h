// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The contract between the three parts of the cpu target:
//   retargeter  (compile time) turns clang's gfx942 device IR into host code that follows this page;
//   device library (compiled to bitcode, linked into every module) implements llvm.amdgcn.*, __ockl_* and __ocml_* on
//   it; runtime library (libhipcpu.so, loaded by the runner or linked by a whole program) executes it and exports the
//   HIP host ABI.
//
// Naming: an intrinsic llvm.amdgcn.X.Y becomes the function hipcpu_amdgcn_X_Y. An intrinsic with a vector operand or
// result goes through memory instead, so that no vector calling convention is part of the contract:
// hipcpu_v_amdgcn_X_Y(result*, a*, ...). Matrix instructions all become hipcpu_mfma (see below). The same rule for
// library functions of vectors:
// __ocml_exp_2f16 becomes hipcpu_v_ocml_exp_2f16(result*, a*). A buffer resource (addrspace 8) is an ordinary pointer
// here, made by hipcpu_amdgcn_make_buffer_rsrc_p0 or _p1.
//
// The device library's functions carry no convergent claims beyond the cross-lane ones; the retargeter strips
// target-cpu and target-features from them and adds its own. hipcpu_amdgcn_workitem_id_{x,y,z} and workgroup_id_{x,y,z}
// are defined there on hipcpu_this_thread(), for calls that the retargeter has not replaced by its own loads from
// ThreadContext.
//
// The retargeter handles fences, llvm.trap (hipcpu_fail) and inline assembly itself. It inlines the device library into
// the kernels; a library function that asks for __builtin_return_address(0) as its site must be noinline: the
// retargeter inlines it last, with a constant of its own per call, so that no optimisation can make two sites of one or
// one of two. hipcpu_this_thread() is treated as pure and becomes the ThreadFunction's parameter. A run in reversed
// thread order must use KernelEntry::thread also where there is a block function, unless that is of a module that tells
// its accesses.
//
// A fibre never moves between operating system threads while a block runs, so addresses derived from `lds` stay valid
// across every synchronisation point of a kernel.

#include "core/hipcpu/architecture.h"

#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

inline constexpr std::uint32_t abiVersion = 7;
inline constexpr std::uint64_t moduleMagic = 0x67'6b'73'2d'68'69'70'31; // "gks-hip1"
inline constexpr std::uint32_t waveSize = 64;
inline constexpr std::uint32_t stripThreads = 16; // side by side, of one wave, that block functions vectorise
inline constexpr std::uint32_t maxThreadsPerBlock = 1024;

// One block while it runs. The same for all its threads.
struct BlockContext {
    std::uint32_t blockIndex[3];
    std::uint32_t blockSize[3];
    std::uint32_t gridSize[3]; // in blocks
    std::uint32_t dynamicLdsBytes;
    std::uint32_t staticLdsBytes; // dynamic LDS (extern __shared__) starts at lds + staticLdsBytes, 1024-byte aligned
    std::uint32_t isReversed;     // block functions of modules that tell their accesses: the last thread comes first
    char* lds;                    // 1024-byte aligned; static and dynamic LDS end (rounded up to 1024) at a guard page
    std::uint32_t isCooperative;  // all blocks of the grid are there at once and may wait for each other
};

// One thread of a block while it runs. The runtime's own bookkeeping follows these fields and is not part of the
// contract.
struct ThreadContext {
    std::uint32_t threadIndex[3];
    std::uint32_t lane; // 0..63
    BlockContext* block;
};

// Runs one thread of a kernel. `arguments[i]` points to the storage of argument i, as hipLaunchKernel gets it.
using ThreadFunction = void (*)(void** arguments, ThreadContext* thread, char* lds);
// Runs all threads of a block in loops (x fastest): from one synchronisation of the kernel to the next, where its
// threads go through them together.
using BlockFunction = void (*)(void** arguments, BlockContext* block);

struct KernelEntry {
    const char* name;      // mangled, as __hipRegisterFunction gets it
    ThreadFunction thread; // nullptr: there is always `block`
    BlockFunction block;   // nullptr: use `thread` on fibres
    std::uint32_t maxThreadsPerBlock;
    std::uint32_t
        staticLdsBytes; // what this kernel's __shared__ variables take, rounded up to 1024 when dynamic LDS is used
    std::uint32_t usesDynamicLds;
    std::uint32_t argumentCount;
    const std::uint32_t* argumentSizes; // bytes of each argument: a launch is asynchronous, so it copies them
    std::uint32_t ldsLimitBytes = gks::hipcpu::ldsLimitBytes(Architecture::gfx942); // of its architecture
    // In a module that tells its accesses, a bit each: those with pointers by which it may write memory that is no
    // variable of the module. It only reads what the other ones lead to.
    std::uint64_t writtenArguments = ~std::uint64_t{0};
    std::uint32_t waitsForOthers = 0; // a block may wait for one that a card would have begun
};

struct VariableEntry { // __device__ and __constant__ variables
    const char* name;
    void* address;
    std::uint64_t sizeBytes;
};

// Where an access or a barrier stands in the source: constant data of a module that tells its accesses. The texts come
// from the source, whoever prints them cleans them.
struct AccessSite {
    enum Flag : std::uint32_t {
        isCopy = 1,    // one side of a copy of bytes: what nobody has written may be copied
        needsNone = 2, // a read of bits beside those that are written, or an exchange whose result nobody uses
    };
    const char* file;          // null: not known, and the line is 0
    const char* name;          // of what is accessed, in the source; null: it has none
    std::uint64_t objectBytes; // of the variable of LDS or of the module in which the access has to lie; 0: any memory
    std::uint32_t line;
    std::uint32_t column;
    std::uint32_t alignment; // of the address, in bytes, as a device needs it
    std::uint32_t flags;
    std::uint32_t number;        // in its module
    std::uint32_t typeAlignment; // as the type asks in the source: `alignment` or more
};

// What the host object's reference to the fat binary resolves to: __hipRegisterFatBinary finds it in wrapper->binary.
struct ModuleTable {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t kernelCount;
    const KernelEntry* kernels;
    const VariableEntry* variables;
    std::uint64_t variableCount;
    // Of a module that tells its accesses, else null; the first stands for unknown places.
    const AccessSite* sites = nullptr;
    std::uint64_t siteCount = 0;
    Architecture architecture = Architecture::gfx942;
};

// What a device module exports, as deviceModuleName: its device code without any host code, which asks nothing of other
// objects. What it needs it reaches through the services of device_services.h. They lie in pages of their own: whoever
// loads the module fills them in and makes them read-only.
struct DeviceModule {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t serviceCount;
    const ModuleTable* table;
    void** services; // at the start of a page; nothing else lies in its pages
};
inline constexpr const char* deviceModuleName = "gks_device_module";

// Kinds of operand element of a matrix instruction. fp8 and bf8 are gfx942's, in FNUZ encoding; those of gfx950 are the
// OCP formats: e4m3, e5m2, e2m3, e3m2, e2m1.
enum class MatrixType : std::uint8_t {
    f32,
    xf32,
    f16,
    bf16,
    fp8,
    bf8,
    i8,
    f64,
    ocpFp8,
    ocpBf8,
    ocpFp6,
    ocpBf6,
    ocpFp4
};

// A matrix instruction, decoded by the retargeter from the intrinsic's name; constant data in the module.
struct MatrixInstruction {
    std::uint16_t m, n, k;
    std::uint16_t blocks;
    MatrixType a, b;
    MatrixType accumulator; // f32, i8 (meaning 32-bit integers) or f64
    std::uint8_t sparse;    // smfmac: a holds 2 of every 4 along k
    const char* name;       // for messages
    // f8f6f4: cbsz and blgp say the formats of a and b, abid holds the byte of the scale of A (bits 0 and 1) and of B
    // (bits 2 and 3), and the index operand the two words of scales; without one every scale is 1.
    std::uint8_t mixed = 0;
};

// How device code touches memory that others may touch as well, as a module that tells its accesses says it.
enum class AccessKind : std::uint32_t {
    read,
    guess, // a read of what an atomic of the same code then changes, in one step: loops of compare-and-swap begin so
    write,
    fill,         // a write of one byte again and again
    atomicRead,   // as the next: atomic or volatile
    readToChange, // of what is written back to the same place in a step of its own
    atomicWrite,
    update,      // atomic: reads and writes, and what was read is used
    blindUpdate, // likewise, and it is not used
};

} // namespace gks::hipcpu

#pragma GCC visibility push(default)
extern "C" {
// Functions that the runtime exports to device code. `site` is the address of the call: lanes that wait at the same
// site form the active mask when a wave diverges.
void hipcpu_barrier();
// Deposits `value` of the calling lane and returns the active mask; *slots then points to the 64 deposited values.
std::uint64_t hipcpu_wave_exchange(std::uint64_t value, const std::uint64_t** slots, void* site);
// c is read and written. `index` is the sparse index operand, nullptr when dense.
void hipcpu_mfma(const gks::hipcpu::MatrixInstruction* what, const void* a, const void* b, void* c, const void* index,
                 int cbsz, int abid, int blgp);
// Of block functions, whose threads are at the call together. `going` has a byte for each thread, 0 for those that have
// ended; null: none has.
// hipcpu_mfma for every wave, with the operands of each thread in its bytes of `storage`, at the given places; `index`
// is ~0 when dense.
void hipcpu_mfma_block(char* storage, std::uint32_t bytesOfThread, const unsigned char* going, std::uint32_t threads,
                       const gks::hipcpu::MatrixInstruction* what, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                       std::uint32_t index, int cbsz, int abid, int blgp);
// __syncthreads_count and its like: 0 the sum of the values, 1 whether all are not 0, 2 whether any is not. 3: a
// barrier of all blocks of a cooperative launch; the values say nothing.
int hipcpu_reduce_block(const std::int64_t* values, const unsigned char* going, std::uint32_t threads, int operation);
// Whether a thread goes on.
int hipcpu_any_going(const unsigned char* going, std::uint32_t threads);
// Bits of the threads that go on, for each wave.
void hipcpu_lanes_of_block(const unsigned char* going, std::uint32_t threads, std::uint64_t* lanes);
// Of block functions whose threads part: the byte of a thread in `going` is the number of the region that it waits for.
// The smallest number of all that go on, 0 when none does.
std::uint32_t hipcpu_next_region(const unsigned char* going, std::uint32_t threads);
// An exchange among those that wait for a region: their bits for each wave, and what they have left is to be read.
void hipcpu_meet(const unsigned char* going, std::uint32_t threads, std::uint32_t region, const std::uint64_t* left,
                 std::uint64_t* deposits, std::uint64_t* lanes);
void hipcpu_yield();
// Before a loop that waits until another thread has written memory (isFirst), and in each of its turns.
void hipcpu_let_others_run(std::uint32_t isFirst);
[[noreturn]] void hipcpu_fail(const char* message);
// For functions that are not inlined into a kernel (recursion, function pointers): the running thread.
gks::hipcpu::ThreadContext* hipcpu_this_thread();
// In modules that tell their accesses, before a write and before a plain read, but behind an atomic that reads, so that
// no order is missed. `value` is what a write will store, null where that is not known; of an update null if it has
// changed nothing, else the address; of a copy where it comes from. `object` is the variable in which the access has to
// lie, null where it may be any memory.
void hipcpu_access(const void* address, std::uint64_t bytes, gks::hipcpu::AccessKind kind, const void* value,
                   const gks::hipcpu::AccessSite* site, const void* object);
// Before an atomic that reads, of which hipcpu_access() tells behind it: where it lies. An update and what is told of
// it are one step.
void hipcpu_access_begin(const void* address, std::uint64_t bytes, gks::hipcpu::AccessKind kind,
                         const gks::hipcpu::AccessSite* site, const void* object);
// Before an access of a variable of the thread's own, of so many bytes, where the compiler does not know that it lies
// inside: how far from its start.
void hipcpu_private(std::uint64_t offset, std::uint64_t bytes, std::uint64_t variableBytes,
                    gks::hipcpu::AccessKind kind, const gks::hipcpu::AccessSite* site);
// Likewise before a barrier, and in every round of a loop.
void hipcpu_barrier_at(const gks::hipcpu::AccessSite* site);
void hipcpu_round_at(const gks::hipcpu::AccessSite* site);
// Likewise in block functions, by the thread with this index in the block.
void hipcpu_access_of(const void* address, std::uint64_t bytes, gks::hipcpu::AccessKind kind, const void* value,
                      const gks::hipcpu::AccessSite* site, const void* object, std::uint32_t thread);
void hipcpu_access_begin_of(const void* address, std::uint64_t bytes, gks::hipcpu::AccessKind kind,
                            const gks::hipcpu::AccessSite* site, const void* object, std::uint32_t thread);
// Plain reads of so many threads of a strip, of which `thread` is the first, at this distance from lane to lane.
void hipcpu_reads_of(const void* first, std::int64_t laneBytes, std::uint64_t bytes,
                     const gks::hipcpu::AccessSite* site, const void* object, std::uint32_t thread,
                     std::uint32_t lanes);
// Likewise of all threads of the block, in the order in which it runs them: at these distances from lane to lane, and
// from the first thread of a strip, a row and a plane to that of the next one.
void hipcpu_reads_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes, std::int64_t rowBytes,
                           std::int64_t planeBytes, std::uint64_t bytes, const gks::hipcpu::AccessSite* site,
                           const void* object);
// Likewise writes, before the loops over the threads. Each leaves its value at the place that comes back, the first one
// in the order of the loops at its start; behind the loops hipcpu_rows_done(). At most 16 bytes.
char* hipcpu_writes_of(const void* first, std::int64_t laneBytes, std::uint64_t bytes,
                       const gks::hipcpu::AccessSite* site, const void* object, std::uint32_t thread,
                       std::uint32_t lanes);
char* hipcpu_writes_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes, std::int64_t rowBytes,
                             std::int64_t planeBytes, std::uint64_t bytes, const gks::hipcpu::AccessSite* site,
                             const void* object);
// Plain accesses of this kind that some of the threads make, which is not known before the loops. What comes back has a
// byte for each thread, 0, likewise in order: whoever makes it sets its own. The value of a write lies likewise behind
// maxThreadsPerBlock of these. Only where all would lie inside.
char* hipcpu_some_of(const void* first, std::int64_t laneBytes, std::uint64_t bytes,
                     const gks::hipcpu::AccessSite* site, const void* object, std::uint32_t thread, std::uint32_t lanes,
                     gks::hipcpu::AccessKind kind);
char* hipcpu_some_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes, std::int64_t rowBytes,
                           std::int64_t planeBytes, std::uint64_t bytes, const gks::hipcpu::AccessSite* site,
                           const void* object, gks::hipcpu::AccessKind kind);
// Whether all of them lie in memory that is known, at addresses of which nothing is to be said.
bool hipcpu_are_inside(const void* first, std::int64_t laneBytes, std::uint64_t bytes,
                       const gks::hipcpu::AccessSite* site, const void* object, std::uint32_t thread,
                       std::uint32_t lanes);
bool hipcpu_are_inside_of_block(const void* first, std::int64_t laneBytes, std::int64_t stripBytes,
                                std::int64_t rowBytes, std::int64_t planeBytes, std::uint64_t bytes,
                                const gks::hipcpu::AccessSite* site, const void* object);
void hipcpu_rows_done();
void hipcpu_private_of(std::uint64_t offset, std::uint64_t bytes, std::uint64_t variableBytes,
                       gks::hipcpu::AccessKind kind, const gks::hipcpu::AccessSite* site, std::uint32_t thread);
void hipcpu_round_of(const gks::hipcpu::AccessSite* site, std::uint32_t thread);
// All threads of the block that go on have come to a barrier.
void hipcpu_barrier_of_block(const gks::hipcpu::AccessSite* site);
// Start of the running block's LDS, where 32-bit LDS addresses count from.
char* hipcpu_lds_base();
}
#pragma GCC visibility pop
