// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The same functions with the same parameters and the same numbers of errors, flags and kinds: HIP's host interface and
// the CUDA runtime's. What both have is written once and compiled for each of the two libraries.
#if defined(GKS_CAPTURE_CUDA)
#define GKS_API(name) cuda##name
#define GKS_API_TEXT(name) "cuda" #name
#define GKS_INTERNAL_API(name) __cuda##name
#define GKS_INTERNAL_API_TEXT(name) "__cuda" #name
#else
#define GKS_API(name) hip##name
#define GKS_API_TEXT(name) "hip" #name
#define GKS_INTERNAL_API(name) __hip##name
#define GKS_INTERNAL_API_TEXT(name) "__hip" #name
#endif
