// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, asynchronous copies, events; a kernel without synchronisation.
#include "check.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

// With a number of elements as argument it also prints the best time.
int main(int argumentCount, char** arguments) {
    const int n = argumentCount > 1 ? std::atoi(arguments[1]) : 1'000'003; // the last block is not full
    const std::size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i * 0.5f;
        b[i] = 1.0f - i;
    }
    hipStream_t stream;
    hipEvent_t begin, end;
    HIP_CHECK(hipStreamCreate(&stream));
    HIP_CHECK(hipEventCreate(&begin));
    HIP_CHECK(hipEventCreate(&end));
    Device<float> da(n), db(n), dc(n);
    HIP_CHECK(hipMemcpyAsync(da.get(), a.data(), bytes, hipMemcpyHostToDevice, stream));
    HIP_CHECK(hipMemcpyAsync(db.get(), b.data(), bytes, hipMemcpyHostToDevice, stream));
    HIP_CHECK(hipEventRecord(begin, stream));
    add<<<(n + 255) / 256, 256, 0, stream>>>(da.get(), db.get(), dc.get(), n);
    HIP_CHECK(hipEventRecord(end, stream));
    HIP_CHECK(hipMemcpyAsync(c.data(), dc.get(), bytes, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        wrong += c[i] != a[i] + b[i];
    }
    expect("vector add on a stream", wrong == 0);
    float ms = -1;
    HIP_CHECK(hipEventElapsedTime(&ms, begin, end));
    expect("event time", ms > 0);
    hipLaunchKernelGGL(add, dim3(1), dim3(64), 0, stream, da.get(), da.get(), dc.get(), 10);
    HIP_CHECK(hipStreamSynchronize(stream));
    expect("hipLaunchKernelGGL", dc.read()[9] == 2 * a[9] && dc.read()[10] == c[10]);
    if (argumentCount > 1) {
        printBestTime("add", [&] { add<<<(n + 255) / 256, 256>>>(da.get(), db.get(), dc.get(), n); });
    }
    HIP_CHECK(hipEventDestroy(begin));
    HIP_CHECK(hipEventDestroy(end));
    HIP_CHECK(hipStreamDestroy(stream));
    return verdict();
}
