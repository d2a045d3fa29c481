// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/model_stages.h"
#include "core/scientist/portfolio.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace gks;

namespace {

// A campaign with a seed, in which writers have written.
struct Writers {
    Population population;

    explicit Writers(const std::vector<std::string>& further) {
        population.settings.models["default"] = free("own-model");
        for (const std::string& writer : further) {
            population.settings.models[writerSlot(writer)] = free(writer + "-model");
        }
        population.kernels.push_back(kernel(1));
        setSpeed(0, 1);
    }
    static ModelChoice free(const std::string& model) {
        return {"openai", "http://127.0.0.1:1/v1", model, "", 0.7, 1000};
    }
    static Kernel kernel(double speedup) {
        Kernel made;
        made.verdict = VerdictKind::correct;
        made.state = KernelState::evaluated;
        made.geomeanUs = 100 / speedup;
        return made;
    }
    Experiment& experiment(ExperimentKind kind = ExperimentKind::change) {
        Experiment made;
        made.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        made.parent = 1;
        made.kind = kind;
        made.state = ExperimentState::done;
        population.experiments.push_back(made);
        return population.experiments.editBack();
    }
    Kernel& add(Kernel made) {
        made.id = static_cast<KernelId>(population.kernels.size()) + 1;
        if (made.geomeanUs > 0) {
            setSpeed(made.id, 100 / made.geomeanUs);
        }
        population.kernels.push_back(std::move(made));
        return population.kernels.editBack();
    }
    void setSpeed(KernelId kernel, double ratio) {
        population.speeds.set(kernel, {ratio, {ratio, ratio}, {ratio, ratio}});
    }
    // In an experiment of its own; a speed of 0: it is wrong.
    Kernel& draft(const std::string& writer, double speedup, double usd = 0.1, double minutes = 1,
                  ExperimentKind kind = ExperimentKind::change) {
        Experiment& its = experiment(kind);
        Kernel made = speedup > 0 ? kernel(speedup) : Kernel();
        made.verdict = speedup > 0 ? VerdictKind::tie : VerdictKind::wrong;
        made.parents = {1};
        made.author = Author::model;
        made.experiment = its.id;
        made.writer = writer;
        made.draftUsd = usd;
        made.draftSeconds = 60 * minutes;
        Kernel& added = add(std::move(made));
        its.kernel = added.id;
        return added;
    }
    void refused(const std::string& writer) {
        Experiment& its = experiment();
        its.state = ExperimentState::failed;
        its.writer = writer;
    }
    Brought of(const std::string& writer) const {
        for (const Brought& row : broughtByWriters(population)) {
            if (row.name == writer) {
                return row;
            }
        }
        return {};
    }
    std::string next(const std::vector<DraftAtWork>& atWork = {}) const {
        Experiment fresh;
        fresh.id = 1000;
        fresh.parent = 1;
        return nextWriter(population, fresh, atWork);
    }
};

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9;
}

} // namespace

class ScientistPortfolio : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneWriterIsAskedWithoutAPortfolio();
    void everyoneIsTriedOnce();
    void gainsAddUpToTheBest();
    void gainPerCostDecides();
    void moneyAndMinutesCountAlike();
    void failuresCost();
    void refusedDraftsCount();
    void unknownPricesLeaveMinutes();
    void draftsUnderWayCount();
    void draftsOfOneExperimentGoRound();
    void thePersonsChoiceWins();
    void repairsStayWithTheirWriter();
    void aWritersModelIsThatOfItsDrafts();
    void tunedPointsAreTheirStructures();
    void probesAreNobodysLoss();
    void kindsAreTold();
    void writersThatAreGoneAreShown();
    void nonsenseInAFileIsNoFigure();
    void choiceDependsOnThePopulationAlone();
};

void ScientistPortfolio::oneWriterIsAskedWithoutAPortfolio() {
    Writers writers({});
    QCOMPARE(writers.next(), std::string());
    writers.draft("", 2);
    QCOMPARE(broughtByWriters(writers.population).size(), 1u);
    QCOMPARE(writers.next({{1, ""}}), std::string());
}

void ScientistPortfolio::everyoneIsTriedOnce() {
    Writers writers({"deep", "wide"});
    QCOMPARE(writers.next(), std::string());
    QVERIFY(std::isinf(writers.of("deep").bound));
    writers.draft("", 8); // as good as it may be
    QCOMPARE(writers.next(), std::string("deep"));
    writers.draft("deep", 0);
    QCOMPARE(writers.next(), std::string("wide"));
    writers.draft("wide", 0);
    QCOMPARE(writers.next(), std::string());
}

void ScientistPortfolio::gainsAddUpToTheBest() {
    Writers writers({"deep"});
    writers.draft("", 2);
    writers.draft("deep", 1.5); // faster than the seed, and not than the best
    writers.draft("deep", 3);
    Kernel own = Writers::kernel(4);
    own.author = Author::person;
    own.parents = {1};
    writers.add(own);
    writers.draft("", 6);
    QVERIFY(near(writers.of("").logGain, std::log(2) + std::log(6.0 / 4)));
    QVERIFY(near(writers.of("deep").logGain, std::log(1.5)));
    QCOMPARE(writers.of("deep").drafts, 2);
    QCOMPARE(writers.of("deep").accepted, 2);
    QCOMPARE(writers.of("deep").share, 0.5);
    writers.population.kernels.editBack().banned = true;
    QVERIFY(near(writers.of("").logGain, std::log(2)));
}

// The same gain for a tenth of the cost.
void ScientistPortfolio::gainPerCostDecides() {
    Writers writers({"deep"});
    double speed = 1;
    for (int i = 0; i < 6; ++i) {
        writers.draft("", speed *= 1.05, 0.02, 1);
        writers.draft("deep", speed *= 1.05, 0.2, 10);
    }
    QVERIFY(writers.of("").rate > 8 * writers.of("deep").rate);
    QCOMPARE(writers.next(), std::string());
    writers.population.kernels.editEach([](Kernel& kernel) { // and now for the same cost
        kernel.draftUsd = 0.1;
        kernel.draftSeconds = 60;
    });
    for (int i = 0; i < 4; ++i) {
        writers.draft("deep", speed *= 1.2);
        writers.draft("", 1);
    }
    QCOMPARE(writers.next(), std::string("deep"));
}

void ScientistPortfolio::moneyAndMinutesCountAlike() {
    Writers writers({"deep"});
    writers.draft("", 1, 0.1, 9);
    writers.draft("deep", 1, 0.3, 3);
    // Ordinary is $0.20 and 6 min: (0.5 + 1.5) / 2 and (1.5 + 0.5) / 2.
    QVERIFY(near(writers.of("").cost, 1) && near(writers.of("deep").cost, 1));
    writers.draft("deep", 1, 0.3, 3);
    QVERIFY(near(writers.of("").cost, 1) && near(writers.of("deep").cost, 2)); // by writers, not by drafts
    QVERIFY(near(writers.of("deep").minutes, 6) && near(writers.of("deep").usd, 0.6));
}

void ScientistPortfolio::failuresCost() {
    Writers writers({"deep"});
    double speed = 1;
    for (int i = 0; i < 5; ++i) {
        writers.draft("", speed *= 1.1);
        writers.draft("deep", speed *= 1.1);
    }
    const double before = writers.of("deep").rate;
    QCOMPARE(writers.of("deep").accepted, 5);
    for (int i = 0; i < 5; ++i) {
        writers.draft("deep", 0);
    }
    QVERIFY(writers.of("deep").rate < 0.7 * before);
    QCOMPARE(writers.of("deep").drafts, 10);
    QCOMPARE(writers.of("deep").accepted, 5);
    QCOMPARE(writers.next(), std::string());
}

// They left no kernel, and cost what the writer's others cost.
void ScientistPortfolio::refusedDraftsCount() {
    Writers writers({"deep", "wide"});
    writers.draft("", 1.01, 0.1, 1);
    writers.draft("deep", 1.02, 0.3, 3);
    writers.refused("deep");
    writers.refused("wide");
    QCOMPARE(writers.of("deep").drafts, 2);
    QCOMPARE(writers.of("deep").experiments, 2);
    QVERIFY(near(writers.of("deep").cost, 3));
    QVERIFY(near(writers.of("wide").cost, 1)); // nothing is known of it
    QVERIFY(std::isfinite(writers.of("wide").bound));
    for (int i = 0; i < 4; ++i) {
        writers.refused("wide");
    }
    QVERIFY(writers.next() != "wide");
    Experiment& tuned = writers.experiment();
    tuned.author = Author::tuner;
    tuned.state = ExperimentState::failed;
    QCOMPARE(writers.of("").drafts, 1);
}

void ScientistPortfolio::unknownPricesLeaveMinutes() {
    Writers writers({"deep"});
    writers.draft("", 1, 0.5, 1);
    writers.draft("deep", 1, 0, 3);
    QVERIFY(writers.of("deep").isPriceKnown); // a server of this machine takes nothing
    QVERIFY(near(writers.of("").cost, 0.5 * (2 + 0.5)) && near(writers.of("deep").cost, 0.5 * (0 + 1.5)));
    writers.population.settings.models["writer/deep"].baseUrl = "https://models.example/v1";
    QVERIFY(!writers.of("deep").isPriceKnown && writers.of("").isPriceKnown);
    QVERIFY(near(writers.of("").cost, 0.5) && near(writers.of("deep").cost, 1.5));
    writers.population.kernels.editEach([](Kernel& kernel) {
        kernel.draftUsd = kernel.draftSeconds = 0; // a file of an earlier program
    });
    QVERIFY(near(writers.of("").cost, 1) && near(writers.of("deep").cost, 1));
}

void ScientistPortfolio::draftsUnderWayCount() {
    Writers writers({"deep"});
    writers.draft("", 1.1);
    writers.draft("deep", 1.21);
    const std::string first = writers.next();
    const std::string second = writers.next({{7, first}, {8, first}, {9, first}});
    QVERIFY(first != second);
    const double before = writers.of(first).bound;
    Kernel& waits = writers.draft(first, 1.3);
    waits.verdict.reset();
    waits.geomeanUs = 0;
    waits.state = KernelState::waiting;
    QVERIFY(writers.of(first).bound < before);
    QCOMPARE(writers.of(first).drafts, 2);
    waits.state = KernelState::declined; // by the person: what it cost was for nothing
    QVERIFY(writers.of(first).rate < std::log(1.1) / 1.5);
}

void ScientistPortfolio::draftsOfOneExperimentGoRound() {
    Writers writers({"deep", "wide"});
    for (const char* writer : {"", "deep", "wide"}) {
        writers.draft(writer, 1.1);
    }
    Experiment fresh;
    fresh.id = 50;
    std::vector<DraftAtWork> atWork;
    std::set<std::string> asked;
    for (int i = 0; i < 3; ++i) {
        atWork.push_back({50, nextWriter(writers.population, fresh, atWork)});
        asked.insert(atWork.back().writer);
    }
    QCOMPARE(asked, (std::set<std::string>{"", "deep", "wide"}));
    Experiment& begun = writers.experiment(); // what is drafted already counts like what is being written
    Kernel kernel = writers.population.kernels.back();
    kernel.writer = "wide";
    kernel.experiment = begun.id;
    writers.add(kernel);
    const ExperimentId id = begun.id;
    const std::string second = nextWriter(writers.population, begun, {{id, ""}});
    QCOMPARE(second, std::string("deep"));
}

void ScientistPortfolio::thePersonsChoiceWins() {
    Writers writers({"deep"});
    writers.draft("", 2);
    writers.draft("deep", 0);
    Experiment asked;
    asked.id = 60;
    asked.writer = "deep";
    QCOMPARE(writers.next(), std::string());
    QCOMPARE(nextWriter(writers.population, asked, {{60, "deep"}}), std::string("deep"));
    asked.writer = "own";
    writers.draft("deep", 40);
    QCOMPARE(writers.next(), std::string("deep"));
    QCOMPARE(nextWriter(writers.population, asked), std::string());
    asked.writer = "gone";
    QCOMPARE(nextWriter(writers.population, asked), std::string("deep"));
    QCOMPARE(writerLabel(""), std::string("own"));
    QCOMPARE(writerLabel("deep"), std::string("deep"));
}

void ScientistPortfolio::repairsStayWithTheirWriter() {
    Writers writers({"deep"});
    const Kernel failed = writers.draft("deep", 0);
    Experiment its = writers.population.experiments.back();
    QCOMPARE(repairWriter(writers.population, its, failed), std::string("deep"));
    its.writer = "own";
    QCOMPARE(repairWriter(writers.population, its, failed), std::string());
    its.writer.clear();
    writers.population.settings.models.erase("writer/deep");
    QCOMPARE(repairWriter(writers.population, its, failed), std::string());
}

// The settings name another one by now.
void ScientistPortfolio::aWritersModelIsThatOfItsDrafts() {
    Writers writers({"deep", "fresh"});
    writers.draft("deep", 1.1).model = "m-1";
    writers.draft("deep", 1.2).model = "m-2";
    writers.draft("deep", 1.3).model = "m-1";
    QCOMPARE(writerModelText(writers.population, "deep"), std::string("m-2, then m-1"));
    QVERIFY(writerModelText(writers.population, "fresh").find("fresh-model") != std::string::npos);
    writers.population.settings.models.erase("writer/deep");
    writers.population.settings.models.erase("writer/fresh");
    QCOMPARE(writerModelText(writers.population, "deep"), std::string("m-2, then m-1"));
    QCOMPARE(writerModelText(writers.population, "fresh"), std::string("gone"));
}

void ScientistPortfolio::tunedPointsAreTheirStructures() {
    Writers writers({"deep"});
    const KernelId structure = writers.draft("deep", 1.5).id;
    Kernel point = Writers::kernel(2);
    point.author = Author::tuner;
    point.parents = {structure};
    const KernelId first = writers.add(point).id;
    point.geomeanUs = 100.0 / 3;
    point.parents = {first};
    writers.add(point);
    QVERIFY(near(writers.of("deep").logGain, std::log(3)));
    QCOMPARE(writers.of("deep").drafts, 1);
}

void ScientistPortfolio::probesAreNobodysLoss() {
    Writers writers({"deep"});
    Kernel& probe = writers.draft("deep", 9, 0.1, 1, ExperimentKind::probe);
    probe.probe = true;
    QCOMPARE(writers.of("deep").drafts, 0);
    QCOMPARE(writers.of("deep").logGain, 0.0);
    const auto kinds = broughtByKinds(writers.population);
    QCOMPARE(kinds.size(), 1u);
    QCOMPARE(kinds.front().name, std::string("probe"));
    QCOMPARE(kinds.front().drafts, 1);
    QCOMPARE(kinds.front().logGain, 0.0);
}

void ScientistPortfolio::kindsAreTold() {
    Writers writers({});
    QVERIFY(kindsText(writers.population).empty());
    writers.draft("", 0);
    QVERIFY(kindsText(writers.population).empty()); // a failure says nothing of kinds
    writers.draft("", 1.5, 0.1, 1, ExperimentKind::rewrite).versusParent =
        ComparisonFact{1.5, {1.4, 1.6}, VerdictKind::faster, {}};
    const std::string text = kindsText(writers.population);
    QVERIFY2(text.ends_with("\nkind | drafts | passed | best | brought | cost | per cost"
                            "\nchange | 1 | 0 | - | 1.00x | 1.0 | 0 %"
                            "\nrewrite | 1 | 1 | 1.50x | 1.50x | 1.0 | 50.0 %"),
             text.c_str());
    const auto kinds = broughtByKinds(writers.population);
    QVERIFY(kinds[1].bound > kinds[0].bound);
}

void ScientistPortfolio::writersThatAreGoneAreShown() {
    Writers writers({"deep"});
    writers.draft("deep", 2);
    writers.population.settings.models.erase("writer/deep");
    writers.population.settings.models["writer/wide"] = Writers::free("w");
    const auto rows = broughtByWriters(writers.population);
    QCOMPARE(rows.size(), 3u);
    QCOMPARE(rows[0].name + " " + rows[1].name + " " + rows[2].name, std::string(" wide deep"));
    writers.draft("", 1);
    writers.draft("wide", 1);
    QVERIFY(writers.next() != "deep");
}

void ScientistPortfolio::nonsenseInAFileIsNoFigure() {
    Writers writers({"deep"});
    Kernel& kernel = writers.draft("../../deep\n\033[2J", 2, std::numeric_limits<double>::quiet_NaN(), -5);
    writers.setSpeed(kernel.id, std::numeric_limits<double>::infinity());
    kernel.parents = {99};
    Kernel point = Writers::kernel(2);
    point.author = Author::tuner;
    point.parents = {4}; // its own
    writers.add(Kernel());
    writers.add(point);
    for (const Brought& row : broughtByWriters(writers.population)) {
        QVERIFY(std::isfinite(row.cost) && std::isfinite(row.usd) && row.minutes >= 0 && std::isfinite(row.logGain));
    }
    QCOMPARE(writers.next(), std::string());
}

// No lot is drawn, and the names of writers say nothing.
void ScientistPortfolio::choiceDependsOnThePopulationAlone() {
    const auto play = [](const std::vector<std::string>& names) {
        Writers writers({names[1], names[2]});
        std::string played;
        double speed = 1;
        for (int i = 0; i < 30; ++i) {
            const std::string writer = writers.next();
            played += writer == names[1] ? 'b' : writer == names[2] ? 'c' : 'a';
            writers.draft(writer, writer == names[1] ? speed *= 1.1 : 1, writer == names[2] ? 0.3 : 0.1);
        }
        return played;
    };
    const std::string first = play({"", "deep", "wide"});
    QCOMPARE(first, play({"", "deep", "wide"}));
    QCOMPARE(first, play({"", "p", "q"}));
    QVERIFY(std::count(first.begin(), first.end(), 'b') > 18);
    QVERIFY(std::count(first.begin(), first.end(), 'a') > 1 && std::count(first.begin(), first.end(), 'c') > 1);
}

QTEST_APPLESS_MAIN(ScientistPortfolio)
#include "scientist_portfolio.moc"
