// SPDX-License-Identifier: GPL-3.0-or-later
// Timed calls on a card: what is expected of windows of a source, and the comparison beside the calls that follow.
#include "core/judge/evaluator/trial/probe_queue.h"

#include <QTest>
#include <cstring>

using namespace gks;

namespace {

constexpr Fp8Encoding encoding = Fp8Encoding::ocp;

// A problem, one shape of it and values that calls get windows of.
struct Problem {
    explicit Problem(const char* name, const Shape& shape)
        : pack(loadProblemPack(name).value())
        , check(pack, Reference::load(pack, {availableSandbox().level}).value(), encoding)
        , layout(layoutOf(pack, shape, InputSource::timesDrawn).value())
        , source(InputSource::draw(pack, layout, encoding)) {}

    // By way of the inputs in whole.
    OutputCheck::Expected expected(const InputChoice& choice, const OutputCheck::Selection& selection) const {
        Tensors inputs;
        source.compose(choice, inputs);
        return check.expect(layout, inputs, selection).value();
    }

    ProblemPack pack;
    OutputCheck check;
    CaseLayout layout;
    InputSource source;
    std::shared_ptr<ExpectedOutputs> standing;
};

// What a kernel of row-softmax writes there, `wrong` of it off by one.
ProbeQueue::Outputs outputsOf(const OutputCheck::Expected& expected, bool ofBaseline, std::size_t wrong) {
    ProbeQueue::Outputs outputs{ofBaseline, Tensors(expected.values.size())};
    const std::vector<double>& values = expected.values[1];
    outputs.gathered[1].resize(values.size() * sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<float>(values[i] + (i < wrong ? 1 : 0));
        std::memcpy(outputs.gathered[1].data() + i * sizeof value, &value, sizeof value);
    }
    return outputs;
}

ProbeQueue::Calls callsOf(Problem& problem, std::size_t wrongOfKernel, std::size_t wrongOfBaseline) {
    ProbeQueue::Calls calls{problem.source.choose(), problem.check.probes(problem.layout)};
    const auto expected = problem.expected(calls.choice, calls.selection);
    calls.outputs.push_back(outputsOf(expected, false, wrongOfKernel));
    calls.outputs.push_back(outputsOf(expected, true, wrongOfBaseline));
    return calls;
}

} // namespace

class JudgeProbes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (availableSandbox().level == SandboxLevel::none) {
            QSKIP("no sandbox works here, and a reference runs in one");
        }
    }

    // The oracle holds the values once; window and piece of a call are where they were for the kernel.
    void windowsAreWhatTheCallHad_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<std::vector<qint64>>("shape");
        QTest::newRow("two inputs, bf16") << QByteArray("rms-norm") << std::vector<qint64>{70, 3001};
        QTest::newRow("four inputs, fp8") << QByteArray("fp8-gemm") << std::vector<qint64>{64, 96, 384};
    }
    void windowsAreWhatTheCallHad() {
        QFETCH(QByteArray, name);
        QFETCH(std::vector<qint64>, shape);
        Problem problem(name.constData(), Shape(shape.begin(), shape.end()));
        for (int call = 0; call < 6; ++call) {
            const InputChoice choice = problem.source.choose();
            const OutputCheck::Selection selection(problem.layout.places.size()); // every element
            const auto found =
                problem.check.expect(problem.layout, problem.source, choice, selection, problem.standing);
            QVERIFY2(found.has_value(), found ? "" : found.error().message().c_str());
            QVERIFY(found->values == problem.expected(choice, selection).values);
        }
    }

    void piecesAreWhereTheSelectionIs() {
        const Problem problem("row-softmax", {40, 100});
        OutputCheck::Selection selection(2);
        selection[1] = std::vector<std::int64_t>{3, 4, 5, 90, 91, 3999};
        const std::vector<runner::Piece> pieces = problem.check.pieces(selection);
        QCOMPARE(pieces.size(), std::size_t{3});
        QCOMPARE((std::array{pieces[0].tensor, pieces[0].bytes, pieces[1].bytes, pieces[2].bytes}),
                 (std::array{1U, 12U, 8U, 4U}));
        QCOMPARE((std::array{pieces[0].begin, pieces[1].begin, pieces[2].begin}),
                 (std::array<std::uint64_t, 3>{12, 360, 15996}));
        QVERIFY(problem.check.pieces(problem.check.probes(problem.layout)).size() <= runner::pieceLimit);
    }

    void everyCallIsCompared() {
        Problem problem("row-softmax", {40, 1000});
        ProbeQueue queue(problem.check, problem.layout, problem.source, problem.standing);
        std::int64_t checked = 0;
        for (int call = 0; call < 40; ++call) {
            ProbeQueue::Calls calls = callsOf(problem, 0, 0);
            checked += static_cast<std::int64_t>(calls.selection[1]->size());
            queue.add(std::move(calls));
        }
        const auto report = queue.finish();
        QVERIFY(report.has_value() && !report->failure);
        QCOMPARE(report->calls, 40);
        QCOMPARE(report->comparison.checked, checked);
    }

    void aWrongCallIsFound_data() {
        QTest::addColumn<bool>("ofBaseline");
        QTest::newRow("of the kernel") << false;
        QTest::newRow("of the baseline") << true;
    }
    void aWrongCallIsFound() {
        QFETCH(bool, ofBaseline);
        Problem problem("row-softmax", {40, 1000});
        ProbeQueue queue(problem.check, problem.layout, problem.source, problem.standing);
        InputChoice wrong;
        for (int call = 0; call < 20; ++call) {
            ProbeQueue::Calls calls =
                callsOf(problem, call == 13 && !ofBaseline ? 1 : 0, call == 13 && ofBaseline ? 1 : 0);
            wrong = call == 13 ? calls.choice : wrong;
            queue.add(std::move(calls));
        }
        const auto report = queue.finish();
        QVERIFY(report.has_value() && report->failure);
        QCOMPARE(report->failure->ofBaseline, ofBaseline);
        QCOMPARE(report->failure->calls.choice.windows[0].first, wrong.windows[0].first);
        QVERIFY2(report->failure->outcome.text.starts_with("y: 1 of"), report->failure->outcome.text.c_str());
    }
};

QTEST_APPLESS_MAIN(JudgeProbes)
#include "judge_probes.moc"
