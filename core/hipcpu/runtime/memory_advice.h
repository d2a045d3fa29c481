// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace gks::hipcpu {

// What host code has said of ranges of memory. Nothing follows from it here, where all memory is in one place, but a
// program may ask for it again. Thread-safe.
class MemoryAdvice {
public:
    static constexpr int host = -1, nowhere = -2; // beside devices: hipCpuDeviceId, hipInvalidDeviceId

    struct Facts {
        bool isReadMostly = false;
        bool isAccessedByHost = false;
        bool isAccessedByDevice = false;
        bool isCoarseGrained = false;
        int preferredLocation = nowhere;
        int prefetchedTo = nowhere;

        bool operator==(const Facts&) const = default;
    };

    static MemoryAdvice& instance();

    void change(const void* begin, std::size_t sizeBytes, const std::function<void(Facts&)>& how);
    void forget(const void* begin, std::size_t sizeBytes); // it has been freed
    // Of the range piece by piece; not empty.
    std::vector<Facts> of(const void* begin, std::size_t sizeBytes) const;

private:
    struct Piece {
        const char* end = nullptr;
        Facts facts;
    };
    void split(const char* at);

    mutable std::mutex m_mutex;
    std::map<const char*, Piece> m_pieces; // by their beginnings; none overlap
};

} // namespace gks::hipcpu
