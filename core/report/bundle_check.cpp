// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/report/bundle.h"
#include "core/report/plan_evidence.h"
#include "core/report/recomputation.h"
#include "core/report/record_check.h"
#include "core/report/recorded_evidence.h"
#include "core/report/replay.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

// What this version makes of the evidence, against what the bundle holds. Another version, and one that judged by other
// rules, may use other words.
// Whose words this version makes again.
bool isOfThisVersion(const Bundle& bundle, const Evidence& evidence) {
    return bundle.manifest.program == programVersion() &&
           std::all_of(evidence.items.begin(), evidence.items.end(),
                       [](const EvidenceItem& item) { return item.evaluation.verdict.rules == currentRules; });
}

void checkMade(const Bundle& bundle, const Evidence& evidence, const std::string& path, const std::string& made,
               Claims& claims) {
    ClaimWriter writer(claims, path);
    const auto file = bundle.files.find(path);
    if (file == bundle.files.end()) {
        writer.differ("file", "listed", "missing", "a bundle holds it");
        return;
    }
    if (file->second == made) {
        writer.add(Outcome::agrees, "content", fmt::format("{} bytes", made.size()), "the same, made again");
        return;
    }
    const std::vector<std::string_view> claimed = lines(file->second);
    const std::vector<std::string_view> found = lines(made);
    const auto [one, other] = std::mismatch(claimed.begin(), claimed.end(), found.begin(), found.end());
    const bool sameVersion = isOfThisVersion(bundle, evidence);
    writer.add(sameVersion ? Outcome::differs : Outcome::notTested,
               fmt::format("line {}", 1 + std::distance(claimed.begin(), one)),
               one == claimed.end() ? "no such line" : std::string(*one),
               other == found.end() ? "no such line" : std::string(*other),
               sameVersion ? "it does not follow from the evidence beside it"
                           : fmt::format("it is of version {}, whose words this version, {}, does not know",
                                         bundle.manifest.program, programVersion()));
}

void checkPages(const Bundle& bundle, const Evidence& evidence, const std::string& root, Claims& claims) {
    const BundleFiles pages = pagesOf(evidence, root);
    for (const auto& [path, text] : pages) {
        const bool isListed = std::any_of(bundle.manifest.reports.begin(), bundle.manifest.reports.end(),
                                          [&](const ManifestEntry& report) { return report.path == path; });
        if (!isListed) {
            ClaimWriter(claims, path)
                .add(isOfThisVersion(bundle, evidence) ? Outcome::differs : Outcome::notTested, "report", "none",
                     "a report", "every bundle of this version has it");
        }
    }
    for (const ManifestEntry& report : bundle.manifest.reports) {
        const auto page = pages.find(report.path);
        if (page != pages.end()) {
            checkMade(bundle, evidence, report.path, page->second, claims);
        } else {
            ClaimWriter(claims, report.path).differ("report", "a report", "none", "no bundle has such a page");
        }
    }
}

// What the manifest says in front of its list.
void checkManifest(const Bundle& bundle, const Evidence& evidence, Claims& claims) {
    ClaimWriter writer(claims, manifestName);
    const Manifest& manifest = bundle.manifest;
    writer.same("problem", manifest.problem, evidence.pack.name, "the problem pack beside it is another one");
    const EvidenceItem* const subject = evidence.subjectItem();
    writer.same("verdict of the claim", manifest.subject, subject != nullptr ? verdictPath(*subject) : "",
                "the evidence leads to another one");
    writer.same("target", manifest.target, evidence.targets(), "the verdicts are of another one");
}

void checkSourceNames(const Bundle& bundle, Claims& claims) {
    for (const auto& [path, content] : bundle.files) {
        if (path.starts_with("sources/") && path != sourcePath(sha256Hex(content))) {
            ClaimWriter(claims, path)
                .differ("source", path, sourcePath(sha256Hex(content)), "a source is named by its hash");
        }
    }
}

void checkListedFiles(const Bundle& bundle, Claims& claims) {
    ClaimWriter writer(claims, manifestName);
    const std::string listed = fmt::format("{} files", bundle.manifest.files.size() + bundle.manifest.reports.size());
    for (const std::string& damage : bundle.damage) {
        writer.differ("files", listed, damage, "it is not the bundle that was written");
    }
    if (bundle.damage.empty()) {
        writer.add(Outcome::agrees, "files", listed, "all there, with their hashes");
    }
}

// What a reader should know of the two things that a claim is worth as much as.
void describeClaim(const Bundle& bundle, const EvidenceItem& subject, Claims& claims) {
    ClaimWriter writer(claims, verdictPath(subject));
    const auto builtin = builtinPackOf(bundle);
    writer.add(builtin ? Outcome::agrees : Outcome::noted, "problem pack", subject.evaluation.verdict.problem,
               builtin ? "built-in " + *builtin : "a pack of the bundle's own",
               builtin ? "" : "its problem.toml and reference.cpp say what is right, on which shapes and how exactly");
    if (!subject.baselineSource) {
        return;
    }
    const auto seed = std::find_if(bundle.files.begin(), bundle.files.end(), [&](const auto& file) {
        return file.first.starts_with("problem/seeds/") && file.second == *subject.baselineSource;
    });
    const std::string path = sourcePath(sha256Hex(*subject.baselineSource));
    writer.add(seed != bundle.files.end() ? Outcome::agrees : Outcome::noted, "baseline", path,
               seed != bundle.files.end() ? seed->first : "no seed of the problem pack",
               seed != bundle.files.end() ? "" : "a slow baseline makes any kernel faster: read it");
}

void append(Claims& claims, Claims more) {
    std::move(more.begin(), more.end(), std::back_inserter(claims));
}

} // namespace

BundleCheck checkBundle(const Bundle& bundle) {
    BundleCheck check;
    check.root = bundle.manifest.root();
    checkListedFiles(bundle, check.claims);
    auto recorded = recordedEvidence(bundle.files);
    if (!recorded) {
        ClaimWriter(check.claims, recorded.error().where)
            .differ("evidence", "evidence", "unreadable", recorded.error().message());
        return check;
    }
    const Evidence& evidence = recorded->evidence;
    append(check.claims, recorded->problems);
    checkManifest(bundle, evidence, check.claims);
    checkSourceNames(bundle, check.claims);
    checkMade(bundle, evidence, "problem/problem.h", generateProblemHeader(evidence.pack), check.claims);
    for (const EvidenceItem& item : evidence.items) {
        append(check.claims, checkRecord(item, evidence.pack, &item == evidence.subjectItem()));
        append(check.claims, checkPlans(item, evidence.pack, bundle.files));
        append(check.claims, recompute(item.evaluation.verdict, verdictPath(item),
                                       isOfThisVersion(bundle, evidence) ? Words::ofThisVersion : Words::ofAnyVersion));
    }
    checkPages(bundle, evidence, check.root, check.claims);
    if (evidence.subject) {
        describeClaim(bundle, *evidence.subjectItem(), check.claims);
    }
    check.subject = evidence.subject;
    check.verdicts = std::move(recorded->evidence.items);
    return check;
}

} // namespace gks
