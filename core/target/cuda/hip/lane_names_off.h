// SPDX-License-Identifier: GPL-3.0-or-later

// See lane_names.h.
#undef warpSize
#undef __shfl
#undef __shfl_up
#undef __shfl_down
#undef __shfl_xor
#undef __ballot
#undef __any
#undef __all
