// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/stream_capture.h"

#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/last_error.h"
#include "core/hipcpu/runtime/stream.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace gks::hipcpu {
namespace {

// Under way; changed under the mutex of Graphs.
std::vector<std::shared_ptr<Capture>> captures;
std::atomic<std::size_t> captureCount{0}; // most programs have none
std::uint64_t capturesBegun = 0;
thread_local CaptureMode modeOfThisThread = CaptureMode::global;

bool isCapturing() {
    return captureCount.load(std::memory_order_acquire) != 0;
}

// Whether one of them does not allow a use of the null stream.
bool invalidateBlocking() {
    bool found = false;
    for (const auto& one : captures) {
        if (std::any_of(one->streams.begin(), one->streams.end(), [](const Stream* s) { return s->isBlocking(); })) {
            one->isInvalid = found = true;
        }
    }
    return found;
}

void end(const std::shared_ptr<Capture>& capture) {
    for (Stream* stream : capture->streams) {
        stream->setCapturePlace({});
    }
    std::erase(captures, capture);
    captureCount.store(captures.size(), std::memory_order_release);
}

// Every node of another stream has to come before where the first one stands.
bool isJoined(const Capture& capture) {
    const std::vector<GraphNode*>& behind = capture.origin->capturePlace().behind;
    const auto& nodes = capture.graph->nodes();
    return std::all_of(nodes.begin(), nodes.end(), [&](const auto& node) {
        return std::find(behind.begin(), behind.end(), node.get()) != behind.end() ||
               !capture.graph->dependentsOf(node.get()).empty();
    });
}

HipError enter(HipStream handle, Stream*& stream, bool mayCapture) {
    stream = Stream::find(handle);
    if (!stream) {
        return hipErrorInvalidHandle;
    }
    if (!isCapturing()) {
        return hipSuccess;
    }
    const std::lock_guard lock(Graphs::instance().mutex);
    if (const auto& own = stream->capturePlace().capture) {
        if (own->isInvalid) {
            return hipErrorStreamCaptureInvalidated;
        }
        own->isInvalid = !mayCapture;
        return mayCapture ? hipSuccess : hipErrorStreamCaptureUnsupported;
    }
    return stream == &Stream::null() && invalidateBlocking() ? hipErrorStreamCaptureImplicit : hipSuccess;
}

HipError beginCapture(HipStream handle, CaptureMode mode) {
    Stream* const stream = Stream::find(handle);
    if (!stream || stream == &Stream::null()) {
        return stream ? hipErrorStreamCaptureUnsupported : hipErrorInvalidHandle;
    }
    if (mode < CaptureMode::global || mode > CaptureMode::relaxed) {
        return hipErrorInvalidValue;
    }
    const std::lock_guard lock(Graphs::instance().mutex);
    if (stream->capturePlace().capture) {
        return hipErrorIllegalState;
    }
    auto begun = std::make_shared<Capture>();
    begun->origin = stream;
    begun->mode = mode;
    begun->thread = std::this_thread::get_id();
    begun->number = ++capturesBegun;
    begun->streams = {stream};
    stream->setCapturePlace({begun, {}});
    captures.push_back(std::move(begun));
    captureCount.store(captures.size(), std::memory_order_release);
    return hipSuccess;
}

HipError endCapture(HipStream handle, HipGraph* graph) {
    Stream* const stream = Stream::find(handle);
    if (!stream || !graph) {
        return stream ? hipErrorInvalidValue : hipErrorInvalidHandle;
    }
    *graph = nullptr;
    const std::lock_guard lock(Graphs::instance().mutex);
    const std::shared_ptr<Capture> ended = stream->capturePlace().capture;
    if (!ended) {
        return hipErrorIllegalState;
    }
    if (ended->origin != stream) {
        return hipErrorStreamCaptureUnmatched;
    }
    if (ended->mode != CaptureMode::relaxed && ended->thread != std::this_thread::get_id()) {
        return hipErrorStreamCaptureWrongThread;
    }
    const bool joined = isJoined(*ended);
    end(ended);
    if (ended->isInvalid || !joined) {
        return ended->isInvalid ? hipErrorStreamCaptureInvalidated : hipErrorStreamCaptureUnjoined;
    }
    *graph = Graphs::instance().keep(std::move(ended->graph));
    return hipSuccess;
}

} // namespace

HipError enterStream(HipStream handle, Stream*& stream) {
    return enter(handle, stream, true);
}

HipError enterNow(HipStream handle, Stream*& stream) {
    return enter(handle, stream, false);
}

HipError enterUnsafe() {
    if (!isCapturing() || modeOfThisThread == CaptureMode::relaxed) {
        return hipSuccess;
    }
    const std::lock_guard lock(Graphs::instance().mutex);
    bool found = false;
    for (const auto& one : captures) {
        const bool isOwn = one->thread == std::this_thread::get_id();
        const bool isInTheWay = one->mode == CaptureMode::threadLocal
                                    ? isOwn
                                    : one->mode == CaptureMode::global && modeOfThisThread == CaptureMode::global;
        if (isInTheWay) {
            one->isInvalid = found = true;
        }
    }
    return found ? hipErrorStreamCaptureUnsupported : hipSuccess;
}

HipError enterToWaitForAll() {
    if (!isCapturing()) {
        return hipSuccess;
    }
    const std::lock_guard lock(Graphs::instance().mutex);
    for (const auto& one : captures) {
        one->isInvalid = true;
    }
    return captures.empty() ? hipSuccess : hipErrorStreamCaptureUnsupported;
}

void capture(Stream& stream, Operation operation) {
    const std::lock_guard lock(Graphs::instance().mutex);
    CapturePlace place = stream.capturePlace();
    if (place.capture) {
        place.behind = {place.capture->graph->add(std::move(operation), place.behind)};
        stream.setCapturePlace(std::move(place));
    }
}

void captureRecord(Event& event, Stream& stream) {
    const std::lock_guard lock(Graphs::instance().mutex);
    event.setCapturePlace(stream.capturePlace());
}

bool captureWait(Stream& stream, Event& event, HipError& error) {
    const std::lock_guard lock(Graphs::instance().mutex);
    CapturePlace place = stream.capturePlace();
    const CapturePlace& waited = event.capturePlace();
    if (!place.capture && !waited.capture) {
        return false;
    }
    const bool isUnderWay = std::find(captures.begin(), captures.end(), waited.capture) != captures.end();
    if (!isUnderWay || (place.capture && place.capture != waited.capture)) {
        error = waited.capture ? (isUnderWay ? hipErrorStreamCaptureMerge : hipErrorCapturedEvent)
                               : hipErrorStreamCaptureIsolation;
        if (place.capture) {
            place.capture->isInvalid = true;
        }
        return true;
    }
    if (!place.capture) {
        waited.capture->streams.push_back(&stream);
    }
    place.capture = waited.capture;
    for (GraphNode* node : waited.behind) {
        if (std::find(place.behind.begin(), place.behind.end(), node) == place.behind.end()) {
            place.behind.push_back(node);
        }
    }
    stream.setCapturePlace(std::move(place));
    error = hipSuccess;
    return true;
}

void leaveCapture(Stream& stream) {
    const std::lock_guard lock(Graphs::instance().mutex);
    if (const std::shared_ptr<Capture> own = stream.capturePlace().capture) {
        own->isInvalid = true;
        std::erase(own->streams, &stream);
        if (own->origin == &stream) {
            end(own);
        }
    }
}

} // namespace gks::hipcpu

using namespace gks::hipcpu;

HipError hipStreamBeginCapture(HipStream stream, CaptureMode mode) {
    return remember(beginCapture(stream, mode));
}

HipError hipStreamEndCapture(HipStream stream, HipGraph* graph) {
    return remember(endCapture(stream, graph));
}

HipError hipStreamGetCaptureInfo(HipStream handle, CaptureStatus* status, unsigned long long* number) {
    Stream* const stream = Stream::find(handle);
    if (!stream || !status) {
        return remember(stream ? hipErrorInvalidValue : hipErrorInvalidHandle);
    }
    const std::lock_guard lock(Graphs::instance().mutex);
    const CapturePlace& place = stream->capturePlace();
    *status = !place.capture             ? CaptureStatus::none
              : place.capture->isInvalid ? CaptureStatus::invalidated
                                         : CaptureStatus::active;
    if (*status != CaptureStatus::active) {
        return hipSuccess;
    }
    if (number) {
        *number = place.capture->number;
    }
    return hipSuccess;
}

HipError hipStreamIsCapturing(HipStream stream, CaptureStatus* status) {
    return hipStreamGetCaptureInfo(stream, status, nullptr);
}

HipError hipThreadExchangeStreamCaptureMode(CaptureMode* mode) {
    if (!mode || *mode < CaptureMode::global || *mode > CaptureMode::relaxed) {
        return remember(hipErrorInvalidValue);
    }
    std::swap(*mode, modeOfThisThread);
    return hipSuccess;
}
