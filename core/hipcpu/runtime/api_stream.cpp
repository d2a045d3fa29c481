// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/fault_handler.h"
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/settings.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>

using namespace gks::hipcpu;

namespace {

// What has to be done before `stream` counts as synchronised: the null stream waits for the blocking ones too.
Ticket lastOf(const Stream& stream) {
    return &stream == &Stream::null() ? Stream::lastBlocking() : stream.last();
}

} // namespace

HipError hipStreamCreate(HipStream* stream) {
    return hipStreamCreateWithFlags(stream, 0);
}

HipError hipStreamCreateWithFlags(HipStream* stream, unsigned flags) {
    installFaultHandler();
    if (!stream || flags > hipStreamNonBlocking) {
        return remember(hipErrorInvalidValue);
    }
    *stream = Stream::create(flags);
    return hipSuccess;
}

HipError hipStreamCreateWithPriority(HipStream* stream, unsigned flags, int) {
    return hipStreamCreateWithFlags(stream, flags);
}

// Which compute units run its kernels changes no result: all workers do. The mask is kept for who asks.
HipError hipExtStreamCreateWithCUMask(HipStream* stream, std::uint32_t words, const std::uint32_t* mask) {
    if (words == 0 || !mask) {
        return remember(hipErrorInvalidValue);
    }
    const HipError error = hipStreamCreate(stream);
    if (error == hipSuccess) {
        Stream::find(*stream)->setComputeUnits({mask, mask + words});
    }
    return error;
}

HipError hipExtStreamGetCUMask(HipStream handle, std::uint32_t words, std::uint32_t* mask) {
    const Stream* stream = Stream::find(handle);
    if (!stream || words == 0 || !mask) {
        return remember(stream ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    std::fill_n(mask, words, 0);
    const auto& chosen = stream->computeUnits();
    std::copy_n(chosen.begin(), std::min<std::size_t>(chosen.size(), words), mask);
    for (std::uint32_t i = 0; chosen.empty() && i < std::min(Settings::instance().workers, words * 32); ++i) {
        mask[i / 32] |= 1U << i % 32;
    }
    return hipSuccess;
}

HipError hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) {
        *least = 0;
    }
    if (greatest) {
        *greatest = 0;
    }
    return hipSuccess;
}

HipError hipStreamGetPriority(HipStream handle, int* priority) {
    if (!Stream::find(handle) || !priority) {
        return remember(priority ? hipErrorInvalidHandle : hipErrorInvalidValue);
    }
    *priority = 0;
    return hipSuccess;
}

HipError hipStreamDestroy(HipStream stream) {
    return Stream::destroy(stream) ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError hipStreamSynchronize(HipStream handle) {
    Stream* stream = nullptr;
    if (const HipError error = enterNow(handle, stream); error != hipSuccess) {
        return remember(error);
    }
    DeviceQueue::instance().waitFor(lastOf(*stream));
    return hipSuccess;
}

// "Not ready" is an answer, not an error to remember.
HipError hipStreamQuery(HipStream handle) {
    Stream* stream = nullptr;
    if (const HipError error = enterNow(handle, stream); error != hipSuccess) {
        return remember(error);
    }
    return DeviceQueue::instance().isDone(lastOf(*stream)) ? hipSuccess : hipErrorNotReady;
}

// The order of submission already puts the event's record before everything that follows on `stream`; what the host
// does at once on the stream's behalf has to wait for it.
HipError hipStreamWaitEvent(HipStream handle, HipEvent event, unsigned) {
    Stream* stream = nullptr;
    if (const HipError error = isEvent(event) ? enterStream(handle, stream) : hipErrorInvalidHandle;
        error != hipSuccess) {
        return remember(error);
    }
    HipError error = hipSuccess;
    if (captureWait(*stream, *event, error)) {
        return remember(error);
    }
    stream->include(event->state()->ticket.load(std::memory_order_acquire));
    return hipSuccess;
}

HipError hipStreamGetFlags(HipStream handle, unsigned* flags) {
    const Stream* stream = Stream::find(handle);
    if (!stream || !flags) {
        return remember(stream ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    *flags = stream->flags();
    return hipSuccess;
}

HipError hipStreamGetDevice(HipStream handle, int* device) {
    if (!Stream::find(handle) || !device) {
        return remember(device ? hipErrorInvalidHandle : hipErrorInvalidValue);
    }
    return hipGetDevice(device);
}

HipError hipStreamAddCallback(HipStream handle, HipStreamCallback callback, void* userData, unsigned) {
    Stream* stream = nullptr;
    if (const HipError error = callback ? enterNow(handle, stream) : hipErrorInvalidValue; error != hipSuccess) {
        return remember(error);
    }
    stream->submit([handle, callback, userData](WorkerPool&) { callback(handle, hipSuccess, userData); });
    return hipSuccess;
}

HipError hipEventCreate(HipEvent* event) {
    return hipEventCreateWithFlags(event, 0);
}

HipError hipEventCreateWithFlags(HipEvent* event, unsigned flags) {
    installFaultHandler();
    if (!event) {
        return remember(hipErrorInvalidValue);
    }
    *event = createEvent(flags);
    return hipSuccess;
}

HipError hipEventDestroy(HipEvent event) {
    return destroyEvent(event) ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError hipEventRecord(HipEvent event, HipStream handle) {
    Stream* stream = nullptr;
    if (const HipError error = isEvent(event) ? enterStream(handle, stream) : hipErrorInvalidHandle;
        error != hipSuccess) {
        return remember(error);
    }
    if (stream->isCapturing() || event->isCaptured()) {
        captureRecord(*event, *stream);
    }
    if (!stream->isCapturing()) {
        recordEvent(*event, *stream);
    }
    return hipSuccess;
}

// An external record would be a node of a graph for an event.
HipError hipEventRecordWithFlags(HipEvent event, HipStream handle, unsigned flags) {
    return flags == 0 ? hipEventRecord(event, handle)
                      : remember(flags == 1 ? hipErrorNotSupported : hipErrorInvalidValue);
}

HipError hipEventSynchronize(HipEvent event) {
    if (!isEvent(event) || event->isCaptured()) {
        return remember(isEvent(event) ? hipErrorCapturedEvent : hipErrorInvalidHandle);
    }
    DeviceQueue::instance().waitFor(event->state()->ticket.load(std::memory_order_acquire));
    return hipSuccess;
}

HipError hipEventQuery(HipEvent event) {
    if (!isEvent(event) || event->isCaptured()) {
        return remember(isEvent(event) ? hipErrorCapturedEvent : hipErrorInvalidHandle);
    }
    return event->isDone() ? hipSuccess : hipErrorNotReady;
}

HipError hipEventElapsedTime(float* milliseconds, HipEvent start, HipEvent stop) {
    if (!milliseconds) {
        return remember(hipErrorInvalidValue);
    }
    if (isEvent(start) && isEvent(stop) && (start->isCaptured() || stop->isCaptured())) {
        return remember(hipErrorCapturedEvent);
    }
    if (!isEvent(start) || !isEvent(stop) || !start->isRecorded() || !stop->isRecorded() || !start->isTimed() ||
        !stop->isTimed()) {
        return remember(hipErrorInvalidHandle);
    }
    if (!start->isDone() || !stop->isDone()) {
        return remember(hipErrorNotReady);
    }
    constexpr double nsPerMs = 1e6;
    *milliseconds =
        static_cast<float>(static_cast<double>(stop->state()->executedNs - start->state()->executedNs) / nsPerMs);
    return hipSuccess;
}
