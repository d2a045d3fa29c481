// SPDX-License-Identifier: GPL-3.0-or-later
// The library of an anchor without a vendor's, for the runner's tests: memory of the fake driver's device is memory of
// the host (fake_driver.cpp), so its solve() computes here. Says so when it is loaded.
#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace {

struct Problem {
    const float* x;
    float* y;
    int count;
    int mode;
};
enum Mode { adds, fails, writesInput };

[[gnu::constructor]] void loaded() {
    std::printf("the anchor is loaded\n");
    std::fflush(stdout);
}

} // namespace

extern "C" {
const char* anchor_version() {
    return "fake 1.2\nof \x1b[31mtwo lines";
}

std::size_t workspace_bytes(const Problem&) {
    return 64;
}

int solve(const Problem& problem, void* workspace, void*) {
    if (problem.mode == fails) {
        return 700;
    }
    if (problem.mode == writesInput) {
        *const_cast<float*>(problem.x) = 0;
    }
    const auto* const spoiled = static_cast<const std::uint8_t*>(workspace); // as for a kernel
    for (int i = 0; i < problem.count; ++i) {
        problem.y[i] = problem.x[i] + static_cast<float>(*spoiled);
    }
    return 0;
}
}
