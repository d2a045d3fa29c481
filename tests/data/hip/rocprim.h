// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the programs with rocPRIM's calls for whole devices share.

#include "check.h"

#include <rocprim/rocprim.hpp>

inline const std::size_t sizes[] = {1, 63, 1000, 100'000};

template<class T>
std::vector<T> numbers(std::size_t count) {
    std::vector<T> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = static_cast<T>(static_cast<float>(i * 7919 % 201) - 100);
    }
    return result;
}

// rocPRIM is asked for the size of its storage first.
template<class Call>
void withStorage(const Call& call) {
    std::size_t bytes = 0;
    HIP_CHECK(call(nullptr, bytes));
    const Device<char> storage(bytes);
    HIP_CHECK(call(static_cast<void*>(storage.get()), bytes));
}
