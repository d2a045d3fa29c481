// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/last_error.h"

namespace gks::capture {

// The error of a question about a device and the place for its answer.
inline hipcpu::HipError asked(int device, bool hasPlace) {
    return device != 0 ? hipcpu::hipErrorInvalidDevice : hasPlace ? hipcpu::hipSuccess : hipcpu::hipErrorInvalidValue;
}

template<class T>
hipcpu::HipError answer(T* into, T value) {
    if (into == nullptr) {
        return hipcpu::remember(hipcpu::hipErrorInvalidValue);
    }
    *into = value;
    return hipcpu::hipSuccess;
}

} // namespace gks::capture
