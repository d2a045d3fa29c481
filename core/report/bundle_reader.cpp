// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/regular_file.h"
#include "core/base/text.h"
#include "core/report/replay.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t filesLimit = 50000;
constexpr std::size_t fileLimitBytes = std::size_t{64} << 20;
constexpr std::size_t totalLimitBytes = std::size_t{1} << 30;

std::string shown(std::string_view path) {
    return abbreviated(sanitizedUtf8(path), 200);
}

// Everything below the folder. What is no plain file is damage: a link could show another file to every reader.
Result<void> readFiles(const fs::path& folder, Bundle& bundle) {
    std::error_code code;
    std::size_t totalBytes = 0;
    std::size_t seen = 0;
    for (fs::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
        const std::string path = at->path().lexically_relative(folder).generic_string();
        if (++seen > filesLimit) {
            return usageError(fmt::format("holds more than {} files", filesLimit), folder.string());
        }
        const fs::file_status status = at->symlink_status(code);
        if (fs::is_directory(status)) {
            continue;
        }
        if (!fs::is_regular_file(status) || !isBundlePath(path)) {
            bundle.damage.push_back(shown(path) + ": no bundle holds such a file");
            continue;
        }
        GKS_TRY_ASSIGN(std::string content, readFile(at->path(), fileLimitBytes));
        totalBytes += content.size();
        if (totalBytes > totalLimitBytes) {
            return usageError(fmt::format("holds more than {} bytes", totalLimitBytes), folder.string());
        }
        bundle.files.emplace(path, std::move(content));
    }
    return code ? Result<void>(infrastructureError("cannot read: " + code.message(), folder.string())) : Result<void>();
}

void checkFiles(Bundle& bundle) {
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
        return usageError(fmt::format("is {}, a folder is needed", kind), folder.string(),
                          "Give the folder that holds manifest.json");
    }
    if (!fs::is_directory(folder, code)) {
        return usageError("there is no such folder", folder.string(), "Give the folder that holds manifest.json");
    }
    Bundle bundle;
    GKS_TRY(readFiles(folder, bundle));
    const auto file = bundle.files.find(manifestName);
    if (file == bundle.files.end()) {
        return usageError("is no evidence bundle: it has no manifest.json", folder.string());
    }
    auto manifest = manifestFromText(file->second);
    bundle.files.erase(file);
    if (!manifest) {
        bundle.damage.push_back(manifest.error().message());
        return bundle;
    }
    bundle.manifest = std::move(*manifest);
    checkFiles(bundle);
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
