// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Scans over the threads of a tile or of a coalesced group, for HIP installations that lack this header (before ROCm
// 7).
#include <hip/cooperative_groups/hip_reduce.h>

namespace cooperative_groups {

// What the first thread gets of a scan that leaves its own value out: of HIP's operations what changes nothing.
template<class T, class Operation>
__device__ auto __gks_before_first(const Operation&, int) -> decltype(T(Operation::__gks_identity())) {
    return Operation::__gks_identity();
}
template<class T, class Operation>
__device__ T __gks_before_first(const Operation&, long) {
    return T{};
}

template<class Group, class Value, class Operation>
__device__ auto inclusive_scan(const Group& group, Value&& value, Operation&& operation)
    -> decltype(operation(value, value)) {
    using T = typename std::decay<Value>::type;
    return __gks_fold<T>(group.__gks_members(), (2ull << __lane_id()) - 1, value, operation, value);
}
template<class Group, class Value>
__device__ typename std::decay<Value>::type inclusive_scan(const Group& group, Value&& value) {
    return inclusive_scan(group, value, plus<typename std::decay<Value>::type>());
}

template<class Group, class Value, class Operation>
__device__ auto exclusive_scan(const Group& group, Value&& value, Operation&& operation)
    -> decltype(operation(value, value)) {
    using T = typename std::decay<Value>::type;
    return __gks_fold<T>(group.__gks_members(), (1ull << __lane_id()) - 1, value, operation,
                         __gks_before_first<T>(operation, 0));
}
template<class Group, class Value>
__device__ typename std::decay<Value>::type exclusive_scan(const Group& group, Value&& value) {
    return exclusive_scan(group, value, plus<typename std::decay<Value>::type>());
}

} // namespace cooperative_groups
