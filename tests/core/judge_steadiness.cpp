// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/steadiness.h"

#include "core/base/files.h"
#include "core/judge/evaluator/statistics/throttling.h"

#include <QTest>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

using namespace gks;

namespace {

// A watch over readings that were written down beforehand, one for each tenth of a second.
LoadWatch watchOf(const std::vector<double>& othersCores) {
    auto reading = std::make_shared<MachineReading>();
    auto next = std::make_shared<std::size_t>(0);
    LoadWatch watch([=] {
        const MachineReading now = *reading;
        reading->seconds += 0.1;
        reading->othersCpuSeconds += 0.1 * othersCores[std::min(*next, othersCores.size() - 1)];
        ++*next;
        return now;
    });
    for (std::size_t i = 0; i <= othersCores.size(); ++i) {
        watch.read();
    }
    return watch;
}

std::vector<double> stepAt(std::size_t place, double before, double after) {
    std::vector<double> values(12, after);
    std::fill_n(values.begin(), place, before);
    return values;
}

double ownCpuSeconds() {
    timespec own = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    return static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9;
}

// 90 calls, the last third slower.
std::vector<double> slowingDown() {
    std::vector<double> us;
    for (int i = 0; i < 90; ++i) {
        us.push_back((i < 60 ? 100 : 120) + i % 3);
    }
    return us;
}

} // namespace

class JudgeSteadiness : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLoadThatComesExplainsSlowerCalls() {
        const LoadWatch watch = watchOf(stepAt(6, 0.1, 1.9));
        const auto why = watch.explains(true);
        QVERIFY(why.has_value());
        QCOMPARE(*why, std::string("other programs used 0.1 cores at the beginning and 1.9 at the end"));
        QVERIFY(!watch.explains(false));
        QVERIFY(watchOf(stepAt(6, 1.9, 0.1)).explains(false).has_value());
    }

    void aSteadyLoadExplainsNothing() {
        QVERIFY(!watchOf(stepAt(6, 2, 2)).explains(true));
        QVERIFY(!watchOf(stepAt(6, 0.1, 0.4)).explains(true));
        QVERIFY(!LoadWatch().explains(true));
        QVERIFY(!watchOf({0.1, 1.9}).explains(true)); // over before a third of it can be read off
    }

    void loadOfOthersIsTheMean() {
        QVERIFY(std::abs(watchOf(stepAt(6, 0.1, 1.9)).othersCores() - 1.0) < 1e-6);
        QVERIFY(watchOf({0.1}).othersCores() > 1e6); // too short to be told: nobody may call that quiet
        QVERIFY(LoadWatch().othersCores() > 1e6);
    }

    // The machine is asked only when the times have shifted, and a kernel that gets slower by itself stays slow.
    void onlyWhatTheMachineDidIsExcused() {
        const LoadWatch rising = watchOf(stepAt(6, 0.1, 1.9));
        const LoadWatch steady = watchOf(stepAt(6, 1, 1));
        const std::vector<double> even(90, 100);
        const auto bent = disturbance(slowingDown(), [&](bool slower) { return rising.explains(slower); });
        QVERIFY(bent.has_value());
        QVERIFY2(bent->starts_with("times of the last third are 1.20 of those of the first"), bent->c_str());
        QVERIFY(!disturbance(slowingDown(), [&](bool slower) { return steady.explains(slower); }));
        QVERIFY(!disturbance(even, [&](bool slower) { return rising.explains(slower); }));
    }

    // All cores are kept busy by this process for a while: nearly nothing of that may count as others' work.
    void ownWorkIsNotOthers() {
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        std::atomic<bool> stop = false;
        const double ownBefore = ownCpuSeconds();
        const MachineReading before = readMachine();
        {
            std::vector<std::jthread> threads;
            for (unsigned i = 0; i < cores; ++i) {
                threads.emplace_back([&] {
                    while (!stop) {
                    }
                });
            }
            while (readMachine().seconds < before.seconds + 0.6) {
            }
            stop = true;
        }
        const MachineReading after = readMachine();
        const double ownSeconds = ownCpuSeconds() - ownBefore;
        const double others = after.othersCpuSeconds - before.othersCpuSeconds;
        const double all = cores * (after.seconds - before.seconds);
        QVERIFY(before.othersCpuSeconds > 0);
        QVERIFY2(others <= all - ownSeconds + 0.15, qPrintable(QString("%1 of %2").arg(others).arg(all)));
    }

    void throttlingIsReadFromTheToolsAnswer() {
        const auto hot = throttlingFrom("0x0000000000000040, 1155, 87\n");
        QVERIFY(hot.has_value());
        QCOMPARE(*hot, std::string("the device holds its clock down to 1155 MHz at 87 degrees"));
        QVERIFY(!throttlingFrom("0x0000000000000000, 1980, 41\n"));
        QVERIFY(!throttlingFrom("0x0000000000000001, 345, 30\n"));  // idle
        QVERIFY(!throttlingFrom("0x0000000000000004, 1700, 60\n")); // at its power limit: a kernel can do that
        for (const char* broken : {"", "No devices were found", "0x40", "64, 1155, 87", "0x40, 1, 2, 3"}) {
            QVERIFY2(!throttlingFrom(broken), broken);
        }
    }

    // The files of amdgpu's hwmon interface, of a card that is as hot as it may be.
    void heatIsReadFromTheDriversFiles() {
        const auto card = TemporaryDirectory::create("card").value();
        const auto file = [&](const char* name, std::string_view text) {
            QVERIFY(writeFileAtomically(card.path() / "hwmon/hwmon3" / name, text));
        };
        QVERIFY(!heatOf(card.path()));
        std::filesystem::create_directories(card.path() / "hwmon/hwmon3");
        QVERIFY(!heatOf(card.path()));
        file("temp2_label", "junction\n");
        file("temp2_input", "78000\n");
        file("temp2_crit", "100000\n");
        file("freq1_input", "2100000000\n");
        QVERIFY(!heatOf(card.path()));
        file("temp2_input", "100000\n");
        file("freq1_input", "1188000000\n");
        QCOMPARE(*heatOf(card.path()),
                 std::string("the device holds its clock down to 1188 MHz at 100 of at most 100 degrees (junction)"));
        for (const char* broken : {"", "0\n", "hot\n"}) {
            file("temp2_crit", broken);
            QVERIFY2(!heatOf(card.path()), broken);
        }
    }
};

QTEST_APPLESS_MAIN(JudgeSteadiness)
#include "judge_steadiness.moc"
