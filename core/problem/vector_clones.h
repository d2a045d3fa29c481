// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Before a function that is a loop over many values: it is compiled for three generations of processors, and the best
// is chosen when the program is loaded. Where sums and products may not be fused, -ffp-contract=off keeps the result
// the same in all of them. Not with sanitizers: the choice comes before they are ready.
#if defined(__has_feature)
#define GKS_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GKS_SANITIZED 1
#else
#define GKS_SANITIZED 0
#endif
#if defined(__x86_64__) && defined(__GNUC__) && !GKS_SANITIZED
#define GKS_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GKS_VECTOR_CLONES
#endif
// Before what is called in such a loop: a function of its own would be compiled for the oldest of them.
#define GKS_VECTOR_PART inline __attribute__((always_inline))
