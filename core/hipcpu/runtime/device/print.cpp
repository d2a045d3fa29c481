// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

using namespace gks::hipcpu::device;

// Device printf: clang takes the call apart into a message that is begun, filled with strings and words, and ended.
extern "C" {
DoubleWord hipcpu_print_begin(int toStderr);
void hipcpu_print_string(DoubleWord message, const char* text, DoubleWord length);
void hipcpu_print_words(DoubleWord message, const DoubleWord* words, Word count);
void hipcpu_print_end(DoubleWord message);
}

namespace {

DoubleWord appendString(DoubleWord message, const char* text, DoubleWord length, Word last) {
    hipcpu_print_string(message, text, length);
    if (last) {
        hipcpu_print_end(message);
    }
    return message;
}

} // namespace

DEVICE_FUNCTION DoubleWord __ockl_printf_begin(DoubleWord) {
    return hipcpu_print_begin(0);
}
DEVICE_FUNCTION DoubleWord __ockl_fprintf_stdout_begin() {
    return hipcpu_print_begin(0);
}
DEVICE_FUNCTION DoubleWord __ockl_fprintf_stderr_begin() {
    return hipcpu_print_begin(1);
}

#define APPEND(KIND)                                                                                                   \
    DEVICE_FUNCTION DoubleWord __ockl_##KIND##_append_string_n(DoubleWord message, const char* text,                   \
                                                               DoubleWord length, Word last) {                         \
        return appendString(message, text, length, last);                                                              \
    }                                                                                                                  \
    DEVICE_FUNCTION DoubleWord __ockl_##KIND##_append_args(DoubleWord message, Word count, DoubleWord a, DoubleWord b, \
                                                           DoubleWord c, DoubleWord d, DoubleWord e, DoubleWord f,     \
                                                           DoubleWord g, Word last) {                                  \
        const DoubleWord words[7] = {a, b, c, d, e, f, g};                                                             \
        hipcpu_print_words(message, words, count);                                                                     \
        if (last) {                                                                                                    \
            hipcpu_print_end(message);                                                                                 \
        }                                                                                                              \
        return message;                                                                                                \
    }
APPEND(printf)
APPEND(fprintf)
