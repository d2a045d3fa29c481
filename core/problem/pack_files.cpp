// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/pack_files.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t packFileLimit = 4096; // of a pack
constexpr std::size_t packBytesLimit = std::size_t{256} << 20;
constexpr std::size_t packNameLimitBytes = 200;

tl::unexpected<Error> packTooLarge(const fs::path& folder) {
    return usageError(
        fmt::format("a problem pack has at most {} files and {} MiB", packFileLimit, packBytesLimit >> 20),
        folder.string(), "Put the pack into a folder of its own");
}

Result<std::vector<fs::path>> packFilesBelow(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code code;
    const auto options = fs::directory_options::follow_directory_symlink;
    std::size_t seen = 0;
    for (fs::recursive_directory_iterator at(folder, options, code), end; !code && at != end; at.increment(code)) {
        if (++seen > packFileLimit) {
            return packTooLarge(folder);
        }
        std::error_code ignored;
        if (at->is_regular_file(ignored)) {
            files.push_back(at->path());
        }
    }
    if (code) {
        return usageError(fmt::format("the folder of the problem pack cannot be read: {}", code.message()),
                          folder.string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Both of one length: a name may hold anything, also what looks like the lines of other files.
std::string packLineOf(const PackFile& file) {
    return sha256Hex(file.content) + sha256Hex(file.name);
}

} // namespace

// Nothing hidden, nothing that leads elsewhere.
bool isPackFileName(std::string_view name) {
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    const std::vector<std::string> parts = split(name, '/');
    return name.size() <= packNameLimitBytes && std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
               return !part.empty() && part.front() != '.' && std::all_of(part.begin(), part.end(), isPlain);
           });
}

Result<void> visitPackFiles(const fs::path& folder, const std::function<void(PackFile)>& visit) {
    GKS_TRY_ASSIGN(const std::vector<fs::path> files, packFilesBelow(folder));
    std::size_t bytes = 0;
    for (const fs::path& file : files) {
        GKS_TRY_ASSIGN(std::string content, readFile(file, packBytesLimit));
        bytes += content.size();
        if (bytes > packBytesLimit) {
            return packTooLarge(folder);
        }
        visit({file.lexically_relative(folder).string(), std::move(content)});
    }
    return {};
}

Result<std::vector<PackFile>> readPackFiles(const fs::path& folder) {
    std::vector<PackFile> files;
    GKS_TRY(visitPackFiles(folder, [&](PackFile file) { files.push_back(std::move(file)); }));
    return files;
}

Result<std::string> packContentSha256(const fs::path& folder) {
    std::string list;
    GKS_TRY(visitPackFiles(folder, [&](const PackFile& file) { list += packLineOf(file); }));
    return sha256Hex(list);
}

std::string packContentSha256(std::vector<PackFile> files) {
    std::sort(files.begin(), files.end(),
              [](const PackFile& a, const PackFile& b) { return fs::path(a.name) < fs::path(b.name); });
    std::string list;
    for (const PackFile& file : files) {
        list += packLineOf(file);
    }
    return sha256Hex(list);
}

Result<void> checkPackFiles(const std::vector<PackFile>& files) {
    std::set<std::string> names;
    for (const PackFile& file : files) {
        if (!isPackFileName(file.name) || !names.insert(file.name).second) {
            return usageError(fmt::format("a problem pack has a file called {}", quotation(file.name)), {},
                              "Name its files with letters, digits, '_', '-' and '.'");
        }
        if (sanitizedUtf8(file.content) != file.content) {
            return usageError("a file of a problem pack is no UTF-8 text", file.name, "Take it out of the pack");
        }
    }
    return files.empty() || files.size() > packFileLimit
               ? Result<void>(usageError("a problem pack has no files or too many"))
               : Result<void>();
}

Result<void> writePackFiles(const std::vector<PackFile>& files, const fs::path& folder) {
    GKS_TRY(checkPackFiles(files));
    for (const PackFile& file : files) {
        GKS_TRY(makeDirectories((folder / file.name).parent_path()));
        GKS_TRY(writeFileAtomically(folder / file.name, file.content));
    }
    return {};
}

} // namespace gks
