// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
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

HipError hipStreamCreate(HipStream* stream) {
    GKS_CAPTURE_CALL("hipStreamCreate");
    return create(call, stream, 0, 0);
}

HipError hipStreamCreateWithFlags(HipStream* stream, unsigned flags) {
    GKS_CAPTURE_CALL("hipStreamCreateWithFlags");
    return create(call, stream, flags, 0);
}

HipError hipStreamCreateWithPriority(HipStream* stream, unsigned flags, int priority) {
    GKS_CAPTURE_CALL("hipStreamCreateWithPriority");
    return create(call, stream, flags, priority);
}

// The device of the cpu target has one priority.
HipError hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
    for (int* const into : {least, greatest}) {
        if (into != nullptr) {
            *into = 0;
        }
    }
    return hipSuccess;
}

HipError hipStreamDestroy(HipStream stream) {
    GKS_CAPTURE_CALL("hipStreamDestroy");
    return call->destroyStream(stream) ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError hipStreamSynchronize(HipStream stream) {
    GKS_CAPTURE_CALL("hipStreamSynchronize");
    return waitForStream(call, stream);
}

HipError hipStreamQuery(HipStream stream) {
    GKS_CAPTURE_CALL("hipStreamQuery");
    return waitForStream(call, stream);
}

HipError hipStreamWaitEvent(HipStream handle, HipEvent awaited, unsigned) {
    GKS_CAPTURE_CALL("hipStreamWaitEvent");
    StreamState* const stream = call.stream(handle);
    const EventState* const event = call->event(awaited);
    if (stream == nullptr || event == nullptr) {
        return remember(hipErrorInvalidHandle);
    }
    call.waitFor(*stream, *event);
    return hipSuccess;
}

HipError hipStreamGetFlags(HipStream handle, unsigned* flags) {
    GKS_CAPTURE_CALL("hipStreamGetFlags");
    const StreamState* const stream = call.stream(handle);
    if (stream == nullptr || flags == nullptr) {
        return remember(stream != nullptr ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    *flags = stream->kind == StreamKind::nonBlocking ? hipStreamNonBlocking : 0;
    return hipSuccess;
}

HipError hipStreamAddCallback(HipStream, HipStreamCallback, void*, unsigned) {
    GKS_CAPTURE_CALL("hipStreamAddCallback");
    call.refuse("has the host work in the middle of the device's work", "Do it before the launches or in a kernel");
}

HipError hipEventCreate(HipEvent* event) {
    return hipEventCreateWithFlags(event, 0);
}

HipError hipEventCreateWithFlags(HipEvent* event, unsigned) {
    GKS_CAPTURE_CALL("hipEventCreateWithFlags");
    if (event == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    *event = call->createEvent();
    return hipSuccess;
}

HipError hipEventDestroy(HipEvent event) {
    GKS_CAPTURE_CALL("hipEventDestroy");
    return call->destroyEvent(event) ? hipSuccess : remember(hipErrorInvalidHandle);
}

HipError hipEventRecord(HipEvent event, HipStream stream) {
    GKS_CAPTURE_CALL("hipEventRecord");
    return record(call, event, stream);
}

HipError hipEventSynchronize(HipEvent event) {
    GKS_CAPTURE_CALL("hipEventSynchronize");
    return waitForEvent(call, event);
}

HipError hipEventQuery(HipEvent event) {
    GKS_CAPTURE_CALL("hipEventQuery");
    return waitForEvent(call, event);
}

HipError hipEventElapsedTime(float*, HipEvent, HipEvent) {
    GKS_CAPTURE_CALL("hipEventElapsedTime");
    call.refuse("asks how long the device took", "Choose by shape: the host's work is planned before it runs");
}

// What HIP has beside what the cpu target's own runtime exports.
#pragma GCC visibility push(default)
extern "C" {

HipError hipEventRecordWithFlags(HipEvent event, HipStream stream, unsigned) {
    GKS_CAPTURE_CALL("hipEventRecordWithFlags");
    return record(call, event, stream);
}

HipError hipStreamGetPriority(HipStream handle, int* priority) {
    GKS_CAPTURE_CALL("hipStreamGetPriority");
    const StreamState* const stream = call.stream(handle);
    if (stream == nullptr || priority == nullptr) {
        return remember(stream != nullptr ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    *priority = stream->priority;
    return hipSuccess;
}

HipError hipStreamIsCapturing(HipStream, int* status) {
    if (status == nullptr) {
        return remember(hipErrorInvalidValue);
    }
    *status = 0;
    return hipSuccess;
}
}
#pragma GCC visibility pop
