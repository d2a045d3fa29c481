// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/calibration.h"

#include <QTest>
#include <cmath>

using namespace gks;

namespace {

// A campaign in which every experiment has the range [low, high] and came out as `measured`.
struct Results {
    Population population;

    Experiment& add(double low, double high, double measured, Author author = Author::model,
                    const std::string& model = "alpha") {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population.kernels.size()) + 1;
        kernel.author = author;
        kernel.model = author == Author::model ? model : "";
        population.kernels.push_back(kernel);
        Experiment experiment;
        experiment.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        experiment.author = author;
        experiment.model = kernel.model;
        experiment.predicted = Interval{low, high};
        experiment.measuredGain = measured;
        experiment.kernel = kernel.id;
        population.experiments.push_back(experiment);
        return population.experiments.editBack();
    }
    CalibrationRow row(const std::string& stage, const std::string& model) const {
        for (const CalibrationRow& row : calibration(population)) {
            if (row.stage == stage && row.model == model) {
                return row;
            }
        }
        return {};
    }
};

bool near(double a, double b, double tolerance = 1e-3) {
    return std::abs(a - b) <= tolerance;
}

} // namespace

class ScientistCalibration : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingMeasured();
    void figuresOfOneModel();
    void fewResultsCorrectLittle();
    void manyResultsCorrectFully();
    void correctedRangesHoldWhatTheyShould();
    void writersAndDesignersApart();
    void peopleAreNotCorrected();
    void tunedCountsInsteadOfTheFirstDraft();
    void measuredIntervalFromTheComparison();
    void designerIsTold();
};

void ScientistCalibration::nothingMeasured() {
    Results results;
    Experiment& open = results.add(1.05, 1.4, 1);
    open.measuredGain.reset();
    QVERIFY(calibration(results.population).empty());
    QVERIFY(calibrationText(results.population).empty());
    QCOMPARE(corrected(open, results.population), (Interval{1.05, 1.4}));
}

void ScientistCalibration::figuresOfOneModel() {
    Results results;
    const auto gain = [](double hundredths) { return std::exp(hundredths / 100); };
    results.add(gain(10), gain(30), gain(12)); // -8 from the middle, inside
    results.add(gain(10), gain(30), gain(0));  // -20
    results.add(gain(20), gain(40), gain(22)); // -8, inside
    results.add(gain(0), gain(10), gain(-3));  // -8
    const CalibrationRow row = results.row("designer", "alpha");
    QCOMPARE(row.count, 4);
    QCOMPARE(row.inside, 2);
    QVERIFY(near(row.coverage, 0.5));
    // Wilson for 2 of 4, as in tables: 0.150 to 0.850.
    QVERIFY(near(row.coverageCi95.low, 0.1500));
    QVERIFY(near(row.coverageCi95.high, 0.8500));
    QVERIFY(near(row.bias, gain(-11)));
    // s = 6, t(3) = 3.182: half of the interval 9.55; the series is good to two per cent here.
    QVERIFY(near(row.biasCi95->low, gain(-11 - 9.55), 0.002));
    QVERIFY(near(row.biasCi95->high, gain(-11 + 9.55), 0.002));
    QVERIFY(near(row.meanWidth, gain(17.5)));
}

void ScientistCalibration::fewResultsCorrectLittle() {
    Results results;
    const Experiment one = results.add(1, 4, 0.25); // an eighth of the middle
    const Interval range = corrected(one, results.population);
    QVERIFY(near(std::sqrt(range.low * range.high), 2 / std::pow(8, 1.0 / 6)));
    const CalibrationRow row = results.row("designer", "alpha");
    QVERIFY(row.widening > 1 && row.widening < 1.5);
    QVERIFY(!row.biasCi95);
}

void ScientistCalibration::manyResultsCorrectFully() {
    Results results;
    for (int i = 0; i < 200; ++i) {
        results.add(std::exp(0.1), std::exp(0.2),
                    std::exp(0.03 + 0.01 * (i % 5))); // below the range, mean 5 hundredths
    }
    const CalibrationRow row = results.row("designer", "alpha");
    QVERIFY(near(row.shift, std::exp(-0.1 * 200 / 205)));
    QVERIFY(row.widening < 0.6); // all within 2 of the moved middle, of a half width of 5
    QCOMPARE(row.inside, 0);
}

void ScientistCalibration::correctedRangesHoldWhatTheyShould() {
    // Ranges half as wide as the results are spread, and too high; the next results come from the same source.
    const auto result = [](int i) { return std::exp(0.05 + 0.2 * std::sin(1.7 * i * i + 0.3 * i)); };
    Results results;
    for (int i = 0; i < 150; ++i) {
        results.add(std::exp(0.1), std::exp(0.2), result(i));
    }
    const std::vector<CalibrationRow> rows = calibration(results.population);
    int inside = 0;
    for (int i = 150; i < 450; ++i) {
        const Interval range = corrected(results.population.experiments.front(), rows);
        inside += result(i) >= range.low && result(i) <= range.high ? 1 : 0;
    }
    QVERIFY2(inside > 300 * 0.7 && inside < 300 * 0.9, std::to_string(inside).c_str());
    QVERIFY(results.row("designer", "alpha").coverage < 0.35);
}

void ScientistCalibration::writersAndDesignersApart() {
    Results results;
    results.add(1.05, 1.4, 1.1).model = "beta"; // planned by beta, written by alpha
    results.add(1.05, 1.4, 1.1);
    results.add(0.9, 1.7, 1.03, Author::tuner);
    QCOMPARE(results.row("designer", "beta").count, 1);
    QCOMPARE(results.row("designer", "alpha").count, 1);
    QCOMPARE(results.row("designer", "tuner").count, 1);
    QCOMPARE(results.row("writer", "alpha").count, 2);
    QCOMPARE(results.row("writer", "beta").count, 0);
    QCOMPARE(results.row("writer", "tuner").count, 0);                // does as it planned
    QCOMPARE(calibration(results.population).back().stage, "writer"); // sorted by stage, then count
}

void ScientistCalibration::peopleAreNotCorrected() {
    Results results;
    for (int i = 0; i < 20; ++i) {
        results.add(2, 2.5, 1).editedByPerson = true;
    }
    QCOMPARE(corrected(results.population.experiments.back(), results.population), (Interval{2, 2.5}));
    QCOMPARE(results.row("designer", "person").count, 20);
    Experiment models = results.population.experiments.back();
    models.editedByPerson = false;
    QCOMPARE(corrected(models, results.population), (Interval{2, 2.5})); // a person's errors are not the model's
}

void ScientistCalibration::tunedCountsInsteadOfTheFirstDraft() {
    Results results;
    results.add(1, 4, 0.5).tunedGain = 1;
    const CalibrationRow row = results.row("designer", "alpha");
    QCOMPARE(row.inside, 1);
    QVERIFY(near(row.bias, 0.5));
    QVERIFY(calibrationPoints(results.population).front().tuned);
}

void ScientistCalibration::measuredIntervalFromTheComparison() {
    Results results;
    results.add(1.1, 1.4, 1.25);
    results.population.kernels.editBack().versusParent = ComparisonFact{1.25, {1.2, 1.3}, VerdictKind::faster, ""};
    const CalibrationPoint point = calibrationPoints(results.population).front();
    QCOMPARE(*point.measuredCi95, (Interval{1.2, 1.3}));
}

void ScientistCalibration::designerIsTold() {
    Results results;
    results.add(1.111111, 1.428571, 1.136364);
    results.add(1.111111, 1.428571, 1);
    results.add(1.1, 1.4, 1.05, Author::tuner);
    const std::string text = calibrationText(results.population);
    QVERIFY2(
        text.starts_with("Of 2 predictions by alpha that were measured, 1 came out inside the predicted range (50 %"),
        text.c_str());
    // 1.136 and 1 over the middle of 1.111 to 1.429, 1.260.
    QVERIFY2(text.find("on average 0.846x the middle of the range") != std::string::npos, text.c_str());
    QVERIFY2(text.find("points") == std::string::npos && text.find("times as wide") == std::string::npos, text.c_str());
    QVERIFY(text.find("tuner") == std::string::npos);
}

QTEST_APPLESS_MAIN(ScientistCalibration)
#include "scientist_calibration.moc"
