// SPDX-License-Identifier: GPL-3.0-or-later
// More blocks wait for each other than begin at once: it says so, and ends when the host lets the blocks go.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <string>
#include <unistd.h>

__global__ void meetAll(unsigned* counter, const volatile int* goOn) {
    if (threadIdx.x == 0) {
        atomicAdd(counter, 1U);
        while (*static_cast<volatile unsigned*>(counter) < gridDim.x && *goOn == 0) {
        }
    }
}

int main() {
    int ends[2];
    if (pipe(ends) != 0) {
        return 2;
    }
    const int terminal = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    unsigned* counter = nullptr;
    int* goOn = nullptr;
    (void)hipMalloc(&counter, sizeof *counter);
    (void)hipMemset(counter, 0, sizeof *counter);
    (void)hipHostMalloc(&goOn, sizeof *goOn);
    *goOn = 0;
    meetAll<<<1000, 64>>>(counter, goOn);
    std::string said;
    for (char letter = 0; said.find("\n") == std::string::npos && read(ends[0], &letter, 1) == 1;) {
        said += letter;
    }
    dup2(terminal, STDERR_FILENO);
    std::fputs(said.c_str(), stderr);
    *static_cast<volatile int*>(goOn) = 1;
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
