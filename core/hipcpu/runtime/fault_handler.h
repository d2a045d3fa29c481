// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::hipcpu {

struct ReadNotes;

inline constexpr int memoryFaultStatus = 139; // as a shell reports SIGSEGV
inline constexpr int abortStatus = 134;       // as a shell reports SIGABRT

// Prints "hipcpu: message; kernel NAME block (x,y,z) thread (x,y,z)" to stderr and ends the process with abortStatus.
[[noreturn]] void failProcess(const char* message);

// Prints the line and ends the process likewise.
[[noreturn]] void endProcess(const char* line);

// Installs the handler of SIGSEGV, SIGBUS, SIGFPE and SIGILL once per process, and gives the calling thread an
// alternate stack once per thread. The handler prints one line that says where the address lies and which thread
// touched it, and ends the process with memoryFaultStatus.
void installFaultHandler();

// From now on reads past the end of buffers are noted there instead of printed.
void noteReads(ReadNotes& notes);

} // namespace gks::hipcpu
