// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/fault_handler.h"

#include "core/hipcpu/runtime/access_watch.h"
#include "core/hipcpu/runtime/block_executor.h"
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/read_notes.h"
#include "core/hipcpu/runtime/signal_text.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace gks::hipcpu {

namespace {

constexpr std::size_t alternateStackBytes = 65536;

std::atomic<ReadNotes*> readNotes = nullptr;

void describeTriple(SignalText& text, const char* what, const std::uint32_t (&index)[3]) {
    text << what << "(" << std::uint64_t{index[0]} << "," << std::uint64_t{index[1]} << "," << std::uint64_t{index[2]}
         << ")";
}

void describeThread(SignalText& text) {
    const BlockExecutor* executor = BlockExecutor::current();
    if (!executor) {
        text << "; in host code";
        return;
    }
    text << "; kernel " << executor->launch().kernel->name;
    describeTriple(text, " block ", executor->block().blockIndex);
    if (const Fibre* running = executor->running()) {
        describeTriple(text, " thread ", running->context.threadIndex);
    }
    if (const AccessSite* const site = lastSite(); site != nullptr && site->line != 0) {
        text << ", at " << site->file << ":" << std::uint64_t{site->line} << ":" << std::uint64_t{site->column};
    }
}

void describeAddress(SignalText& text, const char* address) {
    Allocation near;
    if (DeviceMemory::instance().findMapping(address, near)) {
        const char* end = near.data + near.sizeBytes;
        if (address >= end) {
            text << ", " << static_cast<std::uint64_t>(address - end) << " bytes past the end of";
        } else if (address < near.data) {
            text << ", " << static_cast<std::uint64_t>(near.data - address) << " bytes before the start of";
        } else {
            text << ", " << static_cast<std::uint64_t>(address - near.data) << " bytes into";
        }
        text << " a " << std::uint64_t{near.sizeBytes} << "-byte " << memoryKindName(near.kind) << " buffer";
        return;
    }
    const BlockExecutor* executor = BlockExecutor::current();
    if (!executor) {
        return;
    }
    if (executor->stacks().isGuard(address)) {
        text << ", the thread's private memory is over " << std::uint64_t{StackPool::stackBytes - StackPool::pageBytes}
             << " bytes (large private array or deep recursion)";
        return;
    }
    const char* guard = executor->ldsGuard();
    if (address >= guard && address < guard + StackPool::pageBytes) {
        const BlockContext& block = executor->block();
        const char* used = block.lds + block.staticLdsBytes + block.dynamicLdsBytes;
        text << ", " << static_cast<std::uint64_t>(address - used) << " bytes past the end of the block's "
             << std::uint64_t{block.staticLdsBytes} + block.dynamicLdsBytes << " bytes of LDS";
    }
}

const char* faultName(int signal) {
    switch (signal) {
    case SIGFPE:
        return "integer division fault at ";
    case SIGILL:
        return "illegal instruction (a trap in device code) at ";
    default:
        return "memory access fault at ";
    }
}

// The processor says whether a fault was a write; where it does not say so every one counts as one.
bool isRead([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    constexpr greg_t write = 2;
    return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write) == 0;
#else
    return false;
#endif
}

void noteRead(ReadNotes& notes, const char* address) {
    const std::uint32_t at = notes.count.fetch_add(1);
    const BlockExecutor* const executor = BlockExecutor::current();
    if (at >= ReadNotes::limit || executor == nullptr) {
        return;
    }
    ReadNote& note = notes.notes[at];
    note.address = reinterpret_cast<std::uintptr_t>(address);
    std::copy_n(executor->block().blockIndex, note.block.size(), note.block.begin());
    const Fibre* const running = executor->running();
    note.hasThread = running != nullptr ? 1 : 0;
    if (running != nullptr) {
        std::copy_n(running->context.threadIndex, note.thread.size(), note.thread.begin());
    }
    const char* const name = executor->launch().kernel->name;
    std::size_t bytes = 0;
    for (; bytes + 1 < note.kernel.size() && name[bytes] != '\0'; ++bytes) {
        note.kernel[bytes] = name[bytes];
    }
    note.kernel[bytes] = '\0';
}

// Of a kernel that may go on: it read past the end of a buffer, where other allocators have something to read.
void reportRead(const char* address) {
    if (ReadNotes* const notes = readNotes; notes != nullptr) {
        noteRead(*notes, address);
        return;
    }
    Allocation buffer;
    if (!DeviceMemory::instance().findMapping(address, buffer)) {
        return;
    }
    const DeviceMemory::Named named = DeviceMemory::instance().nameBefore(address);
    const bool hasName = named.data >= buffer.data;
    const char* const end = hasName ? named.data + named.sizeBytes : buffer.data + buffer.sizeBytes;
    SignalText what;
    what << "read ";
    if (address == end) {
        what << "right past the end of ";
    } else {
        what << static_cast<std::uint64_t>(address - end) << " bytes past the end of ";
    }
    if (hasName) {
        what << named.name << " (" << std::uint64_t{named.sizeBytes} << " bytes)";
    } else {
        what << "a " << std::uint64_t{buffer.sizeBytes} << "-byte " << memoryKindName(buffer.kind) << " buffer";
    }
    describeThread(what);
    SignalText text;
    text << "hipcpu: " << what << "; the kernel goes on with zeros";
    text.print();
}

// Threads of a kernel tend to fail together: the first one speaks and ends the process, the others wait for that.
void claimLastWord() {
    static std::atomic_flag claimed = ATOMIC_FLAG_INIT;
    while (claimed.test_and_set()) {
        pause();
    }
}

void onFault(int signal, siginfo_t* info, void* context) {
    const auto* const address = static_cast<const char*>(info->si_addr);
    bool isFirst = false;
    if (signal == SIGSEGV && BlockExecutor::current() != nullptr && isRead(context) &&
        DeviceMemory::instance().openToReads(address, isFirst)) {
        if (isFirst) {
            reportRead(address);
        }
        return;
    }
    claimLastWord();
    SignalText text;
    text << "hipcpu: " << faultName(signal);
    text.hexadecimal(reinterpret_cast<std::uintptr_t>(info->si_addr));
    if (signal == SIGSEGV || signal == SIGBUS) {
        describeAddress(text, static_cast<const char*>(info->si_addr));
    }
    describeThread(text);
    text.print();
    _exit(memoryFaultStatus);
}

void installOnce() {
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    // Without SA_NODEFER: a fault inside the handler finds its signal blocked, for which the kernel ends the process.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        sigaction(signal, &action, nullptr);
    }
}

} // namespace

void noteReads(ReadNotes& notes) {
    readNotes = &notes;
}

void endProcess(const char* line) {
    claimLastWord();
    std::fprintf(stderr, "%s\n", line);
    _exit(abortStatus);
}

void failProcess(const char* message) {
    claimLastWord();
    SignalText text;
    text << "hipcpu: " << message;
    describeThread(text);
    text.print();
    _exit(abortStatus);
}

void installFaultHandler() {
    static const bool installed = (installOnce(), true);
    static thread_local bool hasStack = false;
    if (!installed || hasStack) {
        return;
    }
    hasStack = true;
    stack_t existing = {};
    if (sigaltstack(nullptr, &existing) == 0 && !(existing.ss_flags & SS_DISABLE)) {
        return;
    }
    // Lives as long as the process: a thread that ends may still be inside the handler.
    void* memory = mmap(nullptr, alternateStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return;
    }
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = alternateStackBytes;
    sigaltstack(&stack, nullptr);
}

} // namespace gks::hipcpu
