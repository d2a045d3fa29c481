// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gks {

// Relative path -> content.
using BundleFiles = std::map<std::string, std::string>;

inline constexpr const char* manifestName = "manifest.json";
// How every JSON file of a bundle is laid out; bytes that are not UTF-8 are replaced.
std::string dumped(const OrderedJson& json);

struct ManifestEntry {
    std::string path;
    std::string sha256;
    std::size_t sizeBytes = 0;
    bool operator==(const ManifestEntry&) const = default;
};

// What a bundle consists of. The root stands for all evidence: it is the SHA-256 of the manifest's text up to and with
// the list of files. The reports name the root, so they are listed beside it.
struct Manifest {
    std::string program; // version that wrote it
    std::string problem;
    std::string target;
    std::string subject; // path of the verdict that the claim rests on, may be empty
    std::vector<ManifestEntry> files;
    std::vector<ManifestEntry> reports;

    std::string root() const;
    std::string text() const; // canonical: the same manifest has one text
};
std::vector<ManifestEntry> entriesOf(const BundleFiles& files);
// Refuses what is not exactly as text() would write it.
Result<Manifest> manifestFromText(const std::string& text);

// "verdicts/00001-1/build.log": bounded, relative, plain characters, no part that begins with a dot.
bool isBundlePath(std::string_view path);

} // namespace gks
