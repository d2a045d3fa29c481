// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gks::runner {

// The untrusted program. Exit status 2: wrong usage; 3: the device cannot be used.
struct Arguments {
    std::string runtime;   // path of the runtime library
    std::string candidate; // path of the candidate's shared object
    int device = 0;
};

// Obeys commands (runner_protocol.h) until `quit` or the end of the pipe.
int run(const Arguments& arguments);

// Prints the devices of a runtime library: {"devices": [{"index", "name", "architecture", "bus_id", ...}], "error"}.
int listDevices(const std::string& runtime);

} // namespace gks::runner
