// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/local_socket.h"

#include "core/base/files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr int waitingConnections = 128; // who finds it full is refused at once

// The address of a socket has room for 107 bytes, a path has more: it is named through its open folder.
struct SocketAddress {
    FileDescriptor folder;
    sockaddr_un address = {};
    const sockaddr* get() const {
        return reinterpret_cast<const sockaddr*>(&address); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    }
};
Result<SocketAddress> addressOf(const fs::path& socket) {
    SocketAddress made{FileDescriptor(::open(socket.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))};
    const std::string path = fmt::format("/proc/self/fd/{}/{}", made.folder.number(), socket.filename().string());
    if (made.folder.number() < 0 || path.size() >= sizeof made.address.sun_path) {
        return infrastructureError(fmt::format("cannot be reached: {}", systemMessage(errno)), socket.string());
    }
    made.address.sun_family = AF_UNIX;
    std::memcpy(made.address.sun_path, path.c_str(), path.size() + 1);
    return made;
}

bool isOwn(int connection) {
    ucred peer = {};
    socklen_t size = sizeof peer;
    return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

FileDescriptor freshSocket() {
    return FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

} // namespace

Result<FileDescriptor> listenAt(const fs::path& socket) {
    GKS_TRY(makeDirectories(socket.parent_path()));
    std::error_code ignored;
    fs::permissions(socket.parent_path(), fs::perms::owner_all, ignored);
    fs::remove(socket, ignored);
    GKS_TRY_ASSIGN(const SocketAddress address, addressOf(socket));
    FileDescriptor listening = freshSocket();
    if (listening.number() < 0 || ::bind(listening.number(), address.get(), sizeof address.address) != 0) {
        return infrastructureError(fmt::format("cannot listen: {}", systemMessage(errno)), socket.string());
    }
    fs::permissions(socket, fs::perms::owner_read | fs::perms::owner_write, ignored);
    if (::listen(listening.number(), waitingConnections) != 0) {
        return infrastructureError(fmt::format("cannot listen: {}", systemMessage(errno)), socket.string());
    }
    return listening;
}

Result<FileDescriptor> acceptOwn(const FileDescriptor& listening) {
    FileDescriptor connection(::accept4(listening.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (connection.number() < 0 || !isOwn(connection.number())) {
        return infrastructureError("nobody of this user's has connected");
    }
    return connection;
}

Result<FileDescriptor> connectTo(const fs::path& socket) {
    GKS_TRY_ASSIGN(const SocketAddress address, addressOf(socket));
    FileDescriptor connection = freshSocket();
    if (connection.number() < 0 || ::connect(connection.number(), address.get(), sizeof address.address) != 0) {
        return infrastructureError(fmt::format("cannot be reached: {}", systemMessage(errno)), socket.string());
    }
    if (!isOwn(connection.number())) {
        return infrastructureError("another user's program listens there", socket.string());
    }
    return connection;
}

} // namespace gks
