// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the code object that its first argument names, from the file and from memory, and launches what is in it; the
// second is that of bare.hip.
#include "../check.h"

#include <fstream>
#include <hip/hip_ext.h>
#include <iterator>

// Of a source without HIP's headers.
void bareSource(const char* file) {
    hipModule_t module = nullptr;
    hipFunction_t sums = nullptr;
    HIP_CHECK(hipModuleLoad(&module, file));
    HIP_CHECK(hipModuleGetFunction(&sums, module, "sumsOfHalves"));
    std::vector<_Float16> halves(3 * 256);
    for (std::size_t i = 0; i < halves.size(); ++i) {
        halves[i] = static_cast<_Float16>(static_cast<float>(i % 7) / 32);
    }
    const Device<_Float16> in(halves);
    Device<float> out(3 * 8);
    struct {
        float* out;
        const _Float16* in;
    } packed = {out.get(), in.get()};
    std::size_t size = sizeof packed;
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    HIP_CHECK(hipModuleLaunchKernel(sums, 3, 1, 1, 16, 1, 1, 0, nullptr, nullptr, extra));
    const auto got = out.read();
    bool ok = true;
    for (int block = 0; block < 3; ++block) {
        for (int k = 0; k < 4; ++k) {
            float sum = 0;
            for (int i = 0; i < 64; ++i) {
                sum += static_cast<float>(halves[block * 256 + k * 64 + i]);
            }
            ok = ok && got[block * 8 + k] == sum && (k == 0 || got[block * 8 + 4 + k] == sum);
        }
        ok = ok && near(got[block * 8 + 4], std::exp2(got[block * 8] / 4), 1e-6);
    }
    expect("a source without headers", ok);
    HIP_CHECK(hipModuleUnload(module));
}

constexpr int n = 300, threads = 64, blocks = (n + threads - 1) / threads;

struct Range {
    double low;
    int count;
};

int main(int, char** arguments) {
    bareSource(arguments[2]);
    std::vector<float> from(n), expected(n);
    for (int i = 0; i < n; ++i) {
        from[i] = static_cast<float>(i);
        expected[i] = 4 * from[i];
    }
    Device<float> dFrom(from); // written before there is a module
    hipModule_t module = nullptr, second = nullptr;
    HIP_CHECK(hipModuleLoad(&module, arguments[1]));
    std::ifstream file(arguments[1], std::ios::binary);
    const std::vector<char> image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    HIP_CHECK(hipModuleLoadData(&second, image.data()));

    hipFunction_t scaled = nullptr, filled = nullptr, turned = nullptr, shared = nullptr, none = nullptr;
    HIP_CHECK(hipModuleGetFunction(&scaled, module, "scaled"));
    HIP_CHECK(hipModuleGetFunction(&filled, module, "filled"));
    HIP_CHECK(hipModuleGetFunction(&turned, second, "_Z6turnedIlEvPT_"));
    HIP_CHECK(hipModuleGetFunction(&shared, module, "shared"));
    const bool isMissing = hipModuleGetFunction(&none, module, "nothing") == hipErrorNotFound;
    expect("no such kernel", isMissing && hipGetLastError() == hipErrorNotFound);

    // Each load has variables of its own.
    hipDeviceptr_t factors = nullptr, calls = nullptr, callsOfSecond = nullptr;
    std::size_t bytes = 0;
    HIP_CHECK(hipModuleGetGlobal(&factors, &bytes, module, "factors"));
    HIP_CHECK(hipModuleGetGlobal(&calls, nullptr, module, "calls"));
    HIP_CHECK(hipModuleGetGlobal(&callsOfSecond, nullptr, second, "calls"));
    const float given[] = {1, 2, 4, 8};
    HIP_CHECK(hipMemcpyHtoD(factors, const_cast<float*>(given), sizeof given));
    Device<float> to(n);
    float *pFrom = dFrom.get(), *pTo = to.get();
    int count = n;
    char which = 2;
    void* kernelArguments[] = {&pFrom, &pTo, &count, &which};
    HIP_CHECK(hipModuleLaunchKernel(scaled, blocks, 1, 1, threads, 1, 1, 0, nullptr, kernelArguments, nullptr));
    expect("arguments one by one", bytes == sizeof given && to.read() == expected);

    // The same in one piece, also with a structure of 16 bytes at a multiple of 8.
    struct {
        const float* from;
        float* to;
        int n;
        char which;
    } packed = {pFrom, pTo, n, 3};
    std::size_t size = sizeof packed;
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    HIP_CHECK(hipModuleLaunchKernel(scaled, blocks, 1, 1, threads, 1, 1, 0, nullptr, nullptr, extra));
    for (float& one : expected) {
        one *= 2;
    }
    int counted[2] = {};
    const auto got = to.read();
    HIP_CHECK(hipMemcpyDtoH(&counted[0], calls, sizeof(int)));
    HIP_CHECK(hipMemcpyDtoH(&counted[1], callsOfSecond, sizeof(int)));
    expect("arguments in one piece", got == expected && counted[0] == 7 && counted[1] == 5);
    Device<double> doubles(n);
    struct {
        double* to;
        Range range;
        float add;
    } other = {doubles.get(), {0.5, n}, 2};
    size = sizeof other;
    extra[1] = &other;
    HIP_CHECK(hipExtModuleLaunchKernel(filled, blocks * threads, 1, 1, threads, 1, 1, 0, nullptr, nullptr, extra,
                                       nullptr, nullptr, 0));
    bool right = true;
    const auto filledOnes = doubles.read();
    for (int i = 0; i < n; ++i) {
        right = right && filledOnes[i] == 2.5 + i;
    }
    size += 12;
    const bool isRefused =
        hipModuleLaunchKernel(filled, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra) == hipErrorInvalidValue;
    expect("a structure in one piece", right && isRefused && hipGetLastError() == hipErrorInvalidValue);

    std::vector<long> longs(threads), turnedOnes(threads);
    for (int i = 0; i < threads; ++i) {
        longs[i] = i;
        turnedOnes[i] = threads - 1 - i;
    }
    Device<long> values(longs);
    long* pValues = values.get();
    void* one[] = {&pValues};
    HIP_CHECK(hipModuleLaunchKernel(turned, 1, 1, 1, threads, 1, 1, threads * sizeof(long), nullptr, one, nullptr));
    expect("dynamic LDS", values.read() == turnedOnes);

    Device<int> parts(4), sums(4);
    int *pParts = parts.get(), *pSums = sums.get();
    void* two[] = {&pParts, &pSums};
    HIP_CHECK(hipModuleLaunchCooperativeKernel(shared, 4, 1, 1, 1, 1, 1, 0, nullptr, two));
    expect("a cooperative launch", sums.read() == std::vector<int>(4, 10));
    int most = 0, active = 0;
    HIP_CHECK(hipFuncGetAttribute(&most, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, shared));
    HIP_CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&active, shared, 256, 0));
    expect("what is asked of a function", most == 1024 && active == 8);

    HIP_CHECK(hipModuleUnload(module));
    expect("gone", hipModuleUnload(module) == hipErrorInvalidHandle && hipGetLastError() == hipErrorInvalidHandle);
    const bool isGone =
        hipModuleLaunchKernel(scaled, 1, 1, 1, 1, 1, 1, 0, nullptr, kernelArguments, nullptr) != hipSuccess;
    expect("with its kernels", isGone && hipGetLastError() != hipSuccess);
    HIP_CHECK(hipModuleLaunchKernel(turned, 1, 1, 1, threads, 1, 1, threads * sizeof(long), nullptr, one, nullptr));
    expect("and the other is there", values.read() == longs);
    expect("no file",
           hipModuleLoad(&module, "/nowhere.co") == hipErrorFileNotFound && hipGetLastError() == hipErrorFileNotFound);
    expect("no code object",
           hipModuleLoad(&module, "/etc/passwd") == hipErrorInvalidImage && hipGetLastError() == hipErrorInvalidImage);
    return verdict();
}
