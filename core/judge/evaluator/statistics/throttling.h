// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// What holds a GPU's clock down right now beside its own power limit, which a kernel reaches by itself: heat, a power
// brake.
namespace gks {

// As a sentence. NVIDIA's tool is asked in a process of its own, where there is one: that takes some tenths of a
// second. AMD's driver says it in files.
std::optional<std::string> deviceThrottling(const Device& device);
// The tool's answer: a mask of reasons in hexadecimal, MHz, degrees.
std::optional<std::string> throttlingFrom(std::string_view answer);
// The folder of a card, /sys/bus/pci/devices/0000:1b:00.0. Its hwmon folder has temperatures in thousandths of a degree
// with the ones at which the clock goes down, and the clock in Hz: "AMDGPU thermal and hwmon interfaces" in the
// kernel's documentation.
std::optional<std::string> heatOf(const std::filesystem::path& pciDevice);

} // namespace gks
