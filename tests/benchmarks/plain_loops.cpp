// SPDX-License-Identifier: GPL-3.0-or-later
// What hipcpu_bench compares kernels with: the loops that one would write for a CPU, on all its threads, compiled for
// it.
//   plain_loops EDGE ELEMENTS     edge of the matrices of a product, elements of the vectors of a sum
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

template<class Body>
void onAllThreads(std::size_t count, const Body& body) {
    const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t) {
        running.emplace_back(
            [&body, begin = count * t / threads, end = count * (t + 1) / threads] { body(begin, end); });
    }
}

template<class Body>
void printBestTime(const char* name, std::size_t count, const Body& body) {
    double best = 1e9;
    for (int i = 0; i < 7; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        onAllThreads(count, body);
        const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
        best = std::min(best, ms.count());
    }
    std::printf("time %s %.3f ms\n", name, best);
}

} // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 3) {
        return 2;
    }
    const std::size_t n = std::strtoul(arguments[1], nullptr, 10), elements = std::strtoul(arguments[2], nullptr, 10);
    std::vector<float> a(n * n, 0.5f), b(n * n, 0.25f), c(n * n);
    printBestTime("ikj", n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::fill_n(&c[i * n], n, 0.f);
            for (std::size_t k = 0; k < n; ++k) {
                for (std::size_t j = 0; j < n; ++j) {
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
                }
            }
        }
    });
    std::vector<float> x(elements, 1.f), y(elements, 2.f), z(elements);
    printBestTime("add", elements, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            z[i] = x[i] + y[i];
        }
    });
    return c[0] > 0 && z[0] > 0 ? 0 : 1;
}
