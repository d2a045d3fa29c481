// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"

#include <cstddef>
#include <memory>

namespace gks::hipcpu {

// Device memory that a node of a graph asks for. Its address is told when the node is added, so it is there from then
// on, until the last node that names it is gone or the program frees it: HIP promises nothing of what lies in it
// before the node of its allocation nor behind the one that frees it.
class GraphMemory {
public:
    // Null when the system has no memory.
    static std::shared_ptr<GraphMemory> allocate(const HipMemAllocNodeParams& asked);
    // The one that begins there.
    static std::shared_ptr<GraphMemory> find(const void* data);
    // The program has freed it.
    static void forget(const void* data);
    // Of all of it, now and at most.
    static std::size_t usedBytes();
    static std::size_t mostUsedBytes();
    static void resetMostUsed();

    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    const HipMemAllocNodeParams& asked() const { return m_asked; } // with its address

private:
    explicit GraphMemory(const HipMemAllocNodeParams& asked) : m_asked(asked) {}

    HipMemAllocNodeParams m_asked;
};

} // namespace gks::hipcpu
