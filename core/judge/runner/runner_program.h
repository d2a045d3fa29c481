// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace gks::runner {

// The program that owns a GPU. Exit status 2: wrong usage; 3: the device cannot be used.
// Obeys commands (runner_protocol.h) until `quit` or the end of the pipe. With the library of an anchor it calls that
// one and takes no device code; without, it loads no library but the driver's, whatever it is told.
int run(const std::string& driver, int device, const std::string& anchorLibrary = {});

// Prints the devices that a driver has: {"devices": [{"index", "name", "architecture", "bus_id", ...}], "error"}.
int listDevices(const std::string& driver);

} // namespace gks::runner
