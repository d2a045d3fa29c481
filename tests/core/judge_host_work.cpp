// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/host_work.h"

#include <QTest>

using namespace gks;

class JudgeHostWork : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostCodeThatIsMostOfTheCallsIsNamed() {
        HostWork work;
        for (int call = 0; call < 4; ++call) {
            QVERIFY(!work.afterCall(800, 1000)); // too few to tell
        }
        const auto found = work.afterCall(800, 1000);
        QVERIFY(found.has_value());
        QVERIFY2(found->find("800 us, 80 % of a call") != std::string::npos, found->c_str());
    }

    void planningIsNot_data() {
        QTest::addColumn<double>("hostCodeUs");
        QTest::addColumn<double>("processorUs");
        QTest::newRow("nothing known") << 0.0 << 0.0;
        QTest::newRow("short call") << 18.0 << 20.0;
        QTest::newRow("long call") << 350.0 << 1000.0;
    }
    void planningIsNot() {
        QFETCH(double, hostCodeUs);
        QFETCH(double, processorUs);
        HostWork work;
        for (int call = 0; call < 40; ++call) {
            QVERIFY(!work.afterCall(hostCodeUs, processorUs));
        }
    }

    // The first calls of a shape fill caches and tables, and an interrupt now and then is the machine's.
    void aFewSlowCallsAreNot() {
        HostWork work;
        for (int call = 0; call < 60; ++call) {
            QVERIFY(!work.afterCall(call % 3 == 2 ? 900 : 2, 1000));
        }
    }

    // Honest for as long as it is looked at closely, then not.
    void laterCallsCountAsMuchAsTheFirst() {
        HostWork work;
        for (int call = 0; call < 100; ++call) {
            QVERIFY(!work.afterCall(2, 1000));
        }
        bool found = false;
        for (int call = 0; call < 15; ++call) {
            found = work.afterCall(800, 1000).has_value() || found;
        }
        QVERIFY(found);
    }
};

QTEST_APPLESS_MAIN(JudgeHostWork)
#include "judge_host_work.moc"
