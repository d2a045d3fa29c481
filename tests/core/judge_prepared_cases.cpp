// SPDX-License-Identifier: GPL-3.0-or-later
// What is made ahead of an evaluation: whom it serves, and that nobody waits for it who would not have waited.
#include "core/judge/evaluator/prepared_cases.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <QTest>

using namespace gks;

namespace {

constexpr PreparedCases::Kind kind = {TargetKind::nvidia, Fp8Encoding::ocp, ShapeChoice::test};

std::unique_ptr<PreparedCases> planned(const ProblemPack& pack) {
    return PreparedCases::plan(pack, kind, Seed{1}).value();
}

std::shared_ptr<const Reference> loaded(const ProblemPack& pack) {
    return Reference::load(pack, {availableSandbox().level}).value();
}

} // namespace

class JudgePreparedCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theySayWhomTheyServe() {
        const auto folder = TemporaryDirectory::create("gks-prepared-cases").value();
        std::filesystem::copy(std::string(GKS_SOURCE_DIR) + "/tests/data/kernels/affine", folder.path() / "affine",
                              std::filesystem::copy_options::recursive);
        const ProblemPack pack = loadProblemPack((folder.path() / "affine").string()).value();
        const auto cases = planned(pack);
        QVERIFY(cases->serves(pack, kind));
        QVERIFY(cases->seed() == Seed{1});
        for (const PreparedCases::Kind& other : {PreparedCases::Kind{TargetKind::amd, kind.encoding, kind.shapes},
                                                 PreparedCases::Kind{kind.target, Fp8Encoding::fnuz, kind.shapes},
                                                 PreparedCases::Kind{kind.target, kind.encoding, ShapeChoice::quick}}) {
            QVERIFY(!cases->serves(pack, other));
        }
        QVERIFY(!cases->serves(loadProblemPack("rms-norm").value(), kind));
        ProblemPack fewer = pack; // as a probe with fewer variants
        fewer.shapes[ShapeSet::test].pop_back();
        QVERIFY(!cases->serves(fewer, kind));
        const auto manifest = folder.path() / "affine/problem.toml";
        const std::string text = readFile(manifest).value();
        QVERIFY(writeFileAtomically(manifest, replaceAll(text, "absolute = 1e-5", "absolute = 1e-4")));
        QVERIFY(!cases->serves(pack, kind));
    }

    void theyBeginOnceForOneProcess() {
        if (availableSandbox().level == SandboxLevel::none) {
            QSKIP("no sandbox works here, and a reference runs in one");
        }
        const ProblemPack pack = loadProblemPack("row-softmax").value();
        const auto cases = planned(pack);
        const auto reference = loaded(pack);
        QVERIFY(!cases->hasBegun() && !cases->asks(*reference));
        cases->begin(reference);
        QVERIFY(cases->hasBegun() && cases->asks(*reference));
        const auto first = cases->stock().next();
        QVERIFY(first.has_value());
        const auto other = loaded(pack); // the process has changed: everything is made anew
        QVERIFY(!cases->asks(*other));
        cases->begin(other);
        QVERIFY(cases->asks(*other));
        const auto again = cases->stock().next();
        QVERIFY(again.has_value() && again->seed != first->seed);
        QCOMPARE(again->inputs.values()[0].size(), first->inputs.values()[0].size());
    }

    // On a card the oracle has the values of timed calls before anybody measures.
    void valuesStandReady() {
        if (availableSandbox().level == SandboxLevel::none) {
            QSKIP("no sandbox works here, and a reference runs in one");
        }
        const ProblemPack pack = loadProblemPack(std::string(GKS_SOURCE_DIR) + "/tests/data/kernels/affine").value();
        const auto cases = planned(pack);
        cases->begin(loaded(pack));
        for (const VerificationCase& one : cases->plan().cases) {
            for (std::size_t i = 0; i < one.distributions.size(); ++i) {
                QVERIFY(cases->stock().next().has_value());
            }
        }
        QTRY_VERIFY(cases->stock().hasAll());
        for (std::size_t shape = 0; shape < cases->plan().measured.size(); ++shape) {
            CaseStock::Measured measured = cases->stock().measured(shape);
            QVERIFY(measured.standing != nullptr);
            const CaseLayout& layout = cases->plan().measured[shape];
            const auto expected = cases->check().expect(layout, measured.source, measured.source.choose(),
                                                        cases->check().probes(layout), measured.standing);
            QVERIFY(expected.has_value() && !expected->values[2].empty());
        }
    }
};

QTEST_APPLESS_MAIN(JudgePreparedCases)
#include "judge_prepared_cases.moc"
