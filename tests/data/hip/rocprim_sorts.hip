// SPDX-License-Identifier: GPL-3.0-or-later
// rocPRIM's sorts for whole devices: of one block, by merging, by digits in several launches. A file of its own, since
// one call makes thirty kernels.
#include "rocprim.h"

#include <algorithm>
#include <numeric>

int main() {
    bool isStable = true, isMerged = true;
    for (const std::size_t count : sizes) {
        const std::vector<float> host = numbers<float>(count);
        std::vector<int> order(count);
        std::iota(order.begin(), order.end(), 0);
        const Device<float> in(host), sorted(count);
        const Device<int> places(order), from(count);
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::radix_sort_pairs(storage, bytes, in.get(), sorted.get(), places.get(), from.get(), count);
        });
        std::vector<float> expected = host;
        std::sort(expected.begin(), expected.end());
        std::sort(order.begin(), order.end(),
                  [&](int a, int b) { return host[a] != host[b] ? host[a] < host[b] : a < b; });
        isStable = isStable && sorted.read() == expected && from.read() == order;
        withStorage([&](void* storage, std::size_t& bytes) {
            return rocprim::merge_sort(storage, bytes, in.get(), sorted.get(), count);
        });
        isMerged = isMerged && sorted.read() == expected;
    }
    expect("radix_sort_pairs", isStable);
    expect("merge_sort", isMerged);
    return verdict();
}
