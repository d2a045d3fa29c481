// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/quantity.h"
#include "core/base/regular_file.h"
#include "core/base/text.h"
#include "core/report/replay.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t filesLimit = 50000;
constexpr std::size_t fileLimitBytes = std::size_t{64} << 20;
constexpr std::size_t totalLimitBytes = std::size_t{1} << 30;
constexpr std::size_t folderDepthLimit = 8;

std::string shown(std::string_view path) {
    return abbreviated(sanitizedUtf8(path), 200);
}

// Reads what lies below a folder through descriptors, so that nothing can be exchanged for a link on the way: no link
// is followed, and what is neither a folder nor a plain file is not even opened for reading.
class FolderReader {
public:
    explicit FolderReader(Bundle& bundle) : m_bundle(bundle) {}

    // `parent`: of an open folder; `prefix`: its path in the bundle with a slash behind it.
    Result<void> read(int parent, const std::string& prefix, std::size_t depth) {
        const std::unique_ptr<DIR, void (*)(DIR*)> folder(::fdopendir(parent), [](DIR* open) { ::closedir(open); });
        if (!folder) {
            const int error = errno;
            ::close(parent);
            return infrastructureError("cannot read: " + systemMessage(error), shown(prefix));
        }
        while (const dirent* entry = ::readdir(folder.get())) {
            const std::string name = entry->d_name;
            if (name == "." || name == "..") {
                continue;
            }
            if (++m_seen > filesLimit) {
                return usageError(fmt::format("too many files (limit {})", filesLimit));
            }
            GKS_TRY(readEntry(::dirfd(folder.get()), name, prefix + name, depth));
        }
        return {};
    }

private:
    Result<void> readEntry(int parent, const std::string& name, const std::string& path, std::size_t depth) {
        const int file = ::openat(parent, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct stat status = {};
        const bool known = file >= 0 && ::fstat(file, &status) == 0;
        if (file >= 0) {
            ::close(file);
        }
        if (known && S_ISDIR(status.st_mode) && depth < folderDepthLimit) {
            const int folder = ::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            return folder < 0 ? refused(path) : read(folder, path + "/", depth + 1);
        }
        if (!known || !S_ISREG(status.st_mode) || !isBundlePath(path)) {
            return refused(path);
        }
        return readContent(parent, name, path);
    }

    Result<void> refused(const std::string& path) {
        m_bundle.damage.push_back(shown(path) + ": not a bundle file");
        return {};
    }

    Result<void> readContent(int parent, const std::string& name, const std::string& path) {
        const int file = ::openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat status = {};
        if (file < 0 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
            const int error = errno;
            if (file >= 0) {
                ::close(file);
            }
            return infrastructureError("cannot read: " + systemMessage(error), shown(path));
        }
        std::string content;
        std::string chunk(std::size_t{1} << 16, '\0');
        ssize_t got = 0;
        while (content.size() <= fileLimitBytes && m_totalBytes + content.size() <= totalLimitBytes &&
               (got = ::read(file, chunk.data(), chunk.size())) > 0) {
            content.append(chunk.data(), static_cast<std::size_t>(got));
        }
        const int error = errno;
        ::close(file);
        if (got < 0) {
            return infrastructureError("cannot read: " + systemMessage(error), shown(path));
        }
        m_totalBytes += content.size();
        if (content.size() > fileLimitBytes || m_totalBytes > totalLimitBytes) {
            return usageError(fmt::format("a bundle has at most {} in a file and {} in all",
                                          formatBytes(fileLimitBytes), formatBytes(totalLimitBytes)),
                              shown(path));
        }
        m_bundle.files.emplace(path, std::move(content));
        return {};
    }

    Bundle& m_bundle;
    std::size_t m_seen = 0;
    std::size_t m_totalBytes = 0;
};

void compareHashes(Bundle& bundle) {
    std::vector<ManifestEntry> listed = bundle.manifest.files;
    listed.insert(listed.end(), bundle.manifest.reports.begin(), bundle.manifest.reports.end());
    std::sort(listed.begin(), listed.end(),
              [](const ManifestEntry& a, const ManifestEntry& b) { return a.path < b.path; });
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const auto file = bundle.files.find(listed[i].path);
        if (i > 0 && listed[i - 1].path == listed[i].path) {
            bundle.damage.push_back(listed[i].path + ": is listed twice");
        } else if (file == bundle.files.end()) {
            bundle.damage.push_back(listed[i].path + ": is missing");
        } else if (sha256Hex(file->second) != listed[i].sha256 || file->second.size() != listed[i].sizeBytes) {
            bundle.damage.push_back(listed[i].path + ": was changed");
        }
    }
    for (const auto& [path, content] : bundle.files) {
        const bool known = std::binary_search(listed.begin(), listed.end(), ManifestEntry{path, {}, 0},
                                              [](const auto& a, const auto& b) { return a.path < b.path; });
        if (!known) {
            bundle.damage.push_back(path + ": is not listed in the manifest");
        }
    }
}

} // namespace

Result<Bundle> readBundle(const fs::path& folder, const std::optional<std::string>& root) {
    std::error_code code;
    if (const std::string kind = specialFile(folder); !kind.empty() && !fs::is_directory(folder, code)) {
        return usageError(fmt::format("is {}, not a folder", kind), folder.string(),
                          "Use the folder that contains manifest.json");
    }
    const int open = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open < 0) {
        return usageError("folder not found", folder.string(), "Use the folder that contains manifest.json");
    }
    Bundle bundle;
    GKS_TRY(FolderReader(bundle).read(open, "", 0));
    const auto file = bundle.files.find(manifestName);
    if (file == bundle.files.end()) {
        return usageError("not an evidence bundle (no manifest.json)", folder.string());
    }
    auto manifest = manifestFromText(file->second);
    bundle.files.erase(file);
    if (!manifest) {
        bundle.damage.push_back(manifest.error().message());
        return bundle;
    }
    bundle.manifest = std::move(*manifest);
    compareHashes(bundle);
    const std::string own = bundle.manifest.root();
    for (const ManifestEntry& report : bundle.manifest.reports) {
        const auto found = bundle.files.find(report.path);
        if (found != bundle.files.end() && found->second.find(own) == std::string::npos) {
            bundle.damage.push_back(report.path + ": is the report of other evidence (its root hash differs)");
        }
    }
    if (root && *root != own) {
        bundle.damage.push_back(fmt::format("the root hash is {}, not {}", own, shown(*root)));
    }
    return bundle;
}

} // namespace gks
