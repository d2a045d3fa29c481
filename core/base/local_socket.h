// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/regular_file.h"
#include "core/base/result.h"

#include <filesystem>

namespace gks {

// Unix sockets that only programs of this user reach, under a path of any length. One that is there already is
// replaced; its folder is made, for this user alone.
Result<FileDescriptor> listenAt(const std::filesystem::path& socket);
// Of who has connected; nothing when nobody waits, or when it is another user's program.
Result<FileDescriptor> acceptOwn(const FileDescriptor& listening);
Result<FileDescriptor> connectTo(const std::filesystem::path& socket);

} // namespace gks
