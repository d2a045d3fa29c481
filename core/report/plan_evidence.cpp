// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_evidence.h"

#include "core/base/hash.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_rows.h"
#include "core/judge/recorded_plans.h"
#include "core/problem/shape_text.h"
#include "core/report/machine_facts.h"
#include "core/report/record_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace gks {
namespace {

using NamedShape = std::map<std::string, std::int64_t>;

constexpr std::size_t shownHashDigits = 12;

std::string shownHash(const std::string& sha256) {
    return sha256.empty() ? "none" : sha256.substr(0, shownHashDigits);
}

void addDeviceCode(const KernelPlans& plans, BundleFiles& files) {
    if (!plans.deviceCode.empty()) {
        files[deviceCodePath(plans.deviceCodeSha256)] = plans.deviceCode;
    }
}

std::string countOf(const KernelPlans& plans) {
    return fmt::format("{} timed of {}", plans.timed().size(), plans.shapes.size());
}

// One of the two kernels of a verdict.
class PlanChecker {
public:
    PlanChecker(const KernelPlans& plans, std::string whose, const ProblemPack& pack, const BundleFiles& files,
                ClaimWriter& claims)
        : m_plans(plans), m_whose(std::move(whose)), m_pack(pack), m_files(files), m_claims(claims) {}

    void run(const std::vector<Shape>& timed, const std::vector<Shape>& verified) {
        checkTensors();
        checkShapes(timed, verified);
        checkDeviceCode();
    }

private:
    std::string what(const char* of) const { return m_whose.empty() ? of : fmt::format("{} of the {}", of, m_whose); }

    // The addresses decide what a plan may reach, so they must be those of the pack's tensors.
    void checkTensors() {
        for (const ShapePlan& one : m_plans.shapes) {
            if (const std::string differs = differenceOf(one); !differs.empty()) {
                m_claims.differ(what("tensors of a launch plan"), namedShapeText(one.shape), differs,
                                "the plan is of other tensors than the problem pack's");
                return;
            }
        }
    }

    std::string differenceOf(const ShapePlan& one) const {
        if (one.addresses.tensors.size() != m_pack.tensors.size()) {
            return fmt::format("{} tensors", one.addresses.tensors.size());
        }
        Shape shape;
        for (const std::string& dim : m_pack.dims) {
            const auto extent = one.shape.find(dim);
            if (extent == one.shape.end() || one.shape.size() != m_pack.dims.size()) {
                return "a shape with other dims";
            }
            shape.push_back(extent->second);
        }
        for (std::size_t i = 0; i < m_pack.tensors.size(); ++i) {
            const TensorSpec& tensor = m_pack.tensors[i];
            const TensorAddress& placed = one.addresses.tensors[i];
            const auto count = m_pack.elementCount(tensor, shape);
            const bool isSame = count && placed.name == tensor.name &&
                                placed.bytes == static_cast<std::uint64_t>(*count) * sizeBytes(tensor.type) &&
                                placed.isOutput == (tensor.role == TensorRole::output);
            if (!isSame) {
                return fmt::format("{}, {} bytes{}", placed.name, placed.bytes, placed.isOutput ? ", output" : "");
            }
        }
        return {};
    }

    void checkShapes(const std::vector<Shape>& timed, const std::vector<Shape>& verified) {
        std::set<NamedShape> known;
        for (const ShapePlan& one : m_plans.shapes) {
            known.insert(one.shape);
        }
        std::string missing;
        std::size_t expected = 0;
        for (const auto* shapes : {&timed, &verified}) {
            for (const Shape& shape : *shapes) {
                const NamedShape named = m_pack.namedShape(shape);
                const bool isThere =
                    shapes == &timed ? m_plans.timed(named) != nullptr : known.find(named) != known.end();
                ++expected;
                missing = isThere || !missing.empty() ? missing : m_pack.shapeLabel(shape);
            }
        }
        if (missing.empty()) {
            m_claims.add(Outcome::agrees, what("launch plans"), countOf(m_plans),
                         fmt::format("all that {} verified and timed shapes need", expected));
        } else if (m_plans.leftOut > 0) {
            m_claims.add(Outcome::notTested, what("launch plans"), countOf(m_plans), "none for " + missing,
                         fmt::format("{} were too large to be kept", m_plans.leftOut));
        } else {
            m_claims.differ(what("launch plans"), countOf(m_plans), "none for " + missing, "a plan was left out");
        }
    }

    void checkDeviceCode() {
        const auto file = m_files.find(deviceCodePath(m_plans.deviceCodeSha256));
        const std::string hash = shownHash(m_plans.deviceCodeSha256);
        const std::uint64_t bytes = m_plans.deviceCodeBytes;
        if (file != m_files.end()) {
            m_claims.same(what("device code"), m_plans.deviceCodeSha256, sha256Hex(file->second),
                          "device code is named by its hash");
            if (bytes > 0) {
                m_claims.same(what("size of the device code"), std::to_string(bytes),
                              std::to_string(file->second.size()), "it is the size of this file");
            }
        } else if (bytes > deviceCodeLimitBytes) {
            m_claims.add(Outcome::noted, what("device code"), fmt::format("{}, {} bytes", hash, bytes),
                         "not in the bundle", "too large to be kept; it is built again from the source");
        } else if (bytes > 0) {
            m_claims.differ(what("device code"), fmt::format("{}, {} bytes", hash, bytes), "not in the bundle",
                            "it was small enough to be kept, so it was left out");
        } else {
            m_claims.add(Outcome::notTested, what("device code"), hash, "not in the bundle",
                         "the record does not say whether it was too large to be kept");
        }
    }

    const KernelPlans& m_plans;
    std::string m_whose;
    const ProblemPack& m_pack;
    const BundleFiles& m_files;
    ClaimWriter& m_claims;
};

// Of a new evaluation, whose plans its host code asked for, with one of the two kernels of the recorded one.
class PlanComparison {
public:
    PlanComparison(const Verdict& recorded, const Verdict& again, std::string whose, ClaimWriter& claims)
        : m_recorded(recorded), m_again(again), m_whose(std::move(whose)), m_claims(claims) {}

    void run(const KernelPlans& recorded, const KernelPlans& again) {
        comparePlans(recorded, again);
        compareDeviceCode(recorded, again);
    }

private:
    struct Difference {
        std::string recorded;
        std::string again;
    };

    void comparePlans(const KernelPlans& recorded, const KernelPlans& again) {
        const std::string what = "measured again: launch plans" + m_whose;
        std::size_t equal = 0;
        std::string unasked;
        for (const ShapePlan& one : recorded.shapes) {
            const auto asked = std::find_if(again.shapes.begin(), again.shapes.end(),
                                            [&](const ShapePlan& other) { return other.shape == one.shape; });
            if (asked == again.shapes.end()) {
                unasked = namedShapeText(one.shape);
            } else if (const auto difference = differenceBetween(one, recorded.facts, *asked, again.facts)) {
                const std::string other = otherAnswer();
                m_claims.add(other.empty() ? Outcome::differs : Outcome::notTested, what,
                             fmt::format("{}: {}", namedShapeText(one.shape), difference->recorded), difference->again,
                             other.empty() ? "solve() of the source asks for something else than was recorded"
                                           : "solve() may ask for something else here: " + other);
                return;
            } else {
                ++equal;
            }
        }
        if (unasked.empty() && equal == again.shapes.size()) {
            m_claims.add(Outcome::agrees, what, countOf(recorded), "asked for again, operation by operation",
                         "the planner asked solve() of the source; the recorded plans were executed");
        } else {
            m_claims.add(Outcome::notTested, what, countOf(recorded), fmt::format("{} asked for again", equal),
                         unasked.empty() ? "the record lacks some of them" : "not planned here: " + unasked);
        }
    }

    static std::optional<Difference> differenceBetween(const ShapePlan& a, const ModuleFacts& factsOfA,
                                                       const ShapePlan& b, const ModuleFacts& factsOfB) {
        if (a.addresses != b.addresses) {
            return Difference{setText(a.addresses), setText(b.addresses)};
        }
        for (const auto plan : {&ShapePlan::setup, &ShapePlan::plan}) {
            if (const auto at = firstDifference(a.*plan, b.*plan)) {
                return Difference{operationText(a, a.*plan, factsOfA, *at), operationText(b, b.*plan, factsOfB, *at)};
            }
        }
        return std::nullopt;
    }

    static std::string setText(const SetAddresses& set) {
        return fmt::format("{} tensors with a workspace of {} bytes at {:#x}", set.tensors.size(), set.workspaceBytes,
                           set.workspace);
    }

    static std::string operationText(const ShapePlan& one, const LaunchPlan& plan, const ModuleFacts& facts,
                                     std::size_t at) {
        const char* const which = &plan == &one.setup ? "setup" : "plan";
        const std::vector<PlanRow> rows = rowsOf(plan, facts, one.addresses, one.shape);
        if (at >= rows.size()) {
            return fmt::format("the {} ends after {} operations on {} streams", which, rows.size(),
                               plan.streams.size());
        }
        std::string text = fmt::format("{}, operation {}: ", which, at + 1);
        for (const std::string* part : {&rows[at].operation, &rows[at].what, &rows[at].grid, &rows[at].block,
                                        &rows[at].lds, &rows[at].arguments}) {
            text += part->empty() ? "" : *part + " ";
        }
        return text + "on stream " + rows[at].stream;
    }

    // What a device answers decides what an honest solve() asks for. A card's name is the same with another driver, and
    // a processor's on a machine with more of its cores.
    std::string otherAnswer() const {
        const auto different = differentAnswers(m_recorded, m_again);
        return different.empty() ? std::string() : different.front().text();
    }

    void compareDeviceCode(const KernelPlans& recorded, const KernelPlans& again) {
        const bool agrees = recorded.deviceCodeSha256 == again.deviceCodeSha256 &&
                            (recorded.deviceCodeBytes == 0 || recorded.deviceCodeBytes == again.deviceCodeBytes);
        const bool sameToolchain = m_recorded.build.toolchain == m_again.build.toolchain;
        const Outcome otherwise = sameToolchain ? Outcome::differs : Outcome::noted;
        m_claims.add(agrees ? Outcome::agrees : otherwise, "measured again: device code" + m_whose,
                     shownHash(recorded.deviceCodeSha256), shownHash(again.deviceCodeSha256),
                     agrees          ? "built again from the source"
                     : sameToolchain ? "the same toolchain makes other code of the source"
                                     : "another toolchain makes other code of the source");
    }

    const Verdict& m_recorded;
    const Verdict& m_again;
    std::string m_whose;
    ClaimWriter& m_claims;
};

} // namespace

std::string plansPath(const EvidenceItem& item) {
    return fmt::format("verdicts/{}/plans.json", item.name());
}

std::string deviceCodePath(const std::string& sha256) {
    return fmt::format("device/{}.bin", sha256);
}

void addPlans(const EvidenceItem& item, BundleFiles& files) {
    const auto& plans = item.evaluation.verdict.plans;
    if (!plans) {
        return;
    }
    files[plansPath(item)] = dumped(OrderedJson(toJson(*plans, CodeBytes::left)));
    addDeviceCode(plans->kernel, files);
    if (plans->baseline) {
        addDeviceCode(*plans->baseline, files);
    }
}

Result<std::shared_ptr<const RecordedPlans>> plansIn(const BundleFiles& files, const EvidenceItem& item) {
    const auto file = files.find(plansPath(item));
    if (file == files.end()) {
        return nullptr;
    }
    GKS_TRY_ASSIGN(RecordedPlans plans, recordedPlansFromText(file->second, "plans.json"));
    return std::make_shared<const RecordedPlans>(std::move(plans));
}

Claims checkPlans(const EvidenceItem& item, const ProblemPack& pack, const BundleFiles& files) {
    Claims claims;
    const Verdict& verdict = item.evaluation.verdict;
    if (!isAccepted(verdict.kind)) {
        return claims; // it may have ended before there was a plan
    }
    ClaimWriter writer(claims, plansPath(item));
    if (!verdict.plans) {
        writer.add(Outcome::noted, "launch plans", "none", "-",
                   "solve() is asked again, in the planner; only a version without plans, or one that could not read "
                   "them, writes none");
        return claims;
    }
    const auto plan = evaluationPlanOf(verdict, pack);
    if (!plan) {
        return claims; // said with the record
    }
    std::vector<Shape> timed;
    std::vector<Shape> verified;
    for (const CaseLayout& layout : plan->measured) {
        timed.push_back(layout.shape);
    }
    for (const auto* cases : {&plan->cases, &plan->reversed}) {
        for (const VerificationCase& one : *cases) {
            if (one.since <= verdict.rules) {
                verified.push_back(one.layout.shape);
            }
        }
    }
    PlanChecker(verdict.plans->kernel, "", pack, files, writer).run(timed, verified);
    if (verdict.plans->baseline) {
        PlanChecker(*verdict.plans->baseline, "comparison kernel", pack, files, writer).run(timed, {});
    } else if (verdict.comparison) {
        writer.differ("launch plans of the comparison kernel", "a comparison", "none", "a plan was left out");
    }
    return claims;
}

void comparePlans(const Verdict& recorded, const Verdict& again, ClaimWriter& claims) {
    if (!recorded.plans || !again.plans) {
        return;
    }
    PlanComparison(recorded, again, "", claims).run(recorded.plans->kernel, again.plans->kernel);
    if (recorded.plans->baseline && again.plans->baseline) {
        PlanComparison(recorded, again, " of the comparison kernel", claims)
            .run(*recorded.plans->baseline, *again.plans->baseline);
    }
}

} // namespace gks
