// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"

#include <span>

// The error that a thread is left with, and what errors are called: the same for HIP's host interface and the CUDA
// runtime, which agree in the numbers and not in the names.
namespace gks::hipcpu {

// Keeps an error for the calling thread, and returns it.
HipError remember(HipError error);
HipError rememberedError();
HipError takeRememberedError(); // and forgets it

struct ErrorText {
    int error;
    const char* name;
    const char* text;
};
// The last one for an error that is not among them.
const ErrorText& textOf(std::span<const ErrorText> texts, HipError error);

} // namespace gks::hipcpu
