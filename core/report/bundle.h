// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/evidence.h"
#include "core/report/manifest.h"
#include "core/report/redaction.h"

#include <filesystem>

namespace gks {

struct WrittenBundle {
    std::filesystem::path folder;
    std::string root; // empty: pages alone, since a harness judged and there is nothing to verify
    std::size_t verdicts = 0;
};

// Whether a bundle can be written here: the folder is empty or not there yet.
Result<void> checkBundleFolder(const std::filesystem::path& folder);
// Writes the evidence, report.html, report.md and manifest.json. All of the folder is made or
// none of it; one that holds anything is refused. The same evidence gives the same bytes. Refuses when a source or a
// file of the pack holds a key of this machine: it cannot be removed without changing what was judged.
Result<WrittenBundle> writeBundle(const Evidence& evidence, const std::filesystem::path& folder);

// The root hash that writeBundle() comes to, without a file; refuses what it refuses.
Result<std::string> bundleRoot(const Evidence& evidence);

// What a harness judged has no bundle, and goes out all the same: refused where a source holds a key of this machine.
Result<void> holdsNoSecret(const Evidence& evidence, const std::string& where);

// The evidence as files, without reports and manifest.
Result<BundleFiles> evidenceFiles(const Evidence& evidence, const Redaction& redaction);

// Path of a verdict within a bundle, and of a source.
std::string verdictPath(const EvidenceItem& item);
std::string sourcePath(const std::string& sha256);

} // namespace gks
