// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/frozen/keeper.h"

// kernel-scientist-cpu-runner: started by the evaluator, with its pipes and segments.
int main() {
    return gks::frozen::keep();
}
