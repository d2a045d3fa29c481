// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/exported_kernel.h"

#include "core/base/one_line.h"
#include "core/base/text.h"
#include "core/campaign/confirmation.h"
#include "core/problem/harness_commands.h"
#include "core/report/bundle.h"
#include "core/report/headline.h"
#include "core/report/samples_check.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

namespace gks {
namespace {

constexpr std::size_t commentTextBytes = 200;

std::optional<Shape> shapeOf(const ProblemPack& pack, const std::map<std::string, std::int64_t>& named) {
    Shape shape;
    for (const std::string& dim : pack.dims) {
        const auto at = named.find(dim);
        if (at == named.end()) {
            return std::nullopt;
        }
        shape.push_back(at->second);
    }
    return shape;
}

std::vector<ShapeClaim> claimsOf(const ProblemPack& pack, const Verdict& verdict) {
    std::vector<ShapeClaim> claims;
    for (const MeasurementFact& fact : verdict.measurements) {
        const auto shape = shapeOf(pack, fact.shape);
        if (!shape || !fact.ratio || !fact.ratioCi95) {
            continue;
        }
        claims.push_back(
            {*shape, fact.medianUs, fact.baselineMedianUs, *fact.ratio, *fact.ratioCi95, fact.ratioCi95->low > 1});
    }
    return claims;
}

// The newest one beside the baseline; a confirmation counts before a run that made a kernel the best.
const Evaluation* claimedEvaluation(const std::vector<Evaluation>& evaluations, KernelId baseline) {
    const Evaluation* newest = nullptr;
    const Evaluation* confirmed = nullptr;
    for (const Evaluation& evaluation : evaluations) {
        if (evaluation.baseline == baseline && evaluation.verdict.comparison && isAccepted(evaluation.verdict.kind)) {
            newest = &evaluation;
            confirmed = isConfirmation(evaluation) ? &evaluation : confirmed;
        }
    }
    return confirmed != nullptr ? confirmed : newest;
}

Result<void> checkExportable(const Population& population, const Kernel& kernel) {
    const std::string where = "kernel " + kernelLabel(kernel.id);
    if (kernel.probe) {
        return usageError("is a probe of the machine, no kernel", where);
    }
    if (kernel.id == population.baseline) {
        return usageError("is the baseline: there is nothing that it would be faster than", where,
                          "Name another kernel");
    }
    if (!kernel.verdict || !isAccepted(*kernel.verdict)) {
        return usageError(kernel.verdict ? fmt::format("is {}: {}", name(*kernel.verdict), kernel.reason)
                                         : std::string("has no verdict yet"),
                          where, "Export a kernel that passed");
    }
    return {};
}

std::vector<std::string> devicesOf(const std::vector<Evaluation>& evaluations) {
    std::vector<std::string> devices;
    for (const Evaluation& evaluation : evaluations) {
        const std::string& device = evaluation.verdict.device;
        if (isAccepted(evaluation.verdict.kind) && !device.empty() &&
            std::ranges::find(devices, device) == devices.end()) {
            devices.push_back(device);
        }
    }
    return devices;
}

Shape withoutFreeExtents(const ProblemPack& pack, Shape shape) {
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        shape[dim] = pack.isFree[dim] ? 0 : shape[dim];
    }
    return shape;
}

std::string writerOf(const Kernel& kernel) {
    const std::string who(name(kernel.author));
    return kernel.model.empty() ? who : who + " " + kernel.model;
}

} // namespace

const ShapeClaim* ExportedKernel::claimFor(const Shape& shape) const {
    const auto found = std::ranges::find(shapes, shape, &ShapeClaim::shape);
    return found == shapes.end() ? nullptr : &*found;
}

std::size_t ExportedKernel::wonShapes() const {
    return static_cast<std::size_t>(std::ranges::count_if(shapes, &ShapeClaim::won));
}

Result<ExportedKernel> readExportedKernel(const CampaignStore& store, KernelId id) {
    GKS_TRY_ASSIGN(const Evidence evidence, readEvidence(store, id));
    const Population& population = *evidence.population;
    const Kernel& kernel = *population.kernel(id);
    GKS_TRY(checkExportable(population, kernel));
    const Kernel* const baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    const std::string where = "kernel " + kernelLabel(id);
    if (baseline == nullptr) {
        return usageError("the campaign has no baseline", where);
    }
    GKS_TRY_ASSIGN(const auto evaluations, provenEvaluations(store, id));
    const Evaluation* const claimed = claimedEvaluation(evaluations, baseline->id);
    if (claimed == nullptr) {
        return usageError("was never measured beside the baseline " + kernelLabel(baseline->id), where,
                          fmt::format("Measure it: kernel-scientist-cli steer FILE.gks side-by-side {} {}, then run",
                                      id, baseline->id));
    }
    ExportedKernel exported;
    exported.pack = evidence.pack;
    exported.name = exportName(evidence.pack.name, id);
    exported.id = id;
    exported.title = kernel.title;
    GKS_TRY_ASSIGN(exported.source, kernel.source.read());
    exported.writtenBy = writerOf(kernel);
    exported.fallback = baseline->id;
    exported.fallbackTitle = baseline->title;
    GKS_TRY_ASSIGN(exported.fallbackSource, baseline->source.read());
    exported.target = population.settings.target;
    exported.device = claimed->verdict.device;
    exported.toolchain = claimed->verdict.build.toolchain;
    exported.compilerOptions = claimed->verdict.conditions.compilerOptions;
    exported.claim = claimOf({*claimed, kernel.title, {}, {}});
    exported.isConfirmed = isConfirmation(*claimed);
    exported.evaluation = claimed->id;
    exported.shapes = claimsOf(evidence.pack, claimed->verdict);
    if (std::ranges::none_of(exported.shapes, &ShapeClaim::won)) {
        return usageError(evidence.pack.harness
                              ? "is not faster than the baseline by what its harness measured"
                              : "won on no shape against the baseline: the fallback would do all the work",
                          where, "Export another kernel");
    }
    exported.between = rangesBetween(evidence.pack, exported.shapes);
    exported.devices = devicesOf(evaluations);
    if (evidence.pack.harness) {
        GKS_TRY(holdsNoSecret(evidence, where));
        exported.claim += fmt::format(" It is {}.", judgedByHarness());
        const auto recorded = [&](const char* fact) {
            const auto found = claimed->verdict.environment.find(fact);
            return found == claimed->verdict.environment.end() ? std::string("not recorded") : found->second;
        };
        exported.harnessSha256 = recorded(packFact);
        exported.harnessCommands = recorded(commandsFact);
    } else {
        GKS_TRY_ASSIGN(exported.evidenceSha256, bundleRoot(evidence));
    }
    return exported;
}

std::int64_t extentStep(const ProblemPack& pack, std::size_t dim) {
    if (!pack.isFree[dim]) {
        return 1;
    }
    std::int64_t step = 0;
    for (const auto& [set, shapes] : pack.shapes) {
        for (const Shape& shape : shapes) {
            step = std::gcd(step, shape[dim]);
        }
    }
    return std::max<std::int64_t>(step, 1);
}

std::vector<Shape> verifiedExtents(const ExportedKernel& kernel) {
    std::set<Shape> extents;
    for (const auto& [set, shapes] : kernel.pack.shapes) {
        for (const Shape& shape : set == ShapeSet::heldOut ? std::vector<Shape>() : shapes) {
            extents.insert(withoutFreeExtents(kernel.pack, shape));
        }
    }
    for (const ShapeClaim& claim : kernel.shapes) {
        extents.insert(withoutFreeExtents(kernel.pack, claim.shape));
    }
    return {extents.begin(), extents.end()};
}

std::vector<ShapeRange> rangesBetween(const ProblemPack& pack, const std::vector<ShapeClaim>& claims) {
    std::map<Shape, ShapeRange> boxes; // by the extents of the dims that are not free
    for (const ShapeClaim& claim : claims) {
        if (!claim.won) {
            continue;
        }
        ShapeRange& box = boxes[withoutFreeExtents(pack, claim.shape)];
        for (std::size_t dim = 0; dim < claim.shape.size(); ++dim) {
            const std::int64_t extent = claim.shape[dim];
            if (box.size() <= dim) {
                box.push_back({extent, extent, extentStep(pack, dim)});
            }
            box[dim].least = std::min(box[dim].least, extent);
            box[dim].most = std::max(box[dim].most, extent);
        }
    }
    std::vector<ShapeRange> ranges;
    for (const auto& [key, box] : boxes) {
        const bool isLost = std::ranges::any_of(
            claims, [&](const ShapeClaim& claim) { return !claim.won && contains(box, claim.shape); });
        const bool isPoint = std::ranges::all_of(box, [](const ExtentRange& r) { return r.least == r.most; });
        if (!isLost && !isPoint) {
            ranges.push_back(box);
        }
    }
    return ranges;
}

bool contains(const ShapeRange& range, const Shape& shape) {
    for (std::size_t dim = 0; dim < range.size(); ++dim) {
        const ExtentRange& extents = range[dim];
        if (shape[dim] < extents.least || shape[dim] > extents.most || shape[dim] % extents.step != 0) {
            return false;
        }
    }
    return true;
}

std::string exportName(std::string_view problem, KernelId kernel) {
    std::string name;
    for (const char c : lowered(problem)) {
        name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
    }
    name = name.substr(0, 48);
    if (name.empty() || (name.front() >= '0' && name.front() <= '9') || name.front() == '_') {
        name = "p" + name; // names that begin with '_' are the compiler's
    }
    return fmt::format("{}_k{}", name, kernelLabel(kernel));
}

Result<std::string> portableExtent(const std::string& expression, const std::vector<std::string>& dims) {
    std::string text;
    for (std::size_t at = 0; at < expression.size();) {
        const char c = expression[at];
        const std::size_t begin = at;
        if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
            while (at < expression.size() &&
                   (std::isalnum(static_cast<unsigned char>(expression[at])) != 0 || expression[at] == '_')) {
                ++at;
            }
            const std::string word = expression.substr(begin, at - begin);
            if (word != "ceil" && word != "floor" && std::ranges::find(dims, word) == dims.end()) {
                return usageError(
                    fmt::format("extent \"{}\" uses {}, which an export cannot express", expression, word),
                    "problem.toml", "Write it with + - * / ceil and floor");
            }
            text += word;
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            while (at < expression.size() &&
                   (std::isdigit(static_cast<unsigned char>(expression[at])) != 0 || expression[at] == '.')) {
                ++at;
            }
            const std::string number = expression.substr(begin, at - begin);
            text += number.find('.') == std::string::npos ? number + ".0" : number;
        } else if (std::string_view("+-*/() ").find(c) != std::string_view::npos) {
            text += c;
            ++at;
        } else {
            return usageError(fmt::format("extent \"{}\" uses '{}', which an export cannot express", expression, c),
                              "problem.toml", "Write it with + - * / ceil and floor");
        }
    }
    return text;
}

std::string commentText(std::string_view text) {
    std::string line = withoutControls(sanitizedUtf8(abbreviated(text, commentTextBytes)));
    line = replaceAll(std::move(line), "\\", "/"); // first: what it becomes may end a comment
    line = replaceAll(replaceAll(std::move(line), "*/", "* /"), "/*", "/ *");
    line = replaceAll(std::move(line), "\"\"\"", "'''");
    return replaceAll(std::move(line), "?\?/", "? /"); // a trigraph is a backslash too
}

} // namespace gks
