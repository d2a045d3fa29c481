// SPDX-License-Identifier: GPL-3.0-or-later
// rocPRIM's parts for blocks and waves inside kernels of one's own, against the host.
#include "check.h"

#include <rocprim/rocprim.hpp>

#include <algorithm>
#include <numeric>

namespace {

constexpr unsigned threads = 128;
constexpr unsigned items = 4;
constexpr unsigned perBlock = threads * items;
constexpr unsigned blocks = 3;
constexpr unsigned total = perBlock * blocks;
constexpr unsigned lanes = 64;

// Loads that turn rows into what each thread has, a scan, and back.
template<class T, rocprim::block_scan_algorithm how>
__global__ void scanned(const T* in, T* out, T* sums) {
    using Load = rocprim::block_load<T, threads, items, rocprim::block_load_method::block_load_transpose>;
    using Store = rocprim::block_store<T, threads, items, rocprim::block_store_method::block_store_transpose>;
    using Scan = rocprim::block_scan<T, threads, how>;
    __shared__ union {
        typename Load::storage_type load;
        typename Store::storage_type store;
        typename Scan::storage_type scan;
    } storage;
    T values[items];
    T sum;
    Load().load(in + blockIdx.x * perBlock, values, storage.load);
    __syncthreads();
    Scan().inclusive_scan(values, values, sum, storage.scan);
    __syncthreads();
    Store().store(out + blockIdx.x * perBlock, values, storage.store);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

template<class T, rocprim::block_reduce_algorithm how>
__global__ void reduced(const T* in, T* sums) {
    T values[items];
    T sum;
    rocprim::block_load_direct_striped<threads>(threadIdx.x, in + blockIdx.x * perBlock, values);
    rocprim::block_reduce<T, threads, how>().reduce(values, sum, rocprim::plus<T>());
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

template<class T>
__global__ void sorted(const T* in, T* out, int* from) {
    using Sort = rocprim::block_radix_sort<T, threads, items, int>;
    __shared__ typename Sort::storage_type storage;
    T values[items];
    int places[items];
    rocprim::block_load_direct_blocked(threadIdx.x, in + blockIdx.x * perBlock, values);
    for (unsigned i = 0; i < items; ++i) {
        places[i] = static_cast<int>(threadIdx.x * items + i);
    }
    Sort().sort(values, places, storage);
    rocprim::block_store_direct_blocked(threadIdx.x, out + blockIdx.x * perBlock, values);
    rocprim::block_store_direct_blocked(threadIdx.x, from + blockIdx.x * perBlock, places);
}

template<class T>
__global__ void exchanged(const T* in, T* striped, T* ofWaves) {
    using Exchange = rocprim::block_exchange<T, threads, items>;
    __shared__ typename Exchange::storage_type storage;
    T values[items], turned[items];
    rocprim::block_load_direct_blocked(threadIdx.x, in + blockIdx.x * perBlock, values);
    Exchange().blocked_to_striped(values, turned, storage);
    rocprim::block_store_direct_blocked(threadIdx.x, striped + blockIdx.x * perBlock, turned);
    __syncthreads();
    Exchange().striped_to_blocked(turned, turned, storage);
    __syncthreads();
    Exchange().blocked_to_warp_striped(turned, turned, storage);
    rocprim::block_store_direct_blocked(threadIdx.x, ofWaves + blockIdx.x * perBlock, turned);
}

// Logical waves of a power of two go by DPP and shuffles, others by LDS.
template<class T, unsigned width>
__global__ void ofWaves(const T* in, T* sums, T* before) {
    using Reduce = rocprim::warp_reduce<T, width>;
    using Scan = rocprim::warp_scan<T, width>;
    constexpr unsigned waves = lanes / width;
    __shared__ typename Reduce::storage_type reduceStorage[waves];
    __shared__ typename Scan::storage_type scanStorage[waves];
    const unsigned wave = threadIdx.x / width;
    if (wave < waves) {
        T sum, exclusive;
        Reduce().reduce(in[threadIdx.x], sum, reduceStorage[wave]);
        Scan().exclusive_scan(in[threadIdx.x], exclusive, T(7), scanStorage[wave]);
        if (threadIdx.x % width == 0) {
            sums[wave] = sum;
        }
        before[threadIdx.x] = exclusive;
    }
}

template<class T>
std::vector<T> numbers() {
    std::vector<T> result(total);
    for (unsigned i = 0; i < total; ++i) {
        result[i] = static_cast<T>(static_cast<int>(i * 7919 % 201) - 100);
    }
    return result;
}

template<class T>
void forType(const char* type) {
    const std::vector<T> host = numbers<T>();
    const Device<T> in(host), out(total), sums(blocks);
    std::vector<T> scannedHost(total), sumsHost(blocks), sortedHost = host;
    std::vector<int> order(total);
    for (unsigned block = 0; block < blocks; ++block) {
        const auto begin = host.begin() + block * perBlock;
        std::partial_sum(begin, begin + perBlock, scannedHost.begin() + block * perBlock);
        sumsHost[block] = scannedHost[(block + 1) * perBlock - 1];
        std::sort(sortedHost.begin() + block * perBlock, sortedHost.begin() + (block + 1) * perBlock);
        const auto from = order.begin() + block * perBlock;
        std::iota(from, from + perBlock, 0);
        std::sort(from, from + perBlock,
                  [&](int a, int b) { return begin[a] != begin[b] ? begin[a] < begin[b] : a < b; });
    }

    std::printf("%s\n", type);
    scanned<T, rocprim::block_scan_algorithm::using_warp_scan><<<blocks, threads>>>(in.get(), out.get(), sums.get());
    expect("block_load, block_scan, block_store", out.read() == scannedHost && sums.read() == sumsHost);
    scanned<T, rocprim::block_scan_algorithm::reduce_then_scan><<<blocks, threads>>>(in.get(), out.get(), sums.get());
    expect("block_scan that reduces first", out.read() == scannedHost && sums.read() == sumsHost);

    const auto reducesBy = [&](auto kernel) {
        kernel<<<blocks, threads>>>(in.get(), sums.get());
        return sums.read() == sumsHost;
    };
    expect("block_reduce by waves", reducesBy(reduced<T, rocprim::block_reduce_algorithm::using_warp_reduce>));
    expect("block_reduce by raking", reducesBy(reduced<T, rocprim::block_reduce_algorithm::raking_reduce>));

    const Device<int> from(total);
    sorted<<<blocks, threads>>>(in.get(), out.get(), from.get());
    expect("block_radix_sort", out.read() == sortedHost && from.read() == order);

    const Device<T> waves(total);
    exchanged<<<blocks, threads>>>(in.get(), out.get(), waves.get());
    const std::vector<T> striped = out.read(), ofWave = waves.read();
    bool isExchanged = true;
    for (unsigned i = 0; i < total; ++i) {
        const unsigned block = i / perBlock, thread = i % perBlock / items, item = i % items;
        const unsigned inWave = thread / lanes * lanes * items + item * lanes + thread % lanes;
        isExchanged = isExchanged && striped[i] == host[block * perBlock + item * threads + thread] &&
                      ofWave[i] == host[block * perBlock + inWave];
    }
    expect("block_exchange", isExchanged);
}

template<class T, unsigned width>
void forWidth(const char* what) {
    const std::vector<T> host = numbers<T>();
    const Device<T> in(host), sums(lanes), before(lanes);
    ofWaves<T, width><<<1, lanes>>>(in.get(), sums.get(), before.get());
    const std::vector<T> gotSums = sums.read(), gotBefore = before.read();
    bool isRight = true;
    for (unsigned wave = 0; wave < lanes / width; ++wave) {
        T sum = 0;
        for (unsigned lane = wave * width; lane < (wave + 1) * width; ++lane) {
            isRight = isRight && gotBefore[lane] == sum + 7;
            sum += host[lane];
        }
        isRight = isRight && gotSums[wave] == sum;
    }
    expect(what, isRight);
}

} // namespace

int main() {
    forType<int>("int");
    forType<double>("double");
    forWidth<int, 64>("waves of 64, int");
    forWidth<double, 64>("waves of 64, double");
    forWidth<float, 16>("waves of 16, float");
    forWidth<short, 8>("waves of 8, short");
    forWidth<int, 12>("waves of 12, int");
    return verdict();
}
