// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"

#include <optional>
#include <string>

namespace gks::cli {

// A campaign that this process writes to, put in order by the last thing that the process does: what lies in SQLite's
// log goes into the file, over a connection of its own, whatever the other connections of the process are busy with.
// Nobody can add to the log afterwards, as long as this lives.
class LastFold {
public:
    explicit LastFold(std::string file) : m_file(std::move(file)) {}
    // A sentence for the person when part of the campaign stays in the log; empty when the file is whole, or is not
    // this process's. Takes half a second at most, unless the disk hangs.
    std::string put();
    std::string unfinished() const;

private:
    std::string m_file;
    std::optional<Database> m_database;
};

// For who had the campaign open and has closed it: why the file alone is not all of it. Empty when it is.
std::string whyNotWhole(const std::string& file);

} // namespace gks::cli
