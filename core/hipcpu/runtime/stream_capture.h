// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/graph.h"
#include "core/hipcpu/runtime/hip_types.h"

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace gks::hipcpu {

// What streams are asked to do from hipStreamBeginCapture to hipStreamEndCapture, which they do not do then but when
// the graph is launched. A stream that waits for an event of a capture takes part in it from then on.
struct Capture {
    std::unique_ptr<Graph> graph = std::make_unique<Graph>();
    Stream* origin = nullptr;
    CaptureMode mode = CaptureMode::global;
    std::thread::id thread;
    std::uint64_t number = 0;
    bool isInvalid = false;
    std::vector<Stream*> streams;
};

// Of a stream or an event: behind which nodes of a capture it stands.
struct CapturePlace {
    std::shared_ptr<Capture> capture; // null: none
    std::vector<GraphNode*> behind;
};

// The stream of a handle, for a call that asks it to do something. The null stream waits for blocking ones, which
// cannot be while one of them captures.
HipError enterStream(HipStream handle, Stream*& stream);
// Likewise for a call that no capture takes: one that waits for the stream, which does nothing then, or whose work
// could not be repeated.
HipError enterNow(HipStream handle, Stream*& stream);
// For a call that might wait for a stream, as those for memory do: it spoils what is being captured.
HipError enterUnsafe();
// Likewise for one that waits for all streams, whatever the mode.
HipError enterToWaitForAll();

// Of a stream that captures.
void capture(Stream& stream, Operation operation);
void captureRecord(Event& event, Stream& stream);
// Whether the wait has been dealt with: one of the two belongs to a capture.
bool captureWait(Stream& stream, Event& event, HipError& error);
// Of a stream that is destroyed.
void leaveCapture(Stream& stream);

} // namespace gks::hipcpu
