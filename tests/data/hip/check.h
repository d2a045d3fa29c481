// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the HIP programs of the tests share: device memory with an owner, and expectations that end up in the exit
// status.

#include <hip/hip_runtime.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP_CHECK(call)                                                                                                \
    do {                                                                                                               \
        const hipError_t hipCheckError = (call);                                                                       \
        if (hipCheckError != hipSuccess) {                                                                             \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(hipCheckError));                          \
            std::exit(2);                                                                                              \
        }                                                                                                              \
    } while (false)

template<class T>
class Device {
public:
    explicit Device(std::size_t count) : m_count(count) {
        HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&m_data), count * sizeof(T)));
        HIP_CHECK(hipMemset(m_data, 0, count * sizeof(T)));
    }
    explicit Device(const std::vector<T>& host) : Device(host.size()) {
        HIP_CHECK(hipMemcpy(m_data, host.data(), m_count * sizeof(T), hipMemcpyHostToDevice));
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device() { (void)hipFree(m_data); }

    T* get() const { return m_data; }
    std::vector<T> read() const {
        std::vector<T> host(m_count);
        HIP_CHECK(hipMemcpy(host.data(), m_data, m_count * sizeof(T), hipMemcpyDeviceToHost));
        return host;
    }

private:
    T* m_data = nullptr;
    std::size_t m_count;
};

inline int& failures() {
    static int count = 0;
    return count;
}

inline void expect(const char* what, bool ok) {
    HIP_CHECK(hipGetLastError());
    std::printf("%-40s %s\n", what, ok ? "PASS" : "FAIL");
    failures() += ok ? 0 : 1;
}

inline bool near(double a, double b, double tolerance) {
    return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

// For benchmarks, which give a size as argument: prints the best of seven runs, each until the device is idle.
template<class Launch>
void printBestTime(const char* name, const Launch& launch) {
    double best = 1e9;
    for (int i = 0; i < 7; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        launch();
        HIP_CHECK(hipDeviceSynchronize());
        const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
        best = std::fmin(best, ms.count());
    }
    std::printf("time %s %.3f ms\n", name, best);
}

// The end of main().
inline int verdict() {
    std::printf(failures() == 0 ? "ALL PASS\n" : "%d FAILED\n", failures());
    return failures() == 0 ? 0 : 1;
}
