// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/new_file.h"

#include "core/base/file_beside.h"

#include <cerrno>
#include <sys/file.h>

namespace gks {

Result<std::optional<FileDescriptor>> writeNewFile(const std::filesystem::path& path, std::string_view content) {
    FileBeside beside(path);
    if (beside.write(content) && ::flock(beside.file().number(), LOCK_EX) == 0 && beside.place(path)) {
        return std::optional(std::move(beside.file()));
    }
    const int error = errno;
    return error == EEXIST ? Result<std::optional<FileDescriptor>>(std::nullopt)
                           : tl::unexpected(cannotWrite(path, error));
}

} // namespace gks
