// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace gks {

// How it is known that the wall stands and the program has begun.
enum class Begins {
    withExec,   // as soon as `become` is another program
    whenStated, // that one is bubblewrap, and says so: --json-status-fd
};

// Runs `become`, which turns its process into the program (or returns when it cannot), as a child of this process, and
// ends as the program ends: with its status, or by the same signal. With confineFailedStatus when the program was not
// started; a program that ends with that status ends with the one below it. What the program prints decides nothing.
// `become` gets a descriptor for the statement, which exec closes. When the thread that started this process ends, so
// does the whole process group.
int guarded(Begins begins, const std::function<int(int statement)>& become);

} // namespace gks
