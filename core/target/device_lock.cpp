// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/device_lock.h"

#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/base/text.h"

#include <array>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds lookInterval(100);

// The file stays when it is free, and whoever made it owns it: for others to lock it, reading is enough.
int openFile(const fs::path& path) {
    const int flags = O_CLOEXEC | O_NOFOLLOW;
    for (const int access : {O_RDWR | O_CREAT, O_RDWR, O_RDONLY}) {
        const int descriptor = ::open(path.c_str(), access | flags, 0644);
        if (descriptor >= 0 || errno == ELOOP) {
            return descriptor;
        }
    }
    return -1;
}

std::string holder(int descriptor) {
    std::array<char, 64> text{};
    const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
    return got > 0 ? sanitizedUtf8(std::string(text.data(), static_cast<std::size_t>(got)))
                   : std::string("another process");
}

void writeHolder(int descriptor) {
    // For people only: a lock without its text still locks.
    const std::string text = fmt::format("process {}", ::getpid());
    if (::ftruncate(descriptor, 0) == 0) {
        [[maybe_unused]] const ssize_t put = ::pwrite(descriptor, text.data(), text.size(), 0);
    }
}

// Somebody may have cleaned the folder up between our opening and our locking.
bool isStillThere(const fs::path& path, int descriptor) {
    struct stat opened = {};
    struct stat named = {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

} // namespace

DeviceLock::DeviceLock(int descriptor) : m_descriptor(descriptor) {}
DeviceLock::DeviceLock(DeviceLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
DeviceLock& DeviceLock::operator=(DeviceLock&& other) noexcept {
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}
DeviceLock::~DeviceLock() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

fs::path DeviceLock::pathFor(const Device& device) {
    std::string identity = lowered(device.identity);
    for (char& c : identity) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    }
    return sharedLockFolder() / fmt::format("kernel-scientist-{}-{}.lock", name(device.target), identity);
}

Result<DeviceLock> DeviceLock::take(const Device& device, const Waiting& waiting) {
    if (device.identity.empty()) {
        return DeviceLock(-1);
    }
    const fs::path path = pathFor(device);
    const auto deadline = Clock::now() + waiting.bound;
    for (bool told = false;;) {
        const int descriptor = openFile(path);
        if (descriptor < 0) {
            return infrastructureError(fmt::format("cannot open the lock of {}: {}", device.name, systemMessage(errno)),
                                       path.string());
        }
        DeviceLock lock(descriptor);
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
            if (isStillThere(path, descriptor)) {
                writeHolder(descriptor);
                return lock;
            }
            continue;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return infrastructureError(fmt::format("cannot lock {}: {}", device.name, systemMessage(errno)),
                                       path.string());
        }
        const std::string who = holder(descriptor);
        if (!std::exchange(told, true) && waiting.tell) {
            waiting.tell(fmt::format("waiting for {}: in use by {}", device.name, who));
        }
        if (waiting.stop.stop_requested()) {
            return infrastructureError("cancelled while it waited for the device", device.name);
        }
        if (Clock::now() >= deadline) {
            const auto seconds = std::chrono::duration<double>(waiting.bound).count();
            return infrastructureError(fmt::format("in use by {} for more than {}", who, formatSeconds(seconds)),
                                       device.name, "Wait for it to finish, or choose another device");
        }
        std::this_thread::sleep_for(lookInterval);
    }
}

} // namespace gks
