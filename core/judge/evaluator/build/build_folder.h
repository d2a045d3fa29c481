// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"

namespace gks {

// The folder of one build, or of a runner with its module, held by a lock for as long as it is used. The destructor
// removes it; what an evaluator that was killed has left behind is removed by the next one, which finds the lock free.
class BuildFolder {
public:
    static Result<BuildFolder> create();
    BuildFolder(BuildFolder&& other) noexcept;
    BuildFolder& operator=(BuildFolder&&) = delete;
    ~BuildFolder();

    const std::filesystem::path& path() const { return m_folder.path(); }

private:
    BuildFolder(TemporaryDirectory folder, int lock) : m_folder(std::move(folder)), m_lock(lock) {}
    TemporaryDirectory m_folder;
    int m_lock;
};

// Removes build folders that nobody holds; those younger than a minute may be about to be locked.
void removeAbandonedBuildFolders();

} // namespace gks
