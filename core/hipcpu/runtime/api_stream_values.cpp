// SPDX-License-Identifier: GPL-3.0-or-later
// Values in memory that a stream writes, and those that it waits for. What is submitted after a wait comes after it,
// whatever its stream, since commands are executed in the order of their submission: the value has to come from the
// host, from an earlier command, or from another stream's hipStreamWriteValue behind nothing that waits.
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream.h"

#include <chrono>
#include <cstdio>
#include <thread>

using namespace gks::hipcpu;

namespace {

enum Condition : unsigned { atLeast, equal, anyBit, anyBitMissing }; // hipStreamWaitValueGte and so on

template<class Value>
bool holds(Value found, Value asked, unsigned condition, Value mask) {
    switch (condition) {
    case atLeast:
        return (found & mask) >= asked;
    case equal:
        return (found & mask) == asked;
    case anyBit:
        return (found & mask & asked) != 0;
    default:
        return static_cast<Value>(~(found | asked) & mask) != 0;
    }
}

// Whether all that has to come before a command of the stream is done.
bool isIdle(const Stream& stream) {
    const DeviceQueue& queue = DeviceQueue::instance();
    const bool isNull = &stream == &Stream::null();
    return queue.isDone(stream.last()) && (!stream.isBlocking() || queue.isDone(Stream::null().last())) &&
           (!isNull || queue.isDone(Stream::lastBlocking()));
}

template<class Value>
HipError writeValue(HipStream handle, void* place, Value value) {
    Stream* stream = nullptr;
    if (const HipError error = place ? enterNow(handle, stream) : hipErrorInvalidValue; error != hipSuccess) {
        return error;
    }
    const auto write = [place, value] { __atomic_store_n(static_cast<Value*>(place), value, __ATOMIC_RELEASE); };
    if (isIdle(*stream)) { // another stream may wait for it, ahead in the queue
        write();
    } else {
        stream->submit([write](WorkerPool&) { write(); });
    }
    return hipSuccess;
}

template<class Value>
HipError waitForValue(HipStream handle, const void* place, Value value, unsigned condition, Value mask) {
    Stream* stream = nullptr;
    const bool isKnown = place && condition <= anyBitMissing;
    if (const HipError error = isKnown ? enterNow(handle, stream) : hipErrorInvalidValue; error != hipSuccess) {
        return error;
    }
    stream->submit([=](WorkerPool&) {
        using namespace std::chrono_literals;
        const auto begin = std::chrono::steady_clock::now();
        bool isTold = false;
        while (!holds(__atomic_load_n(static_cast<const Value*>(place), __ATOMIC_ACQUIRE), value, condition, mask)) {
            std::this_thread::sleep_for(50us);
            if (!isTold && std::chrono::steady_clock::now() - begin > 10s) {
                isTold = true;
                std::fputs("hipcpu: warning: a stream has waited 10 s for a value in memory; on the cpu target "
                           "commands that were submitted later wait, too\n",
                           stderr);
            }
        }
    });
    return hipSuccess;
}

struct Batched { // hipStreamBatchMemOpParams, of which each has the room of six
    enum Kind : unsigned { wait32 = 1, write32 = 2, flush = 3, wait64 = 4, write64 = 5, barrier = 6 };
    Kind kind;
    void* place;
    std::uint64_t value;
    unsigned flags;
    void* alias;
    std::uint64_t unused;
};
static_assert(sizeof(Batched) == 6 * sizeof(std::uint64_t), "as HIP has it");

HipError submit(HipStream stream, const Batched& one) {
    switch (one.kind) {
    case Batched::wait32:
        return waitForValue<std::uint32_t>(stream, one.place, static_cast<std::uint32_t>(one.value), one.flags, ~0u);
    case Batched::wait64:
        return waitForValue<std::uint64_t>(stream, one.place, one.value, one.flags, ~0ull);
    case Batched::write32:
        return writeValue(stream, one.place, static_cast<std::uint32_t>(one.value));
    case Batched::write64:
        return writeValue(stream, one.place, one.value);
    case Batched::flush:
    case Batched::barrier:
        return hipErrorNotSupported; // as AMD
    }
    return hipErrorInvalidValue;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError hipStreamWriteValue32(HipStream stream, void* place, std::uint32_t value, unsigned) {
    return remember(writeValue(stream, place, value));
}

HipError hipStreamWriteValue64(HipStream stream, void* place, std::uint64_t value, unsigned) {
    return remember(writeValue(stream, place, value));
}

HipError hipStreamWaitValue32(HipStream stream, void* place, std::uint32_t value, unsigned condition,
                              std::uint32_t mask) {
    return remember(waitForValue(stream, place, value, condition, mask));
}

HipError hipStreamWaitValue64(HipStream stream, void* place, std::uint64_t value, unsigned condition,
                              std::uint64_t mask) {
    return remember(waitForValue(stream, place, value, condition, mask));
}

HipError hipStreamBatchMemOp(HipStream stream, unsigned count, const Batched* operations, unsigned flags) {
    if (!operations || count == 0 || flags != 0) {
        return remember(hipErrorInvalidValue);
    }
    for (unsigned i = 0; i < count; ++i) {
        if (const HipError error = submit(stream, operations[i]); error != hipSuccess) {
            return remember(error);
        }
    }
    return hipSuccess;
}
}
#pragma GCC visibility pop
