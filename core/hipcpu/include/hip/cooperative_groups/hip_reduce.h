// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reductions over the threads of a tile or of a coalesced group, and what they reduce by, for HIP installations that
// lack this header (before ROCm 7).
#include <hip/hip_cooperative_groups.h>

#include <limits>
#include <type_traits>

namespace cooperative_groups {

// Each with what leaves the other operand as it is.
#define GKS_GROUP_OPERATION(name, expression, identity)                                                                \
    template<class T>                                                                                                  \
    struct name {                                                                                                      \
        __host__ __device__ T operator()(const T& a, const T& b) const {                                               \
            return expression;                                                                                         \
        }                                                                                                              \
        __host__ __device__ static T __gks_identity() {                                                                \
            return identity;                                                                                           \
        }                                                                                                              \
    };
GKS_GROUP_OPERATION(plus, a + b, T{})
GKS_GROUP_OPERATION(less, b < a ? b : a, std::numeric_limits<T>::max())
GKS_GROUP_OPERATION(greater, a < b ? b : a, std::numeric_limits<T>::lowest())
GKS_GROUP_OPERATION(bit_and, a& b, static_cast<T>(~T{}))
GKS_GROUP_OPERATION(bit_or, a | b, T{})
GKS_GROUP_OPERATION(bit_xor, a ^ b, T{})
#undef GKS_GROUP_OPERATION

// The value of another lane of the wave, of any type.
template<class T>
__device__ T __gks_from_lane(const T& value, unsigned int lane) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "a value of up to 32 bytes");
    constexpr unsigned int count = (sizeof(T) + sizeof(int) - 1) / sizeof(int);
    int words[count] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (int& word : words) {
        word = __shfl(word, static_cast<int>(lane));
    }
    T result;
    __builtin_memcpy(&result, words, sizeof(T));
    return result;
}

// Of the values of the lanes in `from` that are in `members`, from the lowest lane on.
template<class T, class Operation>
__device__ T __gks_fold(unsigned long long members, unsigned long long from, const T& value, Operation& operation,
                        T result) {
    bool isFirst = true;
    for (unsigned long long left = members; left != 0; left &= left - 1) {
        const T next = __gks_from_lane(value, __builtin_ctzll(left));
        if ((left & -left & from) != 0) {
            result = isFirst ? next : operation(result, next);
            isFirst = false;
        }
    }
    return result;
}

template<class Group, class Value, class Operation>
__device__ auto reduce(const Group& group, Value&& value, Operation&& operation) -> decltype(operation(value, value)) {
    using T = typename std::decay<Value>::type;
    return __gks_fold<T>(group.__gks_members(), ~0ull, value, operation, value);
}

} // namespace cooperative_groups
