// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/refusal.h"
#include "core/judge/protocol.h"
#include "core/target/device_lock.h"

#include <stop_token>

namespace gks {

// Waits for its turn at the device, and says meanwhile who has it.
Judged<DeviceLock> takeDevice(const Device& device, const EvaluationSink& tell, const std::stop_token& stop);

} // namespace gks
