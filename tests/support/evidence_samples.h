// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"
#include "core/report/manifest.h"

#include <filesystem>

// Verdicts that are what the judge would have said of their samples, and bundles to damage.
namespace gks::test {

// `ratio`: how much faster than the baseline its samples are; without a baseline there is no comparison.
Verdict honestVerdict(const std::string& source, double us, const std::string* baseline = nullptr, double ratio = 1);
// A campaign on a built-in pack: two seeds, a faster kernel, one that is wrong, an exchange, a confirmation. `hostile`
// is put wherever text of a model or a compiler may stand.
void makeEvidenceCampaign(const std::filesystem::path& file, const std::string& hostile = "harmless");

BundleFiles readAll(const std::filesystem::path& folder);
// The manifest made again for what lies there now, as a forger would.
void forgeManifest(const std::filesystem::path& folder);
void replaceInFile(const std::filesystem::path& file, const std::string& from, const std::string& to);

} // namespace gks::test
