// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

extern "C" hipError_t hipNoSuchFunction(int);

int main() { return hipNoSuchFunction(1); }
