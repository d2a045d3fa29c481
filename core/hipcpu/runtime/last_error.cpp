// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/last_error.h"

#include <algorithm>
#include <utility>

namespace gks::hipcpu {

namespace {

thread_local HipError lastError = hipSuccess;

} // namespace

HipError remember(HipError error) {
    if (error != hipSuccess) {
        lastError = error;
    }
    return error;
}

HipError rememberedError() {
    return lastError;
}

HipError takeRememberedError() {
    return std::exchange(lastError, hipSuccess);
}

const ErrorText& textOf(std::span<const ErrorText> texts, HipError error) {
    const auto found = std::ranges::find(texts, static_cast<int>(error), &ErrorText::error);
    return found != texts.end() ? *found : texts.back();
}

} // namespace gks::hipcpu
