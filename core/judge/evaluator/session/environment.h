// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace gks {

// What a time may depend on beside the kernel, read where the evaluation runs: "os", "kernel", "machine", "cpu",
// "cpu_count", "governor", "memory", "load" (1, 5 and 15 minutes), "version" of this program, "nvidia_driver",
// "amdgpu_driver". What cannot be read is left out. No names of hosts, users or folders.
std::map<std::string, std::string> describeEnvironment();
std::string loadAverage();

} // namespace gks
