// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_stock.h"

#include <memory>
#include <optional>
#include <string>

namespace gks {

// What an evaluation runs a kernel on: shapes, and inputs with expected outputs. Nothing of it follows from a kernel,
// so for a card it is made while nobody asks for an evaluation, for the next one of the same problem. Each serves one.
class PreparedCases {
public:
    struct Kind {
        TargetKind target = TargetKind::cpu;
        Fp8Encoding encoding = Fp8Encoding::ocp;
        ShapeChoice shapes = ShapeChoice::quick;
        bool operator==(const Kind&) const = default;
    };
    // Only the shapes; `seed` is what some of them are drawn from.
    static Result<std::unique_ptr<PreparedCases>> plan(const ProblemPack& pack, const Kind& kind,
                                                       const std::optional<Seed>& seed);
    // Its smallest test shape alone, which nothing is measured on.
    std::unique_ptr<PreparedCases> smallestTest(bool withReversed) const;
    PreparedCases(const PreparedCases&) = delete;
    PreparedCases& operator=(const PreparedCases&) = delete;
    ~PreparedCases() = default;

    // Whether it is of that problem, as its files are now; the shapes of probes follow from each source.
    bool serves(const ProblemPack& pack, const Kind& kind) const;
    // From here on the rest is made, in a thread of its own.
    void begin(std::shared_ptr<const Reference> reference);
    bool hasBegun() const { return m_stock.has_value(); }
    // A reference that is asked no more, or in another process.
    bool asks(const Reference& reference) const { return m_reference && m_reference->isSameProcess(reference); }

    const ProblemPack& pack() const { return m_pack; }
    const Kind& kind() const { return m_kind; }
    const std::optional<Seed>& seed() const { return m_seed; }
    const EvaluationPlan& plan() const { return m_plan; }
    // These two once it has begun.
    const OutputCheck& check() const { return *m_check; }
    CaseStock& stock() { return *m_stock; }

private:
    PreparedCases(const ProblemPack& pack, const Kind& kind, const std::optional<Seed>& seed, EvaluationPlan plan);

    ProblemPack m_pack;
    std::string m_packText;
    Kind m_kind;
    std::optional<Seed> m_seed;
    EvaluationPlan m_plan;
    std::shared_ptr<const Reference> m_reference;
    std::optional<OutputCheck> m_check;
    std::optional<CaseStock> m_stock; // goes before what it uses
};

} // namespace gks
