// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/carried_packs.h"

#include "core/problem/probe_pack.h"
#include "core/problem/problem.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gks {

OrderedJson packJson(const std::vector<PackFile>& files) {
    OrderedJson json = OrderedJson::object();
    for (const PackFile& file : files) {
        json[file.name] = file.content;
    }
    return json;
}

Result<std::vector<PackFile>> packFromJson(const Json& json, const std::string& where) {
    std::vector<PackFile> files;
    for (const auto& [name, content] : json.items()) {
        if (!content.is_string()) {
            return usageError("a file of the problem pack is no text", where);
        }
        files.push_back({name, content.get<std::string>()});
    }
    GKS_TRY(checkPackFiles(files));
    return files;
}

Result<std::optional<std::string>> CarriedPacks::problemFor(const std::string& name, const std::vector<PackFile>& files,
                                                            bool trusted) {
    const std::string content = packContentSha256(files);
    if (const auto known = m_names.find(content); known != m_names.end()) {
        return known->second;
    }
    GKS_TRY_ASSIGN(std::vector<ProblemPack> builtin, builtinProblems());
    GKS_TRY_ASSIGN(builtin.emplace_back(), loadProblemPack(probePackName));
    const auto same =
        std::find_if(builtin.begin(), builtin.end(), [&](const ProblemPack& pack) { return pack.name == name; });
    if (same != builtin.end()) {
        GKS_TRY_ASSIGN(const std::string here, packContentSha256(same->folder));
        if (here == content) {
            return m_names[content] = name;
        }
    }
    if (!trusted) {
        return std::nullopt;
    }
    GKS_TRY_ASSIGN(TemporaryDirectory folder, TemporaryDirectory::create("gks-pack"));
    GKS_TRY(writePackFiles(files, folder.path()));
    m_folders.push_back(std::move(folder));
    return m_names[content] = m_folders.back().path().string();
}

} // namespace gks
