// SPDX-License-Identifier: GPL-3.0-or-later
// Starts one thread: what every program inside the wall may do. A program of its own, without sanitizers, whose tables
// would not fit into the wall's limit on memory.
#include <cstdio>
#include <thread>

int main() {
    std::thread([] { std::puts("thread ran"); }).join();
}
