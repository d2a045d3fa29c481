// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <span>

namespace gks {

// A segment of memory that both processes see.
class SharedMemory {
public:
    static Result<SharedMemory> create(const char* name, std::size_t sizeBytes);
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    ~SharedMemory();

    // From now on nobody else can map it writable.
    Result<void> sealForOthers();
    // Has the system put memory behind it now, by all cores; a first write to each page later would be much slower.
    void populate();
    int descriptor() const { return m_descriptor; }
    std::span<std::byte> bytes() const { return {m_data, m_sizeBytes}; }

private:
    SharedMemory() = default;
    int m_descriptor = -1;
    std::byte* m_data = nullptr;
    std::size_t m_sizeBytes = 0;
};

} // namespace gks
