// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// A problem pack as the files that it is: for who asks whether it is still the same, and for who carries it to another
// machine.
namespace gks {

struct PackFile {
    std::string name; // below the folder of the pack: "seeds/naive.hip"
    std::string content;
};

// Every file below the folder, through links as well: what they lead to is what is read. Fails when the folder cannot
// be read or holds more than any pack does.
Result<void> visitPackFiles(const std::filesystem::path& folder, const std::function<void(PackFile)>& visit);
Result<std::vector<PackFile>> readPackFiles(const std::filesystem::path& folder);

// SHA-256 over names and contents, in the order in which they are visited.
Result<std::string> packContentSha256(const std::filesystem::path& folder);
// The same of files that were carried here, in the order of their names.
std::string packContentSha256(std::vector<PackFile> files);

// Puts files that may be anybody's into an empty folder. Names that are no plain names below it are refused, and so is
// a name that comes twice.
Result<void> writePackFiles(const std::vector<PackFile>& files, const std::filesystem::path& folder);
// Whether a name leads to a file below a pack: letters, digits, '_', '-' and '.', which does not begin a part.
bool isPackFileName(std::string_view name);
// Why these files cannot be carried: a name as above, or a content that is no UTF-8 text.
Result<void> checkPackFiles(const std::vector<PackFile>& files);

} // namespace gks
