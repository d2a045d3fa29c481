// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/files.h"
#include "core/judge/protocol.h"
#include "core/report/manifest.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Checking a bundle again, from nothing but itself. Everything in it is hostile: it is read once, bounded, and never
// followed as a path.
namespace gks {

struct Bundle {
    BundleFiles files; // without the manifest
    Manifest manifest;
    std::vector<std::string> damage; // "report.html: was changed", "extra.txt: is not listed"
};
// An error when there is no bundle at all. `root`: as it was printed or published, to be compared with.
Result<Bundle> readBundle(const std::filesystem::path& folder, const std::optional<std::string>& root = {});

struct RecordedVerdict {
    std::string path; // in the bundle
    std::string kernel;
    std::string purpose;
    Verdict verdict;
    std::string source;
    std::optional<std::string> baselineSource;
};

struct BundleCheck {
    std::string root;
    std::vector<RecordedVerdict> verdicts;
    std::vector<std::string> differences;
    std::vector<std::string> unchecked;
    std::optional<std::size_t> subject; // the verdict that the claim rests on
};
// Hashes, sources and every verdict computed again.
BundleCheck checkBundle(const Bundle& bundle);

// Asks for the recorded evaluation again, from the bundle's own pack, which is written to `place`. The pack's
// reference.cpp is code that runs outside of the sandbox: unless it and its problem.toml are those of a built-in pack,
// or it is explicitly trusted, this refuses.
Result<EvaluationRequest> requestAgain(const Bundle& bundle, const RecordedVerdict& recorded,
                                       const std::filesystem::path& place, bool trustReference);
// Whether the problem.h of the bundle is what this version makes of its pack, which lies in `place`; says what is not.
std::vector<std::string> checkHeader(const Bundle& bundle, const std::filesystem::path& place);
// The name of the built-in pack with the same manifest and reference.
std::optional<std::string> builtinPackOf(const Bundle& bundle);

// What a new evaluation says about a recorded one.
struct Reproduction {
    std::vector<std::string> differences; // these speak against the record
    std::vector<std::string> notes;       // times, and how far they may be compared
};
Reproduction compareAgain(const Verdict& recorded, const Verdict& again);

} // namespace gks
