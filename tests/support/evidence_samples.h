// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"
#include "core/report/claim.h"
#include "core/report/manifest.h"

#include <filesystem>
#include <functional>

// Verdicts that are what the judge would have said of their samples, and bundles to damage.
namespace gks::test {

// `ratio`: how much faster than the baseline its samples are; without a baseline there is no comparison.
Verdict honestVerdict(const std::string& source, double us, const std::string* baseline = nullptr, double ratio = 1,
                      TargetKind target = TargetKind::cpu);
// Everything that follows from the samples, as the judge would have it.
void concludeAgain(Verdict& verdict);
// A campaign on a built-in pack: two seeds, a faster kernel, one that is wrong, an exchange, a confirmation. `hostile`
// is put wherever text of a model or a compiler may stand.
void makeEvidenceCampaign(const std::filesystem::path& file, const std::string& hostile = "harmless");

// As if a newer version had written the launch plans of this evaluation.
void makePlansUnreadable(const std::filesystem::path& file, std::int64_t evaluation);

// The claims that differ or were not tested, one a line: "file: what: claimed | found (why)".
std::string claimLines(const Claims& claims);

BundleFiles readAll(const std::filesystem::path& folder);
// The manifest made again for what lies there now, as a forger would.
void forgeManifest(const std::filesystem::path& folder);
// The pages too, as a forger would who has this program's source.
void forgeEverything(const std::filesystem::path& folder);
void editVerdict(const std::filesystem::path& file, const std::function<void(Verdict&)>& edit);
void replaceInFile(const std::filesystem::path& file, const std::string& from, const std::string& to);

} // namespace gks::test
