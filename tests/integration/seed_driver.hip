// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program round one seed kernel: reads the call (see seeds_on_cpu.cpp) and the inputs, calls solve() a number of times, writes the
// outputs. Compiled with -DGKS_SEED="\"path/of/seed.hip\"".
#include GKS_SEED

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" __attribute__((weak)) size_t workspace_bytes(const Problem& shape);

namespace {

void check(hipError_t status, const char* what) {
    if (status != hipSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
        std::exit(1);
    }
}

std::vector<char> bytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

// Arguments: a folder with call.txt (lines "input BYTES" or "output BYTES" per tensor, "dim VALUE" per dim) and N.bin per input; a count.
int main(int, char** arguments) {
    const std::string folder = arguments[1];
    std::ifstream call(folder + "/call.txt");
    alignas(8) char storage[512] = {};
    size_t at = 0;
    std::vector<std::pair<int, size_t>> outputs; // tensor and bytes
    std::vector<void*> devices;
    std::string kind;
    for (long long value = 0; call >> kind >> value;) {
        if (kind == "dim") {
            const int dim = int(value);
            memcpy(storage + at, &dim, sizeof dim);
            at += sizeof dim;
            continue;
        }
        void* device = nullptr;
        check(hipMalloc(&device, size_t(value)), "hipMalloc");
        check(hipMemset(device, 0xff, size_t(value)), "hipMemset"); // NaN in every type that has one
        if (kind == "input") {
            const std::vector<char> bytes = bytesOf(folder + "/" + std::to_string(devices.size()) + ".bin");
            check(hipMemcpy(device, bytes.data(), bytes.size(), hipMemcpyHostToDevice), "hipMemcpy");
        } else {
            outputs.emplace_back(int(devices.size()), size_t(value));
        }
        devices.push_back(device);
        memcpy(storage + at, &device, sizeof device);
        at += sizeof device;
    }
    const Problem& problem = *reinterpret_cast<const Problem*>(storage);
    void* workspace = nullptr;
    if (workspace_bytes != nullptr && workspace_bytes(problem) > 0) {
        check(hipMalloc(&workspace, workspace_bytes(problem)), "hipMalloc of the workspace");
        check(hipMemset(workspace, 0xff, workspace_bytes(problem)), "hipMemset of the workspace");
    }
    std::vector<double> seconds;
    for (int i = std::atoi(arguments[2]); i > 0; --i) {
        const double start = secondsNow();
        check(solve(problem, workspace, nullptr), "solve");
        check(hipDeviceSynchronize(), "hipDeviceSynchronize");
        seconds.push_back(secondsNow() - start);
    }
    for (const auto& [tensor, size] : outputs) {
        std::vector<char> bytes(size);
        check(hipMemcpy(bytes.data(), devices[size_t(tensor)], size, hipMemcpyDeviceToHost), "hipMemcpy");
        std::ofstream(folder + "/" + std::to_string(tensor) + ".bin", std::ios::binary).write(bytes.data(), std::streamsize(size));
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("%.3f %.3f\n", seconds[seconds.size() / 2] * 1e6, seconds.front() * 1e6); // the middle and the fastest
    return 0;
}
