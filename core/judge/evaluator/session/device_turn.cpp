// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/device_turn.h"

namespace gks {

Judged<DeviceLock> takeDevice(const Device& device, const EvaluationSink& tell, const std::stop_token& stop) {
    DeviceLock::Waiting waiting;
    waiting.stop = stop;
    waiting.tell = [&tell](const std::string& text) { tell(ProgressEvent{0, text}); };
    auto lock = DeviceLock::take(device, waiting);
    return lock ? Judged<DeviceLock>(std::move(*lock)) : Judged<DeviceLock>(refuse(lock.error()));
}

} // namespace gks
