// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/confine.h"

int main(int argumentCount, char** arguments) {
    return gks::confine(argumentCount, arguments);
}
