// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gks {

// What a program behind bubblewrap sees of the file system, every path under its own name. No bind names a link: newer
// versions of bubblewrap refuse one as a place, and in a folder that is shown for reading it may lead out of that
// folder. A link on the way to a path is made again as a link, and what it leads to is shown where it really is.
class BubblewrapView {
public:
    enum class Access { read, write, device };

    // The path must be absolute and exist. Of two demands on the same path the larger one holds; inside a folder that
    // is shown the smaller demand for a part of it holds for that part.
    void show(const std::filesystem::path& path, Access access);
    // Bubblewrap's options, outer folders first.
    std::vector<std::string> arguments() const;

private:
    std::filesystem::path withoutLinks(const std::filesystem::path& path);
    bool isCovered(const std::filesystem::path& path, Access access) const;

    std::map<std::filesystem::path, Access> m_binds;                // by real path; a folder comes before what is in it
    std::map<std::filesystem::path, std::filesystem::path> m_links; // and where each of them leads
};

} // namespace gks
