// SPDX-License-Identifier: GPL-3.0-or-later
// What a call is given, what is drawn ahead of it, and what is looked at afterwards.
#include "core/judge/evaluator/trial/case_stock.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

using namespace gks;

namespace {

constexpr Fp8Encoding encoding = Fp8Encoding::fnuz;

ProblemPack packOf(const char* name) {
    auto pack = loadProblemPack(name);
    if (!pack) {
        qFatal("%s", pack.error().message().c_str());
    }
    return std::move(*pack);
}

CaseLayout layoutFor(const ProblemPack& pack, const Shape& shape, std::size_t times) {
    auto layout = layoutOf(pack, shape, times);
    if (!layout) {
        qFatal("%s", layout.error().message().c_str());
    }
    return std::move(*layout);
}

OutputCheck checkOf(const ProblemPack& pack) {
    auto reference = Reference::load(pack, {availableSandbox().level});
    if (!reference) {
        qFatal("%s", reference.error().message().c_str());
    }
    return {pack, *reference, encoding};
}

bool contains(std::span<const std::byte> bytes, std::span<const std::byte> part) {
    return std::search(bytes.begin(), bytes.end(), part.begin(), part.end()) != bytes.end();
}

// A segment with the values that the pack's outputs should have, in f32.
std::vector<std::byte> segmentWith(const CaseLayout& layout, std::size_t tensor, const std::vector<double>& values) {
    std::vector<std::byte> segment(layout.totalBytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<float>(values[i]);
        std::memcpy(segment.data() + layout.places[tensor].offset + runner::guardBytes + i * sizeof value, &value,
                    sizeof value);
    }
    return segment;
}

} // namespace

class JudgeCallInputs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void placesOfTheInputSegmentDoNotOverlap() {
        const ProblemPack pack = packOf("fp8-gemm");
        const CaseLayout layout = layoutFor(pack, {64, 96, 256}, 2);
        std::vector<std::pair<std::size_t, std::size_t>> parts = {{runner::guardOffset, runner::guardBytes}};
        for (const runner::Place& place : layout.places) {
            QCOMPARE(place.sourceBytes, place.isOutput != 0 ? runner::poisonBytes : 2 * place.dataBytes);
            parts.emplace_back(place.sourceOffset, place.sourceBytes);
            if (place.isOutput == 0) {
                parts.emplace_back(place.pieceOffset, runner::heldBytesLimit);
            }
        }
        std::sort(parts.begin(), parts.end());
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            QVERIFY(parts[i].first + parts[i].second <= parts[i + 1].first);
        }
        QVERIFY(parts.back().first + parts.back().second <= layout.inputBytes);
    }

    void everyCallGetsSomethingElse() {
        const ProblemPack pack = packOf("row-softmax");
        const CaseLayout layout = layoutFor(pack, {300, 257}, InputSource::timesDrawn);
        InputSource source = InputSource::draw(pack, layout, encoding);
        QCOMPARE(source.values()[0].size(), InputSource::timesDrawn * layout.places[0].dataBytes);
        std::set<std::uint64_t> windows;
        std::set<std::uint64_t> pieces;
        for (int call = 0; call < 50; ++call) {
            const InputChoice choice = source.choose();
            const runner::Window& window = choice.windows[0];
            QCOMPARE(window.first % sizeof(float), std::size_t{0});
            QVERIFY(window.first + layout.places[0].dataBytes <= layout.places[0].sourceBytes);
            QCOMPARE(window.heldBytes, runner::heldBytesLimit);
            QVERIFY(window.heldBegin + window.heldBytes <= layout.places[0].dataBytes);
            windows.insert(window.first);
            pieces.insert(window.heldBegin);
        }
        QVERIFY(windows.size() > 45);
        QVERIFY(pieces.size() > 30);
    }

    // The piece was never on the device: neither it nor the beginning of it lies in the values that are.
    void composedInputsAreWindowAndPiece() {
        const ProblemPack pack = packOf("row-softmax");
        const CaseLayout layout = layoutFor(pack, {300, 257}, InputSource::timesDrawn);
        InputSource source = InputSource::draw(pack, layout, encoding);
        const InputChoice choice = source.choose();
        const runner::Window& window = choice.windows[0];
        Tensors inputs;
        source.compose(choice, inputs);
        const std::span<const std::byte> x = inputs[0];
        const std::span<const std::byte> values = source.values()[0];
        QCOMPARE(x.size(), layout.places[0].dataBytes);
        QVERIFY(std::ranges::equal(x.first(window.heldBegin), values.subspan(window.first, window.heldBegin)));
        const std::size_t after = window.heldBegin + window.heldBytes;
        QVERIFY(std::ranges::equal(x.subspan(after), values.subspan(window.first + after, x.size() - after)));
        QVERIFY(std::ranges::equal(x.subspan(window.heldBegin, window.heldBytes), source.piece(choice, 0)));
        QVERIFY(!contains(values, source.piece(choice, 0).first(64)));
    }

    // Four elements in a row never come twice, and what is composed afterwards is what the call had.
    void noContentComesTwice() {
        const ProblemPack pack = packOf("row-softmax");
        const CaseLayout layout = layoutFor(pack, {300, 257}, 1);
        InputSource source = InputSource::fresh(pack, layout, encoding);
        std::set<std::array<float, 4>> seen;
        std::size_t count = 0;
        std::vector<std::pair<InputChoice, Tensors>> calls;
        for (int call = 0; call < 3; ++call) {
            const InputChoice choice = source.choose();
            Tensors composed;
            source.compose(choice, composed);
            const RawVector<std::byte>& x = composed[0];
            QCOMPARE(x.size(), layout.places[0].dataBytes);
            for (std::size_t at = 0; at + sizeof(float) * 4 <= x.size(); at += sizeof(float), ++count) {
                std::array<float, 4> four;
                std::memcpy(four.data(), x.data() + at, sizeof four);
                seen.insert(four);
            }
            QVERIFY(source.values() == composed);
            calls.emplace_back(choice, composed);
        }
        QCOMPARE(seen.size(), count);
        for (const auto& [choice, values] : calls) {
            Tensors composed;
            source.compose(choice, composed);
            QVERIFY(composed == values);
        }
    }

    // Standard normal, as the pack declares them.
    void freshValuesAreAsDeclared() {
        const ProblemPack pack = packOf("row-softmax");
        InputSource source = InputSource::fresh(pack, layoutFor(pack, {300, 257}, 1), encoding);
        source.choose();
        std::vector<float> x(source.values()[0].size() / sizeof(float));
        std::memcpy(x.data(), source.values()[0].data(), source.values()[0].size());
        double sum = 0;
        double squares = 0;
        for (const float value : x) {
            sum += value;
            squares += double{value} * value;
        }
        const auto count = static_cast<double>(x.size());
        QVERIFY(std::abs(sum / count) < 0.03);
        QVERIFY(std::abs(squares / count - 1) < 0.05);
    }

    void exactInputsStayWhatTheyAre() {
        const ProblemPack pack = packOf("rms-norm");
        const CaseLayout layout = layoutFor(pack, {5, 33}, 1);
        auto drawn = drawInputs(pack, layout, Seed{}, Distribution::wideRange, encoding);
        QVERIFY(drawn.has_value());
        const Tensors inputs = *drawn;
        InputSource source = InputSource::exactly(pack, std::move(*drawn));
        Tensors composed;
        source.compose(source.choose(), composed);
        QVERIFY(composed == inputs);
        QVERIFY(source.id() != InputSource::exactly(pack, inputs).id());
    }

    void stockKeepsTheOrderOfThePlan() {
        const ProblemPack pack = packOf("row-softmax");
        const OutputCheck check = checkOf(pack);
        const auto plan = planEvaluation(pack, TargetKind::cpu, ShapeChoice::quick);
        QVERIFY(plan.has_value());
        CaseStock stock(pack, check, *plan, encoding);
        std::set<Seed> seeds;
        std::size_t count = 0;
        for (const auto* cases : {&plan->cases, &plan->reversed}) {
            for (const VerificationCase& one : *cases) {
                for (std::size_t i = 0; i < one.distributions.size(); ++i, ++count) {
                    const auto drawn = stock.next();
                    QVERIFY(drawn.has_value());
                    QCOMPARE(drawn->inputs.values()[0].size(), one.layout.places[0].dataBytes);
                    const auto& selection = drawn->expected.selection[1];
                    QVERIFY(!selection || (!one.everything && selection->size() >= one.samples));
                    QCOMPARE(drawn->expected.values[1].size(),
                             selection ? selection->size() : static_cast<std::size_t>(one.layout.elements[1]));
                    seeds.insert(drawn->seed);
                }
            }
        }
        QCOMPARE(seeds.size(), count);
        stock.stop();
        for (std::size_t shape = 0; shape < plan->measured.size();
             ++shape) { // those made ahead and those that were not
            InputSource source = stock.measured(shape).source;
            source.choose();
            QCOMPARE(source.values()[0].size(), plan->measured[shape].places[0].dataBytes);
        }
    }

    void largeOutputsAreSampled() {
        const ProblemPack pack = packOf("row-softmax");
        const OutputCheck check = checkOf(pack);
        const CaseLayout layout = layoutFor(pack, {2048, 1024}, 1);
        QVERIFY(!check.select(layout, true, 0)[1]);
        const auto selection = check.select(layout, false, 100);
        QVERIFY(selection[1].has_value() && !selection[0]);
        QVERIFY(selection[1]->size() > 100 && selection[1]->size() <= 100 + 2 + 4 * 3);
        QCOMPARE(selection[1]->front(), 0);
        QCOMPARE(selection[1]->back(), layout.elements[1] - 1);
        QVERIFY(std::adjacent_find(selection[1]->begin(), selection[1]->end(), std::greater_equal<>()) ==
                selection[1]->end()); // distinct, in order
        // Tails of tiles: of 100 even draws hardly one would be in the last column or row.
        const auto inColumn = [&](std::int64_t column) {
            return std::count_if(selection[1]->begin(), selection[1]->end(),
                                 [&](std::int64_t index) { return index % 1024 == column; });
        };
        QVERIFY(inColumn(0) >= 3 && inColumn(1023) >= 3);
        QVERIFY(*(selection[1]->end() - 3) / 1024 == 2047);
        const std::vector<OutputCoverage> coverage = check.coverage(layout, selection);
        QCOMPARE(coverage, (std::vector<OutputCoverage>{
                               {"y", static_cast<std::int64_t>(selection[1]->size()), std::int64_t{2048} * 1024}}));
        QVERIFY(*selection[1] != *check.select(layout, false, 100)[1]);
        QVERIFY(!check.select(layoutFor(pack, {64, 1024}, 1), false, 100)[1]); // small: every element
    }

    void aWrongElementIsNamed_data() {
        QTest::addColumn<bool>("everything");
        QTest::newRow("all") << true;
        QTest::newRow("sample") << false;
    }
    void aWrongElementIsNamed() {
        QFETCH(bool, everything);
        const ProblemPack pack = packOf("row-softmax");
        const OutputCheck check = checkOf(pack);
        const CaseLayout layout = layoutFor(pack, {2048, 1024}, 1);
        auto inputs = drawInputs(pack, layout, Seed{}, Distribution::asDeclared, encoding);
        QVERIFY(inputs.has_value());
        const auto all = check.expect(layout, *inputs, check.select(layout, true, 0));
        const auto expected = check.expect(layout, *inputs, check.select(layout, everything, 100));
        QVERIFY(all.has_value() && expected.has_value());
        std::vector<double> values = all->values[1];
        QVERIFY(
            check.check(layout, *expected, check.gather(layout, expected->selection, segmentWith(layout, 1, values)))
                ->text.empty());
        values.back() += 1;
        const auto outcome =
            check.check(layout, *expected, check.gather(layout, expected->selection, segmentWith(layout, 1, values)));
        QVERIFY(outcome.has_value());
        QCOMPARE(outcome->comparison.mismatches, 1);
        QCOMPARE(outcome->comparison.firstIndex, layout.elements[1] - 1);
        QCOMPARE(outcome->comparison.checked, static_cast<std::int64_t>(expected->values[1].size()));
        QVERIFY(everything == (expected->values[1].size() == static_cast<std::size_t>(layout.elements[1])));
    }
};

QTEST_APPLESS_MAIN(JudgeCallInputs)
#include "judge_call_inputs.moc"
