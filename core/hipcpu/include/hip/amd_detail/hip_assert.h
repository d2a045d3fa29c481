// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hip/hip_runtime.h>

#if defined(NDEBUG)
#define __hip_assert(condition)
#else
#define __hip_assert(condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            __builtin_trap();                                                                                          \
        }                                                                                                              \
    } while (0)
#endif
