// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/clock_agreement.h"

#include <QTest>
#include <vector>

using namespace gks;

class JudgeClockAgreement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clocks_data() {
        QTest::addColumn<std::vector<double>>("gaps");
        QTest::addColumn<double>("honestUs"); // below 0: not known
        QTest::addColumn<QString>("said");
        const auto most = [](double us) { // of 40 calls all but nine
            std::vector<double> gaps(40, us);
            std::fill_n(gaps.begin(), 9, 20.0);
            return gaps;
        };
        const auto some = [](double us) { // of 40 calls one in four
            std::vector<double> gaps(40, 25.0);
            std::fill_n(gaps.begin(), 10, us);
            return gaps;
        };
        const QString less = "in most calls";
        const QString more = "the runner claims that a call took";
        QTest::newRow("no call") << std::vector<double>() << 20.0 << "";
        QTest::newRow("quiet") << std::vector<double>(40, 25.0) << 20.0 << "";
        QTest::newRow("the machine was busy now and then") << some(30000) << 20.0 << "";
        QTest::newRow("the machine was busy, with the other kernel too") << most(9000) << longWayUs(most(9100)) << "";
        QTest::newRow("the machine was busy, nothing to compare") << most(9000) << -1.0 << "";
        QTest::newRow("less in most calls") << most(900) << longWayUs(std::vector<double>(40, 25.0)) << less;
        QTest::newRow("less in all of eight calls") << std::vector<double>(8, 900.0) << 20.0 << less;
        QTest::newRow("too few to be told") << std::vector<double>(7, 900.0) << 20.0 << "";
        QTest::newRow("more once") << std::vector<double>{25, 25, -4, 25, 25} << -1.0 << more;
    }
    void clocks() {
        QFETCH(std::vector<double>, gaps);
        QFETCH(double, honestUs);
        QFETCH(QString, said);
        const auto disagreement = clockDisagreement(gaps, honestUs < 0 ? std::nullopt : std::optional(honestUs));
        QCOMPARE(disagreement.has_value(), !said.isEmpty());
        QVERIFY2(said.isEmpty() || disagreement->find(said.toStdString()) != std::string::npos,
                 disagreement.value_or("").c_str());
    }
};

QTEST_APPLESS_MAIN(JudgeClockAgreement)
#include "judge_clock_agreement.moc"
