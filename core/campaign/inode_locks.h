// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>

// Locks on a campaign that belong to the file itself, whatever its name, and that nothing else in this process can
// drop.
//
// SQLite locks ranges of bytes with POSIX locks, and a process loses all of its POSIX locks on a file when it closes
// any descriptor of that file: a file dialog that looks what a file is, a document that is read, a copy. The next
// program that closes the campaign takes itself for the last one then, and removes the log with everything that is only
// there. So SQLite's calls to the system are replaced here (sqlite3_vfs.xSetSystemCall): its locks are taken on one
// open file description for each inode (F_OFD_SETLK), which nobody else knows and which is closed with SQLite's last
// descriptor. Other programs see the same bytes locked as before. A file system without such locks gets SQLite's own.
//
// The right to write is one more byte of the same description, far behind the bytes of SQLite and of any content. It is
// seen by every user and every machine that sees SQLite's locks, and dies with the process.
namespace gks {

struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    auto operator<=>(const FileIdentity&) const = default;
};
// The identity of the file at `path`; symbolic links are followed.
std::optional<FileIdentity> identityOf(const std::filesystem::path& path);

// Once for the process, before the first connection; cheap afterwards.
void installInodeLocks();

enum class WriterByte { taken, held, notWritable };
// `held`: by somebody else, or already by this process. `taken` keeps a descriptor open until dropWriterByte().
Result<WriterByte> takeWriterByte(const std::filesystem::path& file, FileIdentity identity);
void dropWriterByte(FileIdentity identity);
// By this process or another one.
bool isWriterByteHeld(const std::filesystem::path& file);
// By this process, under this name.
bool holdsWriterByte(const std::filesystem::path& file);

} // namespace gks
