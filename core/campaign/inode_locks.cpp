// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/inode_locks.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr off_t writerByte = 0x4000'1000; // SQLite's end at 0x4000'01ff

FileIdentity identityFrom(const struct stat& status) {
    return {status.st_dev, status.st_ino};
}

struct flock range(short type, off_t start, off_t length) {
    struct flock lock = {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = start;
    lock.l_len = length;
    return lock;
}

// The one description of an inode on which this process locks.
struct LockedInode {
    int descriptor = -1;
    int users = 0;          // SQLite's descriptors that have locked
    bool byProcess = false; // the file system knows POSIX locks only
    fs::path writer = {};   // the name under which the byte is held; empty: it is not
};

class InodeLocks {
public:
    static InodeLocks& instance() {
        static auto& locks = *new InodeLocks; // never destroyed: a thread may close a campaign while the process ends
        return locks;
    }

    int lock(int user, int command, struct flock* wanted) {
        const std::lock_guard guard(m_mutex);
        LockedInode* inode = inodeOf(user);
        struct flock copy = *wanted;
        copy.l_pid = 0; // as locks of descriptions ask for
        if (copy.l_type == F_UNLCK && copy.l_len == 0 && copy.l_start < writerByte) {
            copy.l_len = writerByte - copy.l_start; // SQLite frees the whole file and means its own bytes
        }
        const bool byInode = inode != nullptr && !inode->byProcess;
        int result = byInode ? ::fcntl(inode->descriptor, ofDescription(command), &copy) : -1;
        if (!byInode || (result != 0 && errno == EINVAL)) {
            if (inode != nullptr) {
                inode->byProcess = true;
            }
            result = ::fcntl(user, command, &copy);
        }
        if (command == F_GETLK) {
            *wanted = copy;
        }
        return result;
    }

    int close(int user) {
        const std::lock_guard guard(m_mutex);
        if (const auto at = m_users.find(user); at != m_users.end()) {
            const FileIdentity identity = at->second;
            m_users.erase(at);
            --m_inodes[identity].users;
            closeUnused(identity);
        }
        return ::close(user);
    }

    Result<WriterByte> takeWriter(const fs::path& file, FileIdentity identity) {
        const std::lock_guard guard(m_mutex);
        if (!m_inodes.contains(identity)) {
            const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
            if (descriptor < 0) {
                const int error = errno;
                if (error == EACCES || error == EROFS || error == EPERM) {
                    return WriterByte::notWritable;
                }
                return infrastructureError(fmt::format("cannot open: {}", systemMessage(error)), file.string());
            }
            struct stat opened = {};
            if (::fstat(descriptor, &opened) != 0 || identityFrom(opened) != identity) {
                ::close(descriptor);
                return infrastructureError("was replaced by another file while it was opened", file.string(),
                                           "Try again");
            }
            m_inodes[identity].descriptor = descriptor;
        }
        LockedInode& inode = m_inodes[identity];
        if (!inode.writer.empty()) {
            return WriterByte::held;
        }
        const int error = setWriter(inode, F_WRLCK) ? 0 : errno;
        if (error == 0) {
            inode.writer = file;
            return WriterByte::taken;
        }
        closeUnused(identity);
        if (error == EAGAIN || error == EACCES) {
            return WriterByte::held;
        }
        if (error == EBADF) {
            return WriterByte::notWritable;
        }
        return infrastructureError(fmt::format("cannot lock: {}", systemMessage(error)), file.string());
    }

    void dropWriter(FileIdentity identity) {
        const std::lock_guard guard(m_mutex);
        if (const auto at = m_inodes.find(identity); at != m_inodes.end() && !at->second.writer.empty()) {
            setWriter(at->second, F_UNLCK);
            at->second.writer.clear();
            closeUnused(identity);
        }
    }

    fs::path writerName(FileIdentity identity) {
        const std::lock_guard guard(m_mutex);
        const auto at = m_inodes.find(identity);
        return at != m_inodes.end() ? at->second.writer : fs::path();
    }

    bool isWriterHeldElsewhere(const fs::path& file, FileIdentity identity) {
        const std::lock_guard guard(m_mutex);
        const auto known = m_inodes.find(identity);
        // A file that nobody here has locks on may be opened and closed freely.
        const int own =
            known == m_inodes.end() ? ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
        const int descriptor = own >= 0 ? own : known != m_inodes.end() ? known->second.descriptor : -1;
        struct flock found = range(F_WRLCK, writerByte, 1);
        bool asked = descriptor >= 0 && ::fcntl(descriptor, F_OFD_GETLK, &found) == 0;
        if (descriptor >= 0 && !asked && errno == EINVAL) {
            found = range(F_WRLCK, writerByte, 1);
            asked = ::fcntl(descriptor, F_GETLK, &found) == 0;
        }
        if (own >= 0) {
            ::close(own);
        }
        return asked && found.l_type != F_UNLCK;
    }

private:
    static int ofDescription(int command) {
        return command == F_SETLK ? F_OFD_SETLK : command == F_SETLKW ? F_OFD_SETLKW : F_OFD_GETLK;
    }

    static bool setWriter(LockedInode& inode, short type) {
        struct flock lock = range(type, writerByte, 1);
        if (!inode.byProcess && ::fcntl(inode.descriptor, F_OFD_SETLK, &lock) == 0) {
            return true;
        }
        if (!inode.byProcess && errno != EINVAL) {
            return false;
        }
        inode.byProcess = true;
        return ::fcntl(inode.descriptor, F_SETLK, &lock) == 0;
    }

    // Null when it cannot be told which one it is.
    LockedInode* inodeOf(int user) {
        struct stat status = {};
        if (::fstat(user, &status) != 0) {
            return nullptr;
        }
        const FileIdentity identity = identityFrom(status);
        LockedInode& inode = m_inodes[identity];
        if (inode.descriptor < 0) {
            // A description of its own, which may write when the file lets it: a later writer locks on it too.
            const std::string same = fmt::format("/proc/self/fd/{}", user);
            inode.descriptor = ::open(same.c_str(), O_RDWR | O_CLOEXEC);
            if (inode.descriptor < 0) {
                inode.descriptor = ::open(same.c_str(), O_RDONLY | O_CLOEXEC);
            }
            if (inode.descriptor < 0) {
                m_inodes.erase(identity);
                return nullptr;
            }
        }
        if (m_users.emplace(user, identity).second) {
            ++inode.users;
        }
        return &inode;
    }

    void closeUnused(FileIdentity identity) {
        const auto at = m_inodes.find(identity);
        if (at == m_inodes.end() || at->second.users > 0 || !at->second.writer.empty()) {
            return;
        }
        // A child that has not reached its exec yet still has the description: closing alone would free nothing.
        struct flock everything = range(F_UNLCK, 0, 0);
        ::fcntl(at->second.descriptor, F_OFD_SETLK, &everything);
        ::close(at->second.descriptor);
        m_inodes.erase(at);
    }

    std::mutex m_mutex;
    std::map<FileIdentity, LockedInode> m_inodes;
    std::map<int, FileIdentity> m_users;
};

extern "C" int fcntlByInode(int descriptor, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void* argument = va_arg(arguments, void*);
    va_end(arguments);
    if (command == F_SETLK || command == F_SETLKW || command == F_GETLK) {
        return InodeLocks::instance().lock(descriptor, command, static_cast<struct flock*>(argument));
    }
    return ::fcntl(descriptor, command, argument);
}

extern "C" int closeByInode(int descriptor) {
    return InodeLocks::instance().close(descriptor);
}

void replaceSystemCalls() {
    sqlite3_initialize();
    InodeLocks::instance();
    sqlite3_vfs* files = sqlite3_vfs_find("unix");
    if (files == nullptr || files->iVersion < 3) {
        return; // not a system that has POSIX locks
    }
    files->xSetSystemCall(files, "fcntl", reinterpret_cast<sqlite3_syscall_ptr>(fcntlByInode));
    files->xSetSystemCall(files, "close", reinterpret_cast<sqlite3_syscall_ptr>(closeByInode));
}

} // namespace

std::optional<FileIdentity> identityOf(const fs::path& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(identityFrom(status)) : std::nullopt;
}

void installInodeLocks() {
    static std::once_flag once;
    std::call_once(once, replaceSystemCalls);
}

Result<WriterByte> takeWriterByte(const fs::path& file, FileIdentity identity) {
    return InodeLocks::instance().takeWriter(file, identity);
}
void dropWriterByte(FileIdentity identity) {
    InodeLocks::instance().dropWriter(identity);
}
bool isWriterByteHeld(const fs::path& file) {
    const auto identity = identityOf(file);
    return identity && (!InodeLocks::instance().writerName(*identity).empty() ||
                        InodeLocks::instance().isWriterHeldElsewhere(file, *identity));
}
bool holdsWriterByte(const fs::path& file) {
    const auto identity = identityOf(file);
    return identity && InodeLocks::instance().writerName(*identity) == file;
}

} // namespace gks
