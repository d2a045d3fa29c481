// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/planner/capture/recorder.h"

// Copies and fills. Bytes of the host are taken when the copy is called: pageable memory may be changed as soon as the
// call has returned, and who changes pinned memory before the copy is over has a race.
namespace gks::capture {

struct Rows {
    std::size_t toPitch;
    std::size_t fromPitch;
    std::size_t widthBytes;
    std::size_t height;
};
Rows oneRow(std::size_t sizeBytes);
bool isRows(const Rows& rows);

[[noreturn]] void refuseReading(const Call& call);

// On the null stream; the host waits for it.
hipcpu::HipError copyAndWait(const Call& call, void* to, const void* from, const Rows& rows,
                             hipcpu::HipMemcpyKind kind);
hipcpu::HipError copyOn(const Call& call, void* to, const void* from, const Rows& rows, hipcpu::HipMemcpyKind kind,
                        hipcpu::HipStream handle);
hipcpu::HipError fill(const Call& call, void* to, std::uint32_t value, std::uint32_t elementBytes, std::size_t count,
                      hipcpu::HipStream handle);
hipcpu::HipError fillRows(const Call& call, void* to, std::size_t pitch, int value, std::size_t width,
                          std::size_t height, hipcpu::HipStream handle);

// Between a variable and memory.
hipcpu::HipError copySymbolOn(const Call& call, const void* symbol, const void* memory, std::size_t sizeBytes,
                              std::size_t offsetBytes, hipcpu::HipMemcpyKind kind, hipcpu::HipStream handle,
                              bool toSymbol);
hipcpu::HipError copySymbolAndWait(const Call& call, const void* symbol, const void* memory, std::size_t sizeBytes,
                                   std::size_t offsetBytes, hipcpu::HipMemcpyKind kind, bool toSymbol);

} // namespace gks::capture
