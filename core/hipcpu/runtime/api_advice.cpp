// SPDX-License-Identifier: GPL-3.0-or-later
// What host code says and asks of ranges of memory that host and device share.
#include "core/hipcpu/runtime/device_memory.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/memory_advice.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>
#include <cstring>

using namespace gks::hipcpu;

namespace {

using Facts = MemoryAdvice::Facts;

// hipMemoryAdvise
constexpr int setReadMostly = 1, unsetReadMostly = 2, setPreferredLocation = 3, unsetPreferredLocation = 4,
              setAccessedBy = 5, unsetAccessedBy = 6, setCoarseGrain = 100, unsetCoarseGrain = 101;
// hipMemRangeAttribute
constexpr int readMostly = 1, preferredLocation = 2, accessedBy = 3, lastPrefetchLocation = 4, coherencyMode = 100;
// hipMemRangeCoherencyMode
constexpr int fineGrain = 0, coarseGrain = 1, indeterminate = 2;

bool isPlace(int device) {
    return device == 0 || device == MemoryAdvice::host;
}

bool isRange(const void* pointer, std::size_t sizeBytes) {
    const auto found = DeviceMemory::instance().find(pointer);
    const auto* const begin = static_cast<const char*>(pointer);
    return found && sizeBytes > 0 && sizeBytes <= found->sizeBytes - static_cast<std::size_t>(begin - found->data);
}

// The value that all pieces have, else the other one.
template<class Value>
int common(const std::vector<Facts>& pieces, Value value, int otherwise) {
    const int first = value(pieces.front());
    return std::all_of(pieces.begin(), pieces.end(), [&](const Facts& facts) { return value(facts) == first; })
               ? first
               : otherwise;
}

HipError tellRange(int* data, std::size_t count, int attribute, const std::vector<Facts>& pieces) {
    if (attribute == accessedBy) {
        std::fill_n(data, count, MemoryAdvice::nowhere);
        std::size_t at = 0;
        const auto tell = [&](bool Facts::* isAccessed, int place) {
            const bool isByAll =
                std::all_of(pieces.begin(), pieces.end(), [&](const Facts& facts) { return facts.*isAccessed; });
            if (isByAll && at < count) {
                data[at++] = place;
            }
        };
        tell(&Facts::isAccessedByDevice, 0);
        tell(&Facts::isAccessedByHost, MemoryAdvice::host);
        return hipSuccess;
    }
    if (count != 1) {
        return hipErrorInvalidValue;
    }
    switch (attribute) {
    case readMostly:
        *data = common(pieces, [](const Facts& facts) { return facts.isReadMostly ? 1 : 0; }, 0);
        return hipSuccess;
    case preferredLocation:
        *data = common(pieces, [](const Facts& facts) { return facts.preferredLocation; }, MemoryAdvice::nowhere);
        return hipSuccess;
    case lastPrefetchLocation:
        *data = common(pieces, [](const Facts& facts) { return facts.prefetchedTo; }, MemoryAdvice::nowhere);
        return hipSuccess;
    case coherencyMode:
        *data = common(
            pieces, [](const Facts& facts) { return facts.isCoarseGrained ? coarseGrain : fineGrain; }, indeterminate);
        return hipSuccess;
    default:
        return hipErrorInvalidValue;
    }
}

} // namespace

HipError hipMemAdvise(const void* pointer, std::size_t sizeBytes, int advice, int device) {
    if (!isRange(pointer, sizeBytes)) {
        return remember(hipErrorInvalidValue);
    }
    const bool isOfPlace = advice == setPreferredLocation || advice == setAccessedBy || advice == unsetAccessedBy;
    if (isOfPlace && !isPlace(device)) {
        return remember(hipErrorInvalidDevice);
    }
    std::function<void(Facts&)> how;
    switch (advice) {
    case setReadMostly:
    case unsetReadMostly:
        how = [=](Facts& facts) { facts.isReadMostly = advice == setReadMostly; };
        break;
    case setPreferredLocation:
        how = [=](Facts& facts) { facts.preferredLocation = device; };
        break;
    case unsetPreferredLocation:
        how = [](Facts& facts) { facts.preferredLocation = MemoryAdvice::nowhere; };
        break;
    case setAccessedBy:
    case unsetAccessedBy:
        how = [=](Facts& facts) {
            (device == 0 ? facts.isAccessedByDevice : facts.isAccessedByHost) = advice == setAccessedBy;
        };
        break;
    case setCoarseGrain:
    case unsetCoarseGrain:
        how = [=](Facts& facts) { facts.isCoarseGrained = advice == setCoarseGrain; };
        break;
    default:
        return remember(hipErrorInvalidValue);
    }
    MemoryAdvice::instance().change(pointer, sizeBytes, how);
    return hipSuccess;
}

HipError hipMemPrefetchAsync(const void* pointer, std::size_t sizeBytes, int device, HipStream stream) {
    if (!Stream::find(stream)) {
        return remember(hipErrorInvalidHandle);
    }
    if (!isRange(pointer, sizeBytes)) {
        return remember(hipErrorInvalidValue);
    }
    if (!isPlace(device)) {
        return remember(hipErrorInvalidDevice);
    }
    MemoryAdvice::instance().change(pointer, sizeBytes, [=](Facts& facts) { facts.prefetchedTo = device; });
    return hipSuccess;
}

HipError hipMemRangeGetAttribute(void* data, std::size_t dataBytes, int attribute, const void* pointer,
                                 std::size_t sizeBytes) {
    if (!data || dataBytes == 0 || dataBytes % sizeof(int) != 0 || !isRange(pointer, sizeBytes)) {
        return remember(hipErrorInvalidValue);
    }
    std::vector<int> told(dataBytes / sizeof(int));
    const HipError error =
        tellRange(told.data(), told.size(), attribute, MemoryAdvice::instance().of(pointer, sizeBytes));
    if (error == hipSuccess) {
        std::memcpy(data, told.data(), dataBytes);
    }
    return remember(error);
}

HipError hipMemRangeGetAttributes(void** data, std::size_t* dataBytes, int* attributes, std::size_t count,
                                  const void* pointer, std::size_t sizeBytes) {
    if (!data || !dataBytes || !attributes || count == 0) {
        return remember(hipErrorInvalidValue);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const HipError error = hipMemRangeGetAttribute(data[i], dataBytes[i], attributes[i], pointer, sizeBytes);
        if (error != hipSuccess) {
            return error;
        }
    }
    return hipSuccess;
}

// A stream's managed memory is everybody's, as on a card.
HipError hipStreamAttachMemAsync(HipStream stream, void* pointer, std::size_t, unsigned flags) {
    if (!Stream::find(stream)) {
        return remember(hipErrorInvalidHandle);
    }
    const bool isFlag = flags == 1 || flags == 2 || flags == 4; // global, host, single
    return remember(isFlag && DeviceMemory::instance().find(pointer) ? hipSuccess : hipErrorInvalidValue);
}
