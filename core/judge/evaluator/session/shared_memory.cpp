// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/shared_memory.h"

#include "core/problem/parallel_ranges.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace gks {
namespace {

constexpr std::size_t populateLimitBytes = std::size_t{2} << 30;
constexpr std::int64_t populatePieceBytes = std::int64_t{8} << 20;

} // namespace

Result<SharedMemory> SharedMemory::create(const char* name, std::size_t sizeBytes) {
    SharedMemory memory;
    memory.m_descriptor = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory.m_descriptor < 0 || ::ftruncate(memory.m_descriptor, static_cast<off_t>(sizeBytes)) != 0) {
        return infrastructureError(fmt::format("no shared memory of {} bytes: {}", sizeBytes, systemMessage(errno)));
    }
    void* at = ::mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.m_descriptor, 0);
    if (at == MAP_FAILED) {
        return infrastructureError(fmt::format("no shared memory of {} bytes: {}", sizeBytes, systemMessage(errno)));
    }
    memory.m_data = static_cast<std::byte*>(at);
    memory.m_sizeBytes = sizeBytes;
    ::fcntl(memory.m_descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW); // a shrunk file would make our reads fault
    return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_data(std::exchange(other.m_data, nullptr))
    , m_sizeBytes(std::exchange(other.m_sizeBytes, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_data, other.m_data);
    std::swap(m_sizeBytes, other.m_sizeBytes);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (m_data != nullptr) {
        ::munmap(m_data, m_sizeBytes);
    }
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

void SharedMemory::populate() {
    const std::size_t bytes = std::min(m_sizeBytes, populateLimitBytes);
    forRanges(static_cast<std::int64_t>(bytes), populatePieceBytes, [this](std::int64_t begin, std::int64_t end) {
        ::madvise(m_data + begin, static_cast<std::size_t>(end - begin), MADV_POPULATE_WRITE); // if it can
    });
}

Result<void> SharedMemory::sealForOthers() {
    if (::fcntl(m_descriptor, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0) {
        return infrastructureError(fmt::format("shared memory cannot be sealed: {}", systemMessage(errno)));
    }
    return {};
}

} // namespace gks
