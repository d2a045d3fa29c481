// SPDX-License-Identifier: GPL-3.0-or-later
// rocPRIM for whole devices: blocks that look back at each other's sums, and what is made of such sums. All against the
// host, with numbers whose sums are exact in every order.
#include "rocprim.h"

#include <algorithm>
#include <numeric>

namespace {

// Few different ones, in runs.
std::vector<int> keys(std::size_t count) {
    std::vector<int> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = static_cast<int>(i / 7 * 31 % 11);
    }
    return result;
}

template<class T>
bool beginsWith(const Device<T>& device, const std::vector<T>& expected) {
    const std::vector<T> got = device.read();
    return std::equal(expected.begin(), expected.end(), got.begin());
}

struct IsEven {
    __device__ bool operator()(int value) const { return value % 2 == 0; }
};

struct Doubled {
    template<class T>
    __host__ __device__ T operator()(T value) const {
        return value + value;
    }
};

template<class T>
void reduces(const char* what) {
    bool isRight = true;
    for (const std::size_t count : sizes) {
        const std::vector<T> host = numbers<T>(count);
        const Device<T> in(host), sum(1);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::reduce(storage, bytes, in.get(), sum.get(), T(3), count, rocprim::plus<T>());
        });
        isRight = isRight && sum.read()[0] == std::accumulate(host.begin(), host.end(), T(3));
    }
    expect(what, isRight);
}

// Halves have no exact sum of so many: the least and the greatest.
void reducesHalves() {
    bool isRight = true;
    for (const std::size_t count : sizes) {
        const Device<__half> in(numbers<__half>(count)), least(1);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::reduce(storage, bytes, in.get(), least.get(), __half(50.0f), count,
                                   rocprim::minimum<__half>());
        });
        isRight = isRight && __half2float(least.read()[0]) == -100;
    }
    expect("reduce __half", isRight);
}

template<class T>
void scans(const char* what) {
    bool isRight = true;
    for (const std::size_t count : sizes) {
        const std::vector<T> host = numbers<T>(count);
        const Device<T> in(host), inclusive(count), exclusive(count);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::inclusive_scan(storage, bytes, in.get(), inclusive.get(), count, rocprim::plus<T>());
        });
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::exclusive_scan(storage, bytes, in.get(), exclusive.get(), T(5), count, rocprim::plus<T>());
        });
        std::vector<T> sums(count), before(count, T(5));
        std::partial_sum(host.begin(), host.end(), sums.begin());
        std::transform(sums.begin(), sums.end() - 1, before.begin() + 1, [](T sum) { return sum + T(5); });
        isRight = isRight && inclusive.read() == sums && exclusive.read() == before;
    }
    expect(what, isRight);
}

void runs() {
    bool areSums = true, areLengths = true;
    for (const std::size_t count : sizes) {
        const std::vector<int> host = keys(count);
        const std::vector<float> values = numbers<float>(count);
        std::vector<int> starts;
        std::vector<float> sums;
        std::vector<unsigned> lengths;
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0 || host[i] != host[i - 1]) {
                starts.push_back(host[i]);
                sums.push_back(0);
                lengths.push_back(0);
            }
            sums.back() += values[i];
            ++lengths.back();
        }
        const Device<int> in(host), unique(count);
        const Device<float> ofKeys(values), sum(count);
        const Device<unsigned> length(count), found(1);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::reduce_by_key(storage, bytes, in.get(), ofKeys.get(), count, unique.get(), sum.get(),
                                          found.get());
        });
        areSums = areSums && found.read()[0] == starts.size() && beginsWith(unique, starts) && beginsWith(sum, sums);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::run_length_encode(storage, bytes, in.get(), count, unique.get(), length.get(), found.get());
        });
        areLengths =
            areLengths && found.read()[0] == starts.size() && beginsWith(unique, starts) && beginsWith(length, lengths);
    }
    expect("reduce_by_key", areSums);
    expect("run_length_encode", areLengths);
}

void selects() {
    bool isSelected = true, isParted = true;
    for (const std::size_t count : sizes) {
        const std::vector<int> host = keys(count);
        std::vector<int> even, odd;
        std::copy_if(host.begin(), host.end(), std::back_inserter(even), [](int key) { return key % 2 == 0; });
        std::copy_if(host.rbegin(), host.rend(), std::back_inserter(odd), [](int key) { return key % 2 != 0; });
        const Device<int> in(host), out(count);
        const Device<unsigned> found(1);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::select(storage, bytes, in.get(), out.get(), found.get(), count, IsEven());
        });
        isSelected = isSelected && found.read()[0] == even.size() && beginsWith(out, even);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::partition(storage, bytes, in.get(), out.get(), found.get(), count, IsEven());
        });
        std::vector<int> both = even;
        both.insert(both.end(), odd.begin(), odd.end());
        isParted = isParted && found.read()[0] == even.size() && out.read() == both;
    }
    expect("select", isSelected);
    expect("partition", isParted);
}

void others() {
    bool isDoubled = true, isCounted = true, isSummed = true;
    for (const std::size_t count : sizes) {
        const std::vector<float> host = numbers<float>(count);
        const Device<float> in(host), out(count);
        HIP_CHECK(rocprim::transform(in.get(), out.get(), count, Doubled()));
        std::vector<float> doubled(count);
        std::transform(host.begin(), host.end(), doubled.begin(), Doubled());
        isDoubled = isDoubled && out.read() == doubled;

        constexpr unsigned bins = 10;
        const Device<unsigned> histogram(bins);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::histogram_even(storage, bytes, in.get(), static_cast<unsigned>(count), histogram.get(),
                                           bins + 1, -100.0f, 100.0f);
        });
        std::vector<unsigned> counts(bins);
        for (const float value : host) {
            if (value < 100) {
                ++counts[static_cast<std::size_t>((value + 100) / 20)];
            }
        }
        isCounted = isCounted && histogram.read() == counts;

        std::vector<int> offsets;
        for (std::size_t i = 0; i < count; i += i / 3 + 1) {
            offsets.push_back(static_cast<int>(i));
        }
        const auto segments = static_cast<unsigned>(offsets.size());
        offsets.push_back(static_cast<int>(count));
        std::vector<float> sums(segments);
        for (unsigned i = 0; i < segments; ++i) {
            sums[i] = std::accumulate(host.begin() + offsets[i], host.begin() + offsets[i + 1], 0.0f);
        }
        const Device<int> from(offsets);
        const Device<float> ofSegments(segments);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::segmented_reduce(storage, bytes, in.get(), ofSegments.get(), segments, from.get(),
                                             from.get() + 1, rocprim::plus<float>(), 0.0f);
        });
        isSummed = isSummed && ofSegments.read() == sums;
    }
    expect("transform", isDoubled);
    expect("histogram_even", isCounted);
    expect("segmented_reduce", isSummed);
}

} // namespace

int main() {
    reduces<int>("reduce int");
    reduces<double>("reduce double");
    reducesHalves();
    scans<int>("scans of int");
    scans<double>("scans of double");
    runs();
    selects();
    others();
    return verdict();
}
