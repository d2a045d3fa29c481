// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lanes of a wave tell each other by masks of 64 bits, which HIP has had since 6.2.
#include <hip/hip_runtime.h>

#if defined(__HIP__)

// Of a type of up to 8 bytes.
template<class T>
__device__ inline T __hip_readfirstlane(T value) {
    static_assert(sizeof(T) <= 2 * sizeof(int), "the value has up to 64 bits");
    int words[2] = {};
    __builtin_memcpy(words, &value, sizeof value);
    for (int& word : words) {
        word = __builtin_amdgcn_readfirstlane(word);
    }
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}
// Lanes that are named and do not come have no part in it.
__device__ inline unsigned long long __activemask() {
    return __ballot(1);
}
__device__ inline void __syncwarp(unsigned long long = ~0ull) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template<class Mask>
__device__ inline unsigned long long __ballot_sync(Mask mask, int predicate) {
    static_assert(sizeof(Mask) == 8, "a mask of lanes has 64 bits");
    return __ballot(predicate) & mask;
}
template<class Mask>
__device__ inline int __any_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
template<class Mask>
__device__ inline int __all_sync(Mask mask, int predicate) {
    return __ballot_sync(mask, predicate) == mask;
}
#define GKS_SHUFFLE_SYNC(name)                                                                                         \
    template<class Mask, class T>                                                                                      \
    __device__ inline T name##_sync(Mask mask, T value, int lane, int width = warpSize) {                              \
        static_assert(sizeof(mask) == 8, "a mask of lanes has 64 bits");                                               \
        return name(value, lane, width);                                                                               \
    }
GKS_SHUFFLE_SYNC(__shfl)
GKS_SHUFFLE_SYNC(__shfl_up)
GKS_SHUFFLE_SYNC(__shfl_down)
GKS_SHUFFLE_SYNC(__shfl_xor)
#undef GKS_SHUFFLE_SYNC

// Which lanes have the value of this one; each turn of the loop finds those of one more value.
template<class Mask, class T>
__device__ inline unsigned long long __match_any_sync(Mask mask, T value) {
    static_assert(sizeof(Mask) == 8, "a mask of lanes has 64 bits");
    unsigned long long left = mask, found = 0;
    while (left != 0) {
        const T first = __shfl(value, __builtin_ctzll(left));
        const bool isSame = first == value;
        const unsigned long long same = __ballot(isSame) & left;
        found = isSame ? same : found;
        left &= ~same;
    }
    return found;
}
template<class T>
__device__ inline unsigned long long __match_any(T value) {
    return __match_any_sync(__ballot(1), value);
}
template<class Mask, class T>
__device__ inline unsigned long long __match_all_sync(Mask mask, T value, int* areAll) {
    *areAll = __match_any_sync(mask, value) == mask;
    *areAll = __ballot_sync(mask, *areAll) == mask;
    return *areAll != 0 ? mask : 0;
}
template<class T>
__device__ inline unsigned long long __match_all(T value, int* areAll) {
    return __match_all_sync(__ballot(1), value, areAll);
}
#define GKS_REDUCE_SYNC(name, expression)                                                                              \
    template<class Mask, class T>                                                                                      \
    __device__ inline T __reduce_##name##_sync(Mask mask, T value) {                                                   \
        static_assert(sizeof(mask) == 8, "a mask of lanes has 64 bits");                                               \
        unsigned long long left = mask;                                                                                \
        T a = __shfl(value, __builtin_ctzll(left));                                                                    \
        for (left &= left - 1; left != 0; left &= left - 1) {                                                          \
            const T b = __shfl(value, __builtin_ctzll(left));                                                          \
            a = expression;                                                                                            \
        }                                                                                                              \
        return a;                                                                                                      \
    }
GKS_REDUCE_SYNC(add, a + b)
GKS_REDUCE_SYNC(min, b < a ? b : a)
GKS_REDUCE_SYNC(max, a < b ? b : a)
GKS_REDUCE_SYNC(and, a& b)
GKS_REDUCE_SYNC(or, a | b)
GKS_REDUCE_SYNC(xor, a ^ b)
#undef GKS_REDUCE_SYNC

#endif
