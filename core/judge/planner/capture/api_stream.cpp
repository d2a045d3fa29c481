// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"
#include "core/judge/planner/capture/api_names.h"
#include "core/judge/planner/capture/recorder.h"

// Nothing runs while a plan is made, so whatever the host waits for or asks after is done.

using namespace gks;
using namespace gks::hipcpu;
using gks::capture::Call;
using gks::capture::EventState;
using gks::capture::StreamState;

namespace {

HipError create(const Call& call, HipStream* stream, unsigned flags, int priority) {
    if (stream == nullptr || flags > hipStreamNonBlocking) {
        return remember(hipErrorInvalidValue);
    }
    *stream =
        call->createStream(flags == hipStreamNonBlocking ? StreamKind::nonBlocking : StreamKind::blocking, priority);
    return hipSuccess;
}

HipError waitForStream(const Call& call, HipStream handle) {
    StreamState* const stream = call.stream(handle);
    if (stream == nullptr) {
        return remember(hipErrorInvalidHandle);
    }
    if (stream->kind == StreamKind::legacy) {
        call->hostWaitsForAll(); // it waits for the blocking ones, and for a plan that is nearly all
    } else {
        call->hostWaits(*stream);
    }
    return hipSuccess;
}

HipError waitForEvent(const Call& call, HipEvent handle) {
    const EventState* const event = call->event(handle);
    if (event == nullptr) {
        return remember(hipErrorInvalidHandle);
    }
    call->hostWaits(*event);
    return hipSuccess;
}

HipError record(const Call& call, HipEvent handle, HipStream on) {
    StreamState* const stream = call.stream(on);
    EventState* const event = call->event(handle);
    if (stream == nullptr || event == nullptr) {
        return remember(hipErrorInvalidHandle);
    }
    call.record(*event, *stream);
    return hipSuccess;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

HipError GKS_API(StreamCreate)(HipStream* stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamCreate));
    return create(call, stream, 0, 0);
}

HipError GKS_API(StreamCreateWithFlags)(HipStream* stream, unsigned flags) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamCreateWithFlags));
    return create(call, stream, flags, 0);
}

HipError GKS_API(StreamCreateWithPriority)(HipStream* stream, unsigned flags, int priority) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamCreateWithPriority));
    return create(call, stream, flags, priority);
}

// NVIDIA's devices have six priorities; the others are taken to have one.
HipError GKS_API(DeviceGetStreamPriorityRange)(int* least, int* greatest) {
    constexpr int greatestOfNvidia = -5;
    GKS_CAPTURE_CALL(GKS_API_TEXT(DeviceGetStreamPriorityRange));
    if (least != nullptr) {
        *least = 0;
    }
    if (greatest != nullptr) {
        *greatest = call->facts().code == DeviceCode::nvidia ? greatestOfNvidia : 0;
    }
    return hipSuccess;
}

HipError GKS_API(StreamDestroy)(HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamDestroy));
    return call->destroyStream(stream) ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError GKS_API(StreamSynchronize)(HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamSynchronize));
    return waitForStream(call, stream);
}

HipError GKS_API(StreamQuery)(HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamQuery));
    return waitForStream(call, stream);
}

HipError GKS_API(StreamWaitEvent)(HipStream handle, HipEvent awaited, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamWaitEvent));
    StreamState* const stream = call.stream(handle);
    const EventState* const event = call->event(awaited);
    if (stream == nullptr || event == nullptr) {
        return remember(hipErrorInvalidHandle);
    }
    call.waitFor(*stream, *event);
    return hipSuccess;
}

HipError GKS_API(StreamGetFlags)(HipStream handle, unsigned* flags) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamGetFlags));
    const StreamState* const stream = call.stream(handle);
    if (stream == nullptr || flags == nullptr) {
        return remember(stream != nullptr ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    *flags = stream->kind == StreamKind::nonBlocking ? hipStreamNonBlocking : 0;
    return hipSuccess;
}

HipError GKS_API(StreamAddCallback)(HipStream, HipStreamCallback, void*, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamAddCallback));
    call.refuse("has the host work in the middle of the device's work", "Do it before the launches or in a kernel");
}

HipError GKS_API(EventCreateWithFlags)(HipEvent* event, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventCreateWithFlags));
    if (event == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    *event = call->createEvent();
    return hipSuccess;
}

HipError GKS_API(EventCreate)(HipEvent* event) {
    return GKS_API(EventCreateWithFlags)(event, 0);
}

HipError GKS_API(EventDestroy)(HipEvent event) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventDestroy));
    return call->destroyEvent(event) ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError GKS_API(EventRecord)(HipEvent event, HipStream stream) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventRecord));
    return record(call, event, stream);
}

HipError GKS_API(EventSynchronize)(HipEvent event) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventSynchronize));
    return waitForEvent(call, event);
}

HipError GKS_API(EventQuery)(HipEvent event) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventQuery));
    return waitForEvent(call, event);
}

HipError GKS_API(EventElapsedTime)(float*, HipEvent, HipEvent) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventElapsedTime));
    call.refuse("asks how long the device took", "Choose by shape: the host's work is planned before it runs");
}

HipError GKS_API(EventRecordWithFlags)(HipEvent event, HipStream stream, unsigned) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(EventRecordWithFlags));
    return record(call, event, stream);
}

HipError GKS_API(StreamGetPriority)(HipStream handle, int* priority) {
    GKS_CAPTURE_CALL(GKS_API_TEXT(StreamGetPriority));
    const StreamState* const stream = call.stream(handle);
    if (stream == nullptr || priority == nullptr) {
        return remember(stream != nullptr ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    *priority = stream->priority;
    return hipSuccess;
}

HipError GKS_API(StreamIsCapturing)(HipStream, int* status) {
    if (status == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    *status = 0;
    return hipSuccess;
}
}
#pragma GCC visibility pop
