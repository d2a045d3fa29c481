// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that a device module may reach outside of itself, in the order of its table. The retargeter makes a stub for each
// name that jumps through the table, so a call keeps its return address, by which lanes find each other; the runtime
// fills the table. Append only, or raise abiVersion: the numbers are the contract.

#include <cstddef>

// The runtime of core/hipcpu/abi.h and of the device library.
#define GKS_RUNTIME_SERVICES(SERVICE)                                                                                  \
    SERVICE(hipcpu_barrier)                                                                                            \
    SERVICE(hipcpu_wave_exchange)                                                                                      \
    SERVICE(hipcpu_mfma)                                                                                               \
    SERVICE(hipcpu_yield)                                                                                              \
    SERVICE(hipcpu_let_others_run)                                                                                     \
    SERVICE(hipcpu_fail)                                                                                               \
    SERVICE(hipcpu_this_thread)                                                                                        \
    SERVICE(hipcpu_lds_base)                                                                                           \
    SERVICE(hipcpu_dispatch_packet)                                                                                    \
    SERVICE(hipcpu_implicit_arguments)                                                                                 \
    SERVICE(hipcpu_buffer_resource)                                                                                    \
    SERVICE(hipcpu_block_reduce)                                                                                       \
    SERVICE(hipcpu_print_begin)                                                                                        \
    SERVICE(hipcpu_print_string)                                                                                       \
    SERVICE(hipcpu_print_words)                                                                                        \
    SERVICE(hipcpu_print_end)

// What code generation and the optimiser make calls of.
#define GKS_MEMORY_SERVICES(SERVICE)                                                                                   \
    SERVICE(memcpy)                                                                                                    \
    SERVICE(memmove)                                                                                                   \
    SERVICE(memset)                                                                                                    \
    SERVICE(memcmp)                                                                                                    \
    SERVICE(bcmp)                                                                                                      \
    SERVICE(malloc)                                                                                                    \
    SERVICE(calloc)                                                                                                    \
    SERVICE(free)

// Mathematics, of doubles and of floats.
#define GKS_MATH_SERVICES_OF_BOTH(BOTH)                                                                                \
    BOTH(acos)                                                                                                         \
    BOTH(acosh)                                                                                                        \
    BOTH(asin)                                                                                                         \
    BOTH(asinh)                                                                                                        \
    BOTH(atan)                                                                                                         \
    BOTH(atan2)                                                                                                        \
    BOTH(atanh)                                                                                                        \
    BOTH(cbrt)                                                                                                         \
    BOTH(ceil)                                                                                                         \
    BOTH(copysign)                                                                                                     \
    BOTH(cos)                                                                                                          \
    BOTH(cosh)                                                                                                         \
    BOTH(erf)                                                                                                          \
    BOTH(erfc)                                                                                                         \
    BOTH(exp)                                                                                                          \
    BOTH(exp2)                                                                                                         \
    BOTH(exp10)                                                                                                        \
    BOTH(expm1)                                                                                                        \
    BOTH(fabs)                                                                                                         \
    BOTH(fdim)                                                                                                         \
    BOTH(floor)                                                                                                        \
    BOTH(fma)                                                                                                          \
    BOTH(fmax)                                                                                                         \
    BOTH(fmin)                                                                                                         \
    BOTH(fmod)                                                                                                         \
    BOTH(frexp)                                                                                                        \
    BOTH(hypot)                                                                                                        \
    BOTH(ilogb)                                                                                                        \
    BOTH(j0)                                                                                                           \
    BOTH(j1)                                                                                                           \
    BOTH(ldexp)                                                                                                        \
    BOTH(lgamma)                                                                                                       \
    BOTH(llrint)                                                                                                       \
    BOTH(llround)                                                                                                      \
    BOTH(log)                                                                                                          \
    BOTH(log10)                                                                                                        \
    BOTH(log1p)                                                                                                        \
    BOTH(log2)                                                                                                         \
    BOTH(logb)                                                                                                         \
    BOTH(lrint)                                                                                                        \
    BOTH(lround)                                                                                                       \
    BOTH(modf)                                                                                                         \
    BOTH(nearbyint)                                                                                                    \
    BOTH(nextafter)                                                                                                    \
    BOTH(pow)                                                                                                          \
    BOTH(remainder)                                                                                                    \
    BOTH(remquo)                                                                                                       \
    BOTH(rint)                                                                                                         \
    BOTH(round)                                                                                                        \
    BOTH(roundeven)                                                                                                    \
    BOTH(scalbn)                                                                                                       \
    BOTH(sin)                                                                                                          \
    BOTH(sincos)                                                                                                       \
    BOTH(sinh)                                                                                                         \
    BOTH(sqrt)                                                                                                         \
    BOTH(tan)                                                                                                          \
    BOTH(tanh)                                                                                                         \
    BOTH(tgamma)                                                                                                       \
    BOTH(trunc)                                                                                                        \
    BOTH(y0)                                                                                                           \
    BOTH(y1)

// Of modules that tell their accesses.
#define GKS_CHECK_SERVICES(SERVICE)                                                                                    \
    SERVICE(hipcpu_access) SERVICE(hipcpu_access_begin) SERVICE(hipcpu_barrier_at) SERVICE(hipcpu_round_at)

// Of block functions.
#define GKS_BLOCK_SERVICES(SERVICE)                                                                                    \
    SERVICE(hipcpu_mfma_block)                                                                                         \
    SERVICE(hipcpu_reduce_block)                                                                                       \
    SERVICE(hipcpu_lanes_of_block) SERVICE(hipcpu_any_going) SERVICE(hipcpu_next_region) SERVICE(hipcpu_meet)

// Of block functions of modules that tell their accesses.
#define GKS_BLOCK_CHECK_SERVICES(SERVICE)                                                                              \
    SERVICE(hipcpu_access_of)                                                                                          \
    SERVICE(hipcpu_access_begin_of)                                                                                    \
    SERVICE(hipcpu_reads_of)                                                                                           \
    SERVICE(hipcpu_reads_of_block)                                                                                     \
    SERVICE(hipcpu_writes_of)                                                                                          \
    SERVICE(hipcpu_writes_of_block)                                                                                    \
    SERVICE(hipcpu_are_inside)                                                                                         \
    SERVICE(hipcpu_are_inside_of_block)                                                                                \
    SERVICE(hipcpu_some_of)                                                                                            \
    SERVICE(hipcpu_some_of_block)                                                                                      \
    SERVICE(hipcpu_rows_done)                                                                                          \
    SERVICE(hipcpu_round_of)                                                                                           \
    SERVICE(hipcpu_barrier_of_block)                                                                                   \
    SERVICE(hipcpu_private)                                                                                            \
    SERVICE(hipcpu_private_of)

namespace gks::hipcpu {

inline constexpr const char* deviceServices[] = {
#define GKS_NAME(NAME) #NAME,
#define GKS_NAMES(NAME) #NAME, #NAME "f",
    GKS_RUNTIME_SERVICES(GKS_NAME) GKS_MEMORY_SERVICES(GKS_NAME) GKS_MATH_SERVICES_OF_BOTH(GKS_NAMES)
        GKS_NAME(logl) // of the logarithm of doubles
    GKS_CHECK_SERVICES(GKS_NAME) GKS_BLOCK_SERVICES(GKS_NAME) GKS_BLOCK_CHECK_SERVICES(GKS_NAME)
#undef GKS_NAME
#undef GKS_NAMES
};
inline constexpr std::size_t deviceServiceCount = sizeof deviceServices / sizeof deviceServices[0];

} // namespace gks::hipcpu
