// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/manifest.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/json_fields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr const char* formatName = "gks-evidence 2";
constexpr std::size_t pathLimitBytes = 200;
constexpr std::size_t depthLimit = 4;

OrderedJson toJson(const std::vector<ManifestEntry>& entries) {
    OrderedJson json = OrderedJson::array();
    for (const ManifestEntry& entry : entries) {
        json.push_back({{"path", entry.path}, {"sha256", entry.sha256}, {"bytes", entry.sizeBytes}});
    }
    return json;
}

// What the root stands for.
OrderedJson evidenceJson(const Manifest& manifest) {
    return {{"format", formatName},      {"program", manifest.program}, {"problem", manifest.problem},
            {"target", manifest.target}, {"subject", manifest.subject}, {"files", toJson(manifest.files)}};
}

Result<std::vector<ManifestEntry>> readEntries(FieldReader& fields, const char* key) {
    std::vector<ManifestEntry> entries;
    const Json* array = fields.array(key);
    GKS_TRY(fields.finish());
    for (const Json& element : array != nullptr ? *array : Json::array()) {
        ManifestEntry entry;
        FieldReader inner(element, key);
        inner.read("path", entry.path);
        inner.read("sha256", entry.sha256);
        inner.read("bytes", entry.sizeBytes);
        GKS_TRY(inner.finish());
        if (!isBundlePath(entry.path)) {
            return usageError("lists a path that no bundle has: " + abbreviated(sanitizedUtf8(entry.path), 80),
                              manifestName);
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace

std::string dumped(const OrderedJson& json) {
    return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string Manifest::root() const {
    return sha256Hex(dumped(evidenceJson(*this)));
}

std::string Manifest::text() const {
    OrderedJson json = evidenceJson(*this);
    json["root"] = root();
    json["reports"] = toJson(reports);
    return dumped(json);
}

std::vector<ManifestEntry> entriesOf(const BundleFiles& files) {
    std::vector<ManifestEntry> entries;
    for (const auto& [path, content] : files) {
        entries.push_back({path, sha256Hex(content), content.size()});
    }
    return entries;
}

Result<Manifest> manifestFromText(const std::string& text) {
    GKS_TRY_ASSIGN(const Json json, parseJson(text, manifestName));
    Manifest manifest;
    std::string format;
    FieldReader fields(json, manifestName);
    fields.require("format");
    fields.read("format", format);
    fields.read("program", manifest.program);
    fields.read("problem", manifest.problem);
    fields.read("target", manifest.target);
    fields.read("subject", manifest.subject);
    GKS_TRY_ASSIGN(manifest.files, readEntries(fields, "files"));
    GKS_TRY_ASSIGN(manifest.reports, readEntries(fields, "reports"));
    if (format != formatName) {
        return usageError("is of another format: " + abbreviated(sanitizedUtf8(format), 80), manifestName,
                          "Replay it with the version that wrote it");
    }
    if (manifest.text() != text) {
        return usageError("was changed after it was written", manifestName);
    }
    return manifest;
}

bool isBundlePath(std::string_view path) {
    if (path.empty() || path.size() > pathLimitBytes) {
        return false;
    }
    const std::vector<std::string> parts = split(path, '/');
    return parts.size() <= depthLimit && std::all_of(parts.begin(), parts.end(), [](const std::string& part) {
               return !part.empty() && part.front() != '.' && std::all_of(part.begin(), part.end(), [](char c) {
                   return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
                          c == '_' || c == '-';
               });
           });
}

} // namespace gks
