// SPDX-License-Identifier: GPL-3.0-or-later
// Several processes verify at a time; what is told and decided is as if they had come one after the other.
#include "core/judge/evaluator/trial/verification.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <thread>

using namespace gks;

namespace {

constexpr Fp8Encoding encoding = Fp8Encoding::fnuz;
constexpr std::chrono::seconds patience(60); // only a failing test waits so long

// Adds up in this process what a kernel would.
class SumTrial final : public KernelTrial {
public:
    using Hook = std::function<float(const SumTrial&, std::int64_t n, float sum)>; // what comes out instead
    explicit SumTrial(Hook hook = {}) : m_hook(std::move(hook)) {}

    Judged<void> load() override { return {}; }
    double emptyCallUs() const override { return 0; }
    double emptyWayUs() const override { return 0; }
    Judged<void> setShape(const CaseLayout& layout) override {
        m_layout = &layout;
        return {};
    }
    bool isSet(const CaseLayout& layout) const override { return m_layout == &layout; }
    Judged<void> supply(const InputSource&) override { return {}; }
    Judged<Call> call(const InputSource& source, const InputChoice&) override {
        const auto& bytes = source.values()[0];
        std::vector<float> x(bytes.size() / sizeof(float));
        std::memcpy(x.data(), bytes.data(), bytes.size());
        m_sum = static_cast<float>(std::accumulate(x.begin(), x.end(), 0.0));
        m_sum = m_hook ? m_hook(*this, m_layout->shape[0], m_sum) : m_sum;
        ++calls;
        return Call{};
    }
    Judged<std::span<const std::byte>> download() override {
        return refuse(VerdictKind::infrastructureFailed, "the outputs stand where they lie");
    }
    std::vector<std::span<const std::byte>> standingOutputs() const override {
        return {{}, std::as_bytes(std::span(&m_sum, 1))};
    }
    Judged<std::string> inspectMemory(const Tensors&) override { return std::string(); }
    std::string log() const override { return {}; }

    int calls = 0;

private:
    Hook m_hook;
    const CaseLayout* m_layout = nullptr;
    float m_sum = 0;
};

// A condition that threads wait for.
class Gate {
public:
    void open() {
        const std::scoped_lock lock(m_mutex);
        m_isOpen = true;
        m_changed.notify_all();
    }
    bool wait() {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, patience, [this] { return m_isOpen; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isOpen = false;
};

} // namespace

class JudgeVerification : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto pack = loadProblemPack("sum-reduction");
        QVERIFY(pack.has_value());
        m_pack = std::move(*pack);
        auto reference = Reference::load(m_pack, {availableSandbox().level});
        QVERIFY(reference.has_value());
        m_check.emplace(m_pack, *reference, encoding);
        for (const std::int64_t n : {10, 20, 30, 40, 50}) {
            m_plan.cases.push_back(caseOf(n, phase::test, {Distribution::asDeclared, Distribution::wideRange}));
        }
        m_plan.reversed.push_back(caseOf(60, phase::reversed, {Distribution::asDeclared}));
        m_plan.reversed.push_back(caseOf(70, phase::reversed, {Distribution::asDeclared}));
    }

    // The first call of either trial is over when the other trial has begun one.
    void factsComeInTheOrderOfThePlan() {
        Gate firstBegun;
        Gate secondBegun;
        std::atomic<int> alone = 0;
        const auto meet = [&alone](Gate& mine, Gate& other) {
            return [&](const SumTrial&, std::int64_t, float sum) {
                mine.open();
                alone += other.wait() ? 0 : 1;
                return sum;
            };
        };
        SumTrial first(meet(firstBegun, secondBegun));
        SumTrial second(meet(secondBegun, firstBegun));
        SumTrial reversed;
        std::vector<std::int64_t> begun;
        const Verdict verdict = verify({{&first, &second}, &reversed}, begun);
        QCOMPARE(alone.load(), 0);
        QVERIFY(m_done.has_value());
        QCOMPARE(first.calls + second.calls, 10);
        QCOMPARE(reversed.calls, 2);
        QCOMPARE(begun, (std::vector<std::int64_t>{10, 20, 30, 40, 50, 60, 70}));
        std::vector<std::int64_t> extents;
        for (const VerificationFact& fact : verdict.verification) {
            QVERIFY(fact.passed);
            extents.push_back(fact.shape.at("n"));
        }
        QCOMPARE(extents, (std::vector<std::int64_t>{10, 10, 20, 20, 30, 30, 40, 40, 50, 50, 60, 70}));
        QCOMPARE(verdict.verification[1].distribution, std::string(name(Distribution::wideRange)));
    }

    // Wrong are the second case and the third, which is known first.
    void theFirstWrongCaseOfThePlanDecides() {
        Gate thirdIsDone;
        const SumTrial* ofSecondCase = nullptr;
        const SumTrial::Hook hook = [&](const SumTrial& trial, std::int64_t n, float sum) {
            if (n == 20) {
                ofSecondCase = &trial;
                thirdIsDone.wait();
            }
            if (n == 30) {
                thirdIsDone.open();
            }
            return n == 20 || n == 30 ? sum + 100 : sum;
        };
        SumTrial first(hook);
        SumTrial second(hook);
        SumTrial reversed;
        std::vector<std::int64_t> begun;
        const Verdict verdict = verify({{&first, &second}, &reversed}, begun);
        QVERIFY(!m_done.has_value());
        QVERIFY(m_done.error().kind == VerdictKind::wrong);
        QVERIFY(m_done.error().reason.starts_with("n=20, test, as declared: y: 1 of 1 elements differ"));
        QCOMPARE(verdict.verification.size(), std::size_t{3});
        QVERIFY(!verdict.verification.back().passed);
        QVERIFY(m_failedIn == ofSecondCase);
        QCOMPARE(reversed.calls, 0);
    }

private:
    VerificationCase caseOf(std::int64_t n, std::string_view phase, std::vector<Distribution> distributions) const {
        auto layout = layoutOf(m_pack, {n});
        if (!layout) {
            qFatal("%s", layout.error().message().c_str());
        }
        return {std::move(*layout), std::string(phase), true, std::move(distributions)};
    }

    Verdict verify(const Verification::Trials& trials, std::vector<std::int64_t>& begun) {
        Verdict verdict;
        CaseStock stock(m_pack, *m_check, m_plan, encoding);
        Verification verification(m_pack, *m_check, stock, verdict);
        const Verification::Tell tell = {
            [&](double, const VerificationCase& one) { begun.push_back(one.layout.shape[0]); },
            [](const VerificationCase&, const std::string&) {}};
        m_done = verification.run(m_plan, trials, tell);
        m_failedIn = verification.failedIn();
        return verdict;
    }

    ProblemPack m_pack;
    std::optional<OutputCheck> m_check;
    EvaluationPlan m_plan;
    Judged<void> m_done = {};
    const KernelTrial* m_failedIn = nullptr;
};

QTEST_APPLESS_MAIN(JudgeVerification)
#include "judge_verification.moc"
