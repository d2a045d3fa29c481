// SPDX-License-Identifier: GPL-3.0-or-later
// The detector by itself: pairs of accesses, and what orders them.
#include "core/hipcpu/runtime/race_detector.h"

#include "core/hipcpu/runtime/thread_rows.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <sched.h>
#include <set>
#include <thread>
#include <utility>
#include <vector>

using namespace gks::hipcpu;

namespace {

// A grid of blocks that are told one after the other.
class Device {
public:
    explicit Device(const RaceDetector::Limits& limits = {}) : races(limits) {
        races.watch(memory.data(), sizeof memory);
        races.beginOperation(0, blocks);
        enterAll();
    }

    void begin(std::uint32_t operation) {
        races.beginOperation(operation, blocks);
        enterAll();
    }

    void beginPart() {
        races.beginPart(blocks);
        enterAll();
    }

    void read(std::size_t block, std::size_t word, std::uint32_t wave = 0, std::uint32_t interval = 0) {
        races.access(known[block], {wave, interval}, &memory[word], 4, AccessKind::read, nullptr);
    }
    void write(std::size_t block, std::size_t word, std::uint32_t value, std::uint32_t wave = 0,
               std::uint32_t interval = 0) {
        races.access(known[block], {wave, interval}, &memory[word], 4, AccessKind::write, &value);
        memory[word] = value;
    }
    // Updates and writes add one.
    void atomic(std::size_t block, std::size_t word, AccessKind kind = AccessKind::update, std::uint32_t wave = 0,
                std::uint32_t interval = 0) {
        atomicBytes(block, word, sizeof(std::uint32_t), kind, wave, interval);
    }
    void atomicBytes(std::size_t block, std::size_t word, std::size_t bytes, AccessKind kind, std::uint32_t wave = 0,
                     std::uint32_t interval = 0) {
        const bool reads = kind == AccessKind::atomicRead || kind == AccessKind::readToChange;
        races.begin(known[block], &memory[word]);
        const std::array<std::uint32_t, 2> value = {memory[word] + 1, memory[word + 1] + 1};
        if (!reads && kind != AccessKind::atomicWrite) {
            std::memcpy(&memory[word], value.data(), bytes);
        }
        races.access(known[block], {wave, interval}, &memory[word], bytes, kind, reads ? nullptr : value.data());
        if (kind == AccessKind::atomicWrite) {
            std::memcpy(&memory[word], value.data(), bytes);
        }
    }
    // One that writes what is there.
    void writeSame(std::size_t block, std::size_t word, AccessKind kind) {
        races.access(known[block], {}, &memory[word], 4, kind,
                     kind == AccessKind::atomicWrite ? &memory[word] : nullptr);
    }
    void guess(std::size_t block, std::size_t word) {
        races.access(known[block], {}, &memory[word], 4, AccessKind::guess, nullptr);
    }
    void fill(std::size_t block, std::size_t word, std::size_t words, char value) {
        races.access(known[block], {}, &memory[word], 4 * words, AccessKind::fill, &value);
        std::memset(&memory[word], value, 4 * words);
    }
    void writeByte(std::size_t block, std::size_t byte, char value) {
        char* const at = reinterpret_cast<char*>(memory.data()) + byte;
        races.access(known[block], {}, at, 1, AccessKind::write, &value);
        *at = value;
    }
    // `count` words beside each other, each by a lane.
    void writeRow(std::size_t block, std::size_t word, const std::vector<std::uint32_t>& values, std::uint32_t wave = 0,
                  std::uint32_t interval = 0) {
        const std::vector<std::uint32_t> before(&memory[word], &memory[word] + values.size());
        std::copy(values.begin(), values.end(), &memory[word]);
        races.write(known[block], {wave, interval},
                    {reinterpret_cast<std::uintptr_t>(&memory[word]), 4, 4, static_cast<std::uint32_t>(values.size()),
                     reinterpret_cast<const char*>(before.data()), reinterpret_cast<const char*>(values.data())},
                    false, nullptr);
    }
    void ldsRow(std::size_t block, std::size_t word, const std::vector<std::uint32_t>& values, std::uint32_t wave,
                std::uint32_t interval) {
        const std::vector<std::uint32_t> before(&ldsMemory[word], &ldsMemory[word] + values.size());
        std::copy(values.begin(), values.end(), &ldsMemory[word]);
        races.write(known[block], {wave, interval},
                    {4 * word, 4, 4, static_cast<std::uint32_t>(values.size()),
                     reinterpret_cast<const char*>(before.data()), reinterpret_cast<const char*>(values.data())},
                    true, nullptr);
    }
    void lds(std::size_t block, std::size_t word, AccessKind kind, std::uint32_t wave, std::uint32_t interval) {
        const std::uint32_t value = ldsMemory[word] + 1;
        races.accessLds(known[block], {wave, interval}, ldsMemory.data(), 4 * word, 4, kind, &value);
        ldsMemory[word] = kind == AccessKind::write || kind == AccessKind::atomicWrite ? value : ldsMemory[word];
    }
    bool found() const { return races.race().has_value(); }

    static constexpr std::size_t blocks = 4;
    alignas(64) std::array<std::uint32_t, 8192> memory = {};
    std::array<std::uint32_t, 64> ldsMemory = {};
    RaceDetector races;
    std::array<RaceDetector::Block, blocks> known;

private:
    void enterAll() {
        for (std::size_t i = 0; i < blocks; ++i) {
            races.enter(known[i], i);
        }
    }
};

constexpr std::size_t data = 0;
constexpr std::size_t flag = 100;

// This thread, and those that it starts from now on, share one.
class OneProcessor {
public:
    OneProcessor() {
        ::sched_getaffinity(0, sizeof m_before, &m_before);
        int first = 0;
        while (!CPU_ISSET(first, &m_before)) {
            ++first;
        }
        cpu_set_t one{};
        CPU_SET(first, &one);
        ::sched_setaffinity(0, sizeof one, &one);
    }
    ~OneProcessor() { ::sched_setaffinity(0, sizeof m_before, &m_before); }
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;

private:
    cpu_set_t m_before{};
};

} // namespace

class HipcpuRaceDetector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoReadsAreNone() {
        Device device;
        device.read(0, data);
        device.read(1, data);
        QVERIFY(!device.found());
    }

    void aReadAndAWriteAre() {
        Device written;
        written.write(0, data, 1);
        written.read(1, data);
        QVERIFY(written.found());
        Device read;
        read.read(0, data);
        read.write(1, data, 1);
        QVERIFY(read.found());
        const Race& race = *read.races.race();
        QCOMPARE(race.first.block, std::uint64_t(0));
        QVERIFY(!race.first.writes && race.second.writes && !race.isLds);
        QCOMPARE(race.second.block, std::uint64_t(1));
        QCOMPARE(race.address, reinterpret_cast<std::uintptr_t>(&read.memory[data]));
    }

    // The reader is not forgotten when the writer has read as well.
    void theReaderBeforeTheLastCounts() {
        Device device;
        device.read(0, data);
        device.read(1, data);
        device.write(1, data, 1);
        QVERIFY(device.found());
        QCOMPARE(device.races.race()->first.block, std::uint64_t(0));
    }

    void twoWritesOfDifferentValuesAre() {
        Device device;
        device.write(0, data, 1);
        device.write(1, data, 2);
        QVERIFY(device.found());
        QVERIFY(device.races.race()->first.writes && device.races.race()->second.writes);
    }

    void whoWritesWhatIsThereChangesNothing() {
        Device device;
        device.write(0, data, 1);
        device.write(1, data, 1);
        device.read(1, data);
        device.write(2, data, 1);
        QVERIFY(!device.found());
    }

    void whoWritesAnotherValueMeetsAllWhoWroteTheSame() {
        Device device;
        device.write(0, data, 1, 0);
        device.write(0, data, 1, 1);
        device.write(1, data, 2);
        QVERIFY(device.found());
    }

    void writingTheSameAgainHidesNothing() {
        Device device;
        device.write(0, data, 1);
        device.write(0, data, 1);
        device.read(1, data);
        QVERIFY(device.found());
    }

    void otherBytesOfAWordAreOtherPlaces() {
        Device device;
        device.writeByte(0, 4, 1);
        device.writeByte(1, 5, 1);
        QVERIFY(!device.found());
        device.writeByte(2, 5, 2);
        QVERIFY(device.found());
        QCOMPARE(device.races.race()->address, reinterpret_cast<std::uintptr_t>(device.memory.data()) + 5);
    }

    void atomicsAreNone() {
        Device device;
        device.atomic(0, data, AccessKind::blindUpdate);
        device.atomic(1, data, AccessKind::blindUpdate);
        device.atomic(2, data, AccessKind::atomicWrite);
        device.atomic(3, data, AccessKind::atomicRead);
        QVERIFY(!device.found());
    }

    // Each of them is seen whichever comes first.
    void aPlainAccessAndAnAtomicThatNothingOrdersAre_data() {
        QTest::addColumn<bool>("plainFirst");
        QTest::addColumn<bool>("writes");
        QTest::addColumn<AccessKind>("kind");
        for (const bool plainFirst : {false, true}) {
            for (const bool writes : {false, true}) {
                for (const auto& [name, kind] :
                     {std::pair("store", AccessKind::atomicWrite), std::pair("update", AccessKind::blindUpdate)}) {
                    QTest::addRow("%s, %s%s", name, writes ? "write" : "read", plainFirst ? " first" : "")
                        << plainFirst << writes << kind;
                }
            }
        }
    }
    void aPlainAccessAndAnAtomicThatNothingOrdersAre() {
        QFETCH(bool, plainFirst);
        QFETCH(bool, writes);
        QFETCH(AccessKind, kind);
        Device device;
        Device same; // an atomic that changes nothing
        const auto plain = [&](Device& on) { writes ? on.write(0, data, 7) : on.read(0, data); };
        if (plainFirst) {
            plain(device);
            plain(same);
        }
        device.atomic(1, data, kind);
        same.writeSame(1, data, kind);
        if (!plainFirst) {
            plain(device);
            plain(same);
        }
        QVERIFY(device.found());
        QVERIFY(!device.races.race()->isLostUpdate);
        QVERIFY(!same.found());
    }

    // The last two who changed a sum are kept.
    void anAtomicThatIsNotTheLastCounts() {
        Device device;
        device.atomic(0, data, AccessKind::blindUpdate);
        device.atomic(1, data, AccessKind::blindUpdate);
        device.read(1, data);
        QVERIFY(device.found());
        QCOMPARE(device.races.race()->first.block, std::uint64_t(0));
    }

    // As loops of compare-and-swap begin.
    void aGuessIsNoneWithAtomics() {
        Device device;
        for (std::size_t block = 0; block < Device::blocks; ++block) {
            device.guess(block, data);
            device.atomic(block, data);
        }
        QVERIFY(!device.found());
        device.write(0, data, 99);
        device.guess(1, data);
        QVERIFY(device.found());
    }

    void whatIsWrittenBackInTwoStepsIsLost() {
        for (const AccessKind kind : {AccessKind::atomicWrite, AccessKind::update}) {
            Device device;
            for (std::size_t block = 0; block < 2; ++block) {
                QVERIFY(!device.found());
                device.atomic(block, data, AccessKind::readToChange);
                device.atomic(block, data, kind);
            }
            QVERIFY(device.found());
            QVERIFY(device.races.race()->isLostUpdate);
            QCOMPARE(device.races.race()->first.block, std::uint64_t(0));
            QCOMPARE(device.races.race()->second.block, std::uint64_t(1));
        }
        Device waves;
        for (std::uint32_t wave = 0; wave < 2; ++wave) {
            waves.atomic(0, data, AccessKind::readToChange, wave);
            waves.atomic(0, data, AccessKind::atomicWrite, wave);
        }
        QVERIFY(waves.found() && waves.races.race()->isLostUpdate);
    }

    // Under a lock, in turn, or where nobody else writes back.
    void whoWaitsForTheOthersLosesNothing() {
        Device device;
        for (std::size_t block = 0; block < Device::blocks; ++block) {
            device.atomic(block, flag);
            device.atomic(block, data, AccessKind::readToChange);
            device.atomic(block, data, AccessKind::atomicWrite);
            device.atomic(block, flag, AccessKind::atomicWrite);
        }
        QVERIFY(!device.found());
        Device once;
        once.atomic(0, data, AccessKind::atomicWrite);
        once.atomic(1, data, AccessKind::readToChange);
        once.atomic(1, data, AccessKind::atomicWrite);
        once.atomic(2, data, AccessKind::readToChange);
        QVERIFY(!once.found());
    }

    // Of 64 bits, one half of which is waited for.
    void everyWordOfAnAtomicOrders() {
        Device device;
        device.write(0, data, 1);
        device.atomicBytes(0, flag, 8, AccessKind::update);
        device.atomic(1, flag + 1, AccessKind::atomicRead);
        device.read(1, data);
        QVERIFY(!device.found());
    }

    void aFillIsAWrite() {
        Device device;
        device.write(0, data + 8, 3);
        device.fill(1, data, 4, 0);
        QVERIFY(!device.found());
        device.fill(1, data, 16, 0);
        QVERIFY(device.found());
        QCOMPARE(device.races.race()->address, reinterpret_cast<std::uintptr_t>(&device.memory[data + 8]));
    }

    // A block that waits leaves the detector to the one that it waits for.
    void whoWaitsGivesWay() {
        constexpr std::uint64_t work = 200'000;
        const OneProcessor together; // with one each, whoever gives way has it back at once
        Device device;
        std::atomic<std::uint64_t> waits = 0;
        std::jthread waiting([&](const std::stop_token& done) {
            for (; !done.stop_requested(); ++waits) {
                device.races.access(device.known[1], {}, &device.memory[flag], 4, AccessKind::atomicRead, nullptr);
            }
        });
        while (waits == 0) {
            std::this_thread::yield();
        }
        for (std::uint64_t i = 0; i < work; ++i) {
            device.read(0, data + i % 64);
        }
        QVERIFY2(waits < work / 20, qPrintable(QString::number(waits.load())));
    }

    // While another thread is in an atomic nothing is told, so that what it reads is what is known to lie there.
    void anUpdateAndWhatIsToldOfItAreOneStep() {
        Device device;
        std::atomic<bool> isTold = false;
        device.races.begin(device.known[0], &device.memory[flag]);
        std::thread other([&] {
            device.atomic(1, flag);
            isTold = true;
        });
        for (int i = 0; i < 1000; ++i) {
            std::this_thread::yield();
        }
        QVERIFY(!isTold);
        const std::uint32_t value = device.memory[flag] += 1;
        device.races.access(device.known[0], {}, &device.memory[flag], 4, AccessKind::update, &value);
        other.join();
        QVERIFY(isTold);
        QCOMPARE(device.memory[flag], std::uint32_t(2));
    }

    // The last block to arrive reads what all have left.
    void anAtomicCounterOrders() {
        Device device;
        for (std::size_t block = 0; block < Device::blocks; ++block) {
            device.write(block, data + block, 7);
            device.atomic(block, flag);
        }
        for (std::size_t block = 0; block < Device::blocks; ++block) {
            device.read(Device::blocks - 1, data + block);
        }
        QVERIFY(!device.found());
        device.read(1, data + 2); // it came before
        QVERIFY(device.found());
    }

    // Over another block, and another place.
    void orderIsPassedOn() {
        Device device;
        device.write(0, data, 1);
        device.atomic(0, flag, AccessKind::atomicWrite);
        device.atomic(1, flag, AccessKind::atomicRead);
        device.atomic(1, flag + 1, AccessKind::atomicWrite);
        device.atomic(2, flag + 1, AccessKind::atomicRead);
        device.read(2, data);
        QVERIFY(!device.found());
        device.read(3, data);
        QVERIFY(device.found());
    }

    // A wave speaks for itself, and for the others behind a barrier.
    void aReleaseSaysNothingOfOtherWaves() {
        Device device;
        device.write(0, data, 1, 1);
        device.atomic(0, flag, AccessKind::blindUpdate, 1); // something else
        device.write(0, data + 1, 1, 1);
        device.atomic(0, flag + 1, AccessKind::update, 0);
        device.atomic(1, flag + 1);
        device.read(1, data);
        QVERIFY(device.found());
        QCOMPARE(device.races.race()->first.wave, std::uint32_t(1));
        Device behind;
        behind.write(0, data, 1, 1);
        behind.atomic(0, flag, AccessKind::update, 0, 1);
        behind.atomic(1, flag);
        behind.read(1, data);
        QVERIFY(!behind.found());
        Device passedOn; // from wave to wave
        passedOn.write(0, data, 1, 1);
        passedOn.lds(0, 5, AccessKind::atomicWrite, 1, 0);
        passedOn.lds(0, 5, AccessKind::atomicRead, 0, 0);
        passedOn.atomic(0, flag, AccessKind::update, 0);
        passedOn.atomic(1, flag);
        passedOn.read(1, data);
        QVERIFY(!passedOn.found());
    }

    // And learns for itself.
    void anAcquireIsOfOneWaveUntilTheBarrier() {
        const auto shown = [](Device& device) {
            device.write(0, data, 1);
            device.atomic(0, flag, AccessKind::atomicWrite);
            device.atomic(1, flag, AccessKind::atomicRead, 0);
        };
        Device early;
        shown(early);
        early.read(1, data, 1);
        QVERIFY(early.found());
        Device behind;
        shown(behind);
        behind.read(1, data, 1, 1);
        behind.atomic(1, flag + 1, AccessKind::atomicWrite, 2, 1);
        behind.atomic(2, flag + 1, AccessKind::atomicRead);
        behind.read(2, data);
        QVERIFY(!behind.found());
        Device passedOn;
        shown(passedOn);
        passedOn.lds(1, 5, AccessKind::atomicWrite, 0, 0);
        passedOn.lds(1, 5, AccessKind::atomicRead, 1, 0);
        passedOn.read(1, data, 1);
        QVERIFY(!passedOn.found());
    }

    // What is written behind the atomic is not ordered by it.
    void anAtomicOrdersOnlyWhatIsBefore() {
        Device device;
        for (std::size_t block = 0; block < 2; ++block) {
            device.atomic(block, flag);
            device.write(block, data, std::uint32_t(block) + 1);
        }
        QVERIFY(device.found());
    }

    void whoDoesNotUseWhatItReadWaitsForNobody() {
        Device device;
        device.write(0, data, 1);
        device.atomic(0, flag, AccessKind::blindUpdate);
        device.atomic(1, flag, AccessKind::blindUpdate);
        device.read(1, data);
        QVERIFY(device.found());
    }

    void anotherPlaceOrdersNothing() {
        Device device;
        device.write(0, data, 1);
        device.atomic(0, flag);
        device.atomic(1, flag + 1);
        device.read(1, data);
        QVERIFY(device.found());
    }

    // A plain flag behind a fence, which the other block reads as volatile.
    void aPlainFlagOrders() {
        Device device;
        device.write(0, data, 1);
        device.write(0, flag, 1);
        device.atomic(1, flag, AccessKind::atomicRead);
        device.read(1, data);
        QVERIFY(!device.found());
        device.read(2, data);
        QVERIFY(device.found());
    }

    void launchesOfAStreamAreOrdered() {
        Device device;
        device.write(0, data, 1);
        device.begin(1);
        device.read(1, data);
        device.write(1, data, 2);
        QVERIFY(!device.found());
    }

    void launchesThatNothingOrdersAreNot() {
        Device device;
        device.races.setUnordered({{1}, {0}, {}});
        device.write(0, data, 1);
        device.begin(2);
        device.read(1, data);
        QVERIFY(!device.found());
        Device unordered;
        unordered.races.setUnordered({{1}, {0}});
        unordered.write(3, data, 1);
        unordered.begin(1);
        unordered.read(2, data);
        QVERIFY(unordered.found());
        const Race& race = *unordered.races.race();
        QCOMPARE(race.first.operation, std::uint32_t(0));
        QCOMPARE(race.first.block, std::uint64_t(3));
        QCOMPARE(race.second.operation, std::uint32_t(1));
        QCOMPARE(race.second.block, std::uint64_t(2));
    }

    // Behind a grid's barrier its own blocks come after all before it, and still not after another stream's launch.
    void partsOfAGridAreOfItsOperation() {
        Device device;
        device.races.setUnordered({{1}, {0}});
        device.begin(1);
        device.write(3, data, 1);
        device.beginPart();
        device.read(2, data);
        device.write(2, data, 2);
        QVERIFY(!device.found());
        Device unordered;
        unordered.races.setUnordered({{1}, {0}});
        unordered.write(3, data, 1);
        unordered.begin(1);
        unordered.beginPart();
        unordered.read(2, data);
        QVERIFY(unordered.found());
        QCOMPARE(unordered.races.race()->second.operation, std::uint32_t(1));
    }

    void callsAreOrdered() {
        Device device;
        device.races.setUnordered({{1}, {0}});
        device.write(0, data, 1);
        device.races.beginCall();
        device.begin(1);
        device.read(1, data);
        QVERIFY(!device.found());
    }

    void aBarrierOrdersTheWavesOfABlock() {
        Device device;
        device.lds(0, 3, AccessKind::write, 0, 0);
        device.lds(0, 3, AccessKind::read, 1, 1);
        QVERIFY(!device.found());
        device.lds(0, 3, AccessKind::write, 2, 1); // the reader may not be there yet
        QVERIFY(device.found());
        QVERIFY(device.races.race()->isLds);
        QCOMPARE(device.races.race()->address, std::uintptr_t(12));
        QCOMPARE(device.races.race()->first.wave, std::uint32_t(1));
    }

    void aWaveGoesInStep() {
        Device device;
        device.lds(0, 3, AccessKind::write, 1, 0);
        device.lds(0, 3, AccessKind::read, 1, 0);
        device.write(0, data, 1, 1);
        device.read(0, data, 1);
        QVERIFY(!device.found());
        device.read(0, data, 2);
        QVERIFY(device.found());
        QVERIFY(!device.races.race()->isLds);
    }

    void ldsOfAnotherBlockIsAnotherPlace() {
        Device device;
        device.lds(0, 3, AccessKind::write, 0, 0);
        device.races.enter(device.known[0], 1); // runs where block 0 ran
        device.lds(0, 3, AccessKind::read, 1, 0);
        QVERIFY(!device.found());
    }

    // What was noted of plain accesses counts behind the first atomic of the block as well.
    void anAtomicForgetsNothingOfLds_data() {
        QTest::addColumn<AccessKind>("before");
        QTest::addColumn<AccessKind>("behind");
        QTest::newRow("write, read") << AccessKind::write << AccessKind::read;
        QTest::newRow("read, write") << AccessKind::read << AccessKind::write;
        QTest::newRow("write, write") << AccessKind::write << AccessKind::write;
    }
    void anAtomicForgetsNothingOfLds() {
        QFETCH(AccessKind, before);
        QFETCH(AccessKind, behind);
        for (const bool isOfMemory : {false, true}) {
            Device device;
            device.lds(0, 3, before, 2, 1);
            if (isOfMemory) {
                device.atomic(0, flag, AccessKind::update, 1, 1);
            } else {
                device.lds(0, 9, AccessKind::atomicWrite, 1, 1);
            }
            device.lds(0, 3, behind, 1, 1);
            QVERIFY(device.found());
            QCOMPARE(device.races.race()->first.wave, std::uint32_t(2));
            QCOMPARE(device.races.race()->first.writes, before == AccessKind::write);
        }
        Device apart;
        apart.lds(0, 3, before, 2, 0);
        apart.lds(0, 9, AccessKind::atomicWrite, 1, 1);
        apart.lds(0, 3, behind, 1, 1);
        QVERIFY(!apart.found());
    }

    // Rows of one wave, and rows that another wave has written.
    void rowsOfLdsAreReadAtOnce() {
        const auto reads = [](Device& device, std::size_t offset, std::uint32_t wave) {
            return device.races.readLds(device.known[0], {wave, 0}, {offset, 4, 16, 4}, nullptr);
        };
        Device device;
        device.lds(0, 4, AccessKind::write, 0, 0);
        QVERIFY(reads(device, 0, 0));
        QVERIFY(reads(device, 4, 1)); // between
        QVERIFY(!reads(device, 0, 1));
        QVERIFY(!device.found()); // each has to be told
        device.lds(0, 5, AccessKind::write, 0, 0);
        QVERIFY(device.found()); // what was read at once
    }

    void aFlagOrdersTheWavesOfABlock() {
        Device device;
        device.lds(0, 3, AccessKind::write, 0, 0);
        device.lds(0, 5, AccessKind::atomicWrite, 0, 0);
        device.lds(0, 5, AccessKind::atomicRead, 1, 0);
        device.lds(0, 3, AccessKind::read, 1, 0);
        QVERIFY(!device.found());
        device.lds(0, 3, AccessKind::read, 2, 0);
        QVERIFY(device.found());
    }

    void aPlainFlagInLdsOrders() {
        Device device;
        device.lds(0, 3, AccessKind::write, 0, 0);
        device.lds(0, 5, AccessKind::write, 0, 0);
        device.lds(0, 5, AccessKind::atomicRead, 1, 0);
        device.lds(0, 3, AccessKind::read, 1, 0);
        QVERIFY(!device.found());
    }

    void memoryThatIsNotWatchedIsNobodysConcern() {
        Device device;
        std::uint32_t other = 0;
        const std::uint32_t value = 1;
        device.races.access(device.known[0], {}, &other, 4, AccessKind::write, &value);
        device.races.access(device.known[1], {}, &other, 4, AccessKind::read, nullptr);
        QVERIFY(!device.found());
        QCOMPARE(device.races.accesses(), std::uint64_t(0));
    }

    void rowsOfWritesMeetInALine() {
        const std::vector<std::uint32_t> ones(16, 1), twos(16, 2);
        {
            Device device;
            device.writeRow(0, 0, ones);
            device.writeRow(0, 0, twos); // its own
            device.writeRow(1, 16, ones);
            QVERIFY(!device.found());
            device.writeRow(1, 0, twos); // the same value
            QVERIFY(!device.found());
            device.writeRow(2, 0, ones);
            QVERIFY(device.found());
        }
        {
            Device device;
            device.writeRow(0, 32, ones);
            device.read(0, 40);
            QVERIFY(!device.found());
            device.read(1, 40);
            QVERIFY(device.found());
            QCOMPARE(device.races.race()->first.block, std::uint64_t(0));
            QVERIFY(device.races.race()->first.writes);
        }
        {
            Device device;
            device.read(1, 47);
            device.writeRow(0, 32, ones);
            QVERIFY(device.found());
        }
        { // of the same block, behind a barrier
            Device device;
            device.writeRow(0, 32, ones, 0, 0);
            device.read(0, 40, 1, 1);
            QVERIFY(!device.found());
            device.writeRow(0, 32, twos, 2, 1);
            QVERIFY(device.found());
        }
    }

    // Whatever is told in rows is found as where each lane tells it.
    void rowsAreAsTheirLanes() {
        std::uint32_t state = 1;
        const auto random = [&state](std::uint32_t most) {
            state = state * 1664525U + 1013904223U;
            return (state >> 16U) % most;
        };
        int races = 0;
        for (int round = 0; round < 2000; ++round) {
            Device inRows, byLanes;
            const bool isLds = random(2) == 0;
            for (int step = 0; step < 5; ++step) {
                const std::size_t block = isLds ? 0 : random(2);
                const std::size_t word = isLds ? random(3) * 8 : random(3) * 16 + (random(4) == 0 ? 5 : 0);
                const std::uint32_t wave = random(2), interval = static_cast<std::uint32_t>(step / 3);
                if (random(3) == 0) {
                    for (Device* device : {&inRows, &byLanes}) {
                        isLds ? device->lds(block, word, AccessKind::read, wave, interval)
                              : device->read(block, word, wave, interval);
                    }
                    continue;
                }
                std::vector<std::uint32_t> values(16 + 16 * random(2), random(2) + 1);
                values[3] = random(8) == 0 ? 7 : values[3];
                if (isLds) {
                    inRows.ldsRow(block, word, values, wave, interval);
                } else {
                    inRows.writeRow(block, word, values, wave, interval);
                }
                for (std::size_t i = 0; i < values.size(); ++i) {
                    if (isLds) {
                        byLanes.ldsRow(block, word + i, {values[i]}, wave, interval);
                    } else {
                        byLanes.write(block, word + i, values[i], wave, interval);
                    }
                }
            }
            QVERIFY2(inRows.found() == byLanes.found(), qPrintable(QString::number(round)));
            races += inRows.found() ? 1 : 0;
        }
        QVERIFY2(races > 200 && races < 1900, qPrintable(QString::number(races)));
    }

    // Rows that lie between each other touch nothing in common, and none that do are taken for such.
    void rowsMeetWhereTheyShareAByte() {
        const auto bytesOf = [](const ThreadRows& rows) {
            std::set<std::uintptr_t> bytes;
            rows.forEachStrip([&](const StripRow& strip, std::uint32_t) {
                for (std::uint32_t lane = 0; lane < stripThreads; ++lane) {
                    for (std::size_t i = 0; i < strip.bytes; ++i) {
                        bytes.insert(strip.first + static_cast<std::uintptr_t>(strip.laneBytes * lane) + i);
                    }
                }
            });
            return bytes;
        };
        ThreadRows columns; // of a tile of 16 rows of 256 bytes: a strip writes one, of which there are 16
        columns.first = {1 << 20, 256, 4, nullptr, nullptr};
        columns.strip = {4, 16};
        ThreadRows behind = columns;
        behind.first.first += 64;
        QVERIFY(!columns.meets(behind) && !behind.meets(columns));
        behind.first.first -= 4;
        QVERIFY(columns.meets(behind) && behind.meets(columns));
        std::uint32_t state = 1;
        const auto random = [&state](std::uint32_t most) {
            state = state * 1664525U + 1013904223U;
            return (state >> 16U) % most;
        };
        constexpr std::intptr_t distances[] = {0, 4, 8, 16, 64, 68, 128, 256, 1024};
        const auto distance = [&] { return distances[random(9)] * (random(4) == 0 ? -1 : 1); };
        int apart = 0;
        for (int round = 0; round < 3000; ++round) {
            ThreadRows rows;
            rows.first = {1 << 20, distance(), std::uint64_t{4} << random(3), nullptr, nullptr};
            rows.strip = {distance(), 1 + random(3)};
            rows.row = {distance(), 1 + random(3)};
            ThreadRows others = rows;
            others.first.first += 4 * random(64);
            const std::set<std::uintptr_t> mine = bytesOf(rows), theirs = bytesOf(others);
            const bool share =
                std::any_of(mine.begin(), mine.end(), [&](std::uintptr_t byte) { return theirs.contains(byte); });
            QVERIFY2(rows.meets(others) || !share, qPrintable(QString::number(round)));
            apart += rows.meets(others) ? 0 : 1;
        }
        QVERIFY2(apart > 500, qPrintable(QString::number(apart)));
    }

    void itLooksOnlySoFar() {
        RaceDetector::Limits limits;
        limits.pages = 1;
        Device device(limits);
        const auto share = [&](std::size_t word) {
            device.read(0, word);
            device.read(1, word);
        };
        share(data);
        QVERIFY(device.races.isComplete());
        share(4096);
        QVERIFY(!device.races.isComplete());
        device.write(1, data, 1);
        QVERIFY(!device.found());
        limits.pages = 0; // nor words of any
        Device none(limits);
        none.write(0, data, 1);
        QVERIFY(!none.races.isComplete());
        RaceDetector::Limits few;
        few.events = 8;
        Device counting(few);
        for (int i = 0; i < 8; ++i) {
            counting.atomic(0, flag);
        }
        QVERIFY(!counting.races.isComplete());
    }
};

QTEST_APPLESS_MAIN(HipcpuRaceDetector)
#include "hipcpu_race_detector.moc"
