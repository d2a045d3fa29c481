// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

#include <chrono>
#include <functional>
#include <stop_token>

namespace gks {

// A card is used by one evaluation at a time, whoever started it: another one on the same card would be in its times.
// Held with flock on a file in a folder that all users share, named after the card, so that a process that dies in any
// way frees it. Devices without an identity (the CPU) are not locked.
class DeviceLock {
public:
    struct Waiting {
        std::chrono::milliseconds bound = std::chrono::minutes(15);
        std::function<void(const std::string&)> tell = {}; // once, when it has to wait: who has it
        std::stop_token stop = {};
    };
    // Errors: the bound has passed, a stop was requested, the file cannot be made.
    static Result<DeviceLock> take(const Device& device, const Waiting& waiting);
    // Where the file of this device is.
    static std::filesystem::path pathFor(const Device& device);

    DeviceLock(DeviceLock&& other) noexcept;
    DeviceLock& operator=(DeviceLock&& other) noexcept;
    ~DeviceLock();

private:
    explicit DeviceLock(int descriptor);
    int m_descriptor = -1;
};

} // namespace gks
