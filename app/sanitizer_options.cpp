// SPDX-License-Identifier: GPL-3.0-or-later
// Of programs that run behind the wall, where they are built with a sanitizer. Its search for leaks stops the other
// threads through ptrace, which the wall does not allow; a crash is told by the program's own handler or by the signal.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

#define GKS_NO_HANDLERS "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0"

// NOLINTBEGIN(bugprone-reserved-identifier): the sanitizers' names
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0:" GKS_NO_HANDLERS;
}
extern "C" const char* __tsan_default_options() {
    return GKS_NO_HANDLERS;
}
// NOLINTEND(bugprone-reserved-identifier)

#endif
