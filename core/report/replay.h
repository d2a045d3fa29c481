// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/judge/protocol.h"
#include "core/report/claim.h"
#include "core/report/evidence.h"
#include "core/report/manifest.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Checking a bundle again. Everything in it is hostile: it is read once, bounded, and never followed as a path.
namespace gks {

struct Bundle {
    BundleFiles files; // without the manifest
    Manifest manifest;
    std::vector<std::string> damage; // "report.html: was changed", "extra.txt: is not listed"
};
// An error when there is no bundle at all. `root`: as it was printed or published, to be compared with.
Result<Bundle> readBundle(const std::filesystem::path& folder, const std::optional<std::string>& root = {});

struct BundleCheck {
    std::string root;
    std::vector<EvidenceItem> verdicts; // by evaluation
    Claims claims;
    std::optional<std::size_t> subject; // the verdict that the claim rests on
};
// Hashes, sources, pages, and every verdict computed again from its samples. Whoever makes a whole bundle can invent
// samples that fit; only a new evaluation shows that.
BundleCheck checkBundle(const Bundle& bundle);

// Asks for the recorded evaluation again, with its launch plans where the bundle has them: these are executed, and the
// planner asks the sources for theirs; from the bundle's own pack, which is written to `place`; measures for as long as
// it did, and not shorter than usual. The pack may be anyone's: who runs the request asks first whether it is trusted,
// unless builtinPackOf() knows it.
Result<EvaluationRequest> requestAgain(const Bundle& bundle, const EvidenceItem& recorded,
                                       const std::filesystem::path& place);
// The name of the built-in pack with the same manifest and reference.
std::optional<std::string> builtinPackOf(const Bundle& bundle);

// What a new evaluation says about a recorded one. On the device of the record it decides; on another one the claim was
// not tested.
Claims compareAgain(const Verdict& recorded, const Verdict& again, const std::string& where);

} // namespace gks
