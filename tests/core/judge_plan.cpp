// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan may do, checked exactly; how two of them are compared.
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/plan_rows.h"
#include "tests/core/plan_samples.h"

#include <QTest>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

class JudgePlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoodPlanPasses();
    void operationsOutOfTheirRights_data();
    void operationsOutOfTheirRights();
    void clustersAndTensorMaps();
    void clustersAndMapsOutOfTheirRights_data();
    void clustersAndMapsOutOfTheirRights();
    void launchesForAnotherDevice();
    void boundsOfAPlan();
    void whatOnlyTheFirstCallDoes();
    void setupWritesVariablesAlone();
    void paddingIsNoPartOfAPlan();
};

void JudgePlan::aGoodPlanPasses() {
    QCOMPARE(checked(plan()), "accepted");
}

void JudgePlan::operationsOutOfTheirRights_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<std::function<LaunchPlan()>>("make");
    const auto row = [](const char* name, const char* sentence, std::function<LaunchPlan()> make) {
        QTest::newRow(name) << QString::fromLatin1(sentence) << std::move(make);
    };
    const auto changed = [](const std::function<void(KernelLaunch&)>& change) {
        return [change] {
            KernelLaunch one = launch();
            change(one);
            return planOf(one);
        };
    };
    row("missing kernel", "launch plan, operation 1: the module has no kernel other",
        changed([](KernelLaunch& l) { l.kernel = "other"; }));
    row("number of arguments", "launch plan, operation 1: 2 arguments for _Z5scalePKfPfi, which has 3",
        changed([](KernelLaunch& l) { l.arguments.pop_back(); }));
    row("size of an argument",
        "launch plan, operation 1: argument 3 of _Z5scalePKfPfi has 8 bytes, and the kernel takes 4",
        changed([](KernelLaunch& l) { l.arguments[2] = word(7); }));
    row("block too large", "launch plan, operation 1: a block of 257 threads, and _Z5scalePKfPfi takes 1 to 256",
        changed([](KernelLaunch& l) { l.block = {257, 1, 1}; }));
    row("block that overflows",
        "launch plan, operation 1: a block of 18446744073709551615 threads, and _Z5scalePKfPfi takes 1 to 256",
        changed([](KernelLaunch& l) { l.block = {0x80000000, 0x80000000, 0x80000000}; }));
    row("empty block", "launch plan, operation 1: a block of 0 threads, and _Z5scalePKfPfi takes 1 to 256",
        changed([](KernelLaunch& l) { l.block = {64, 0, 1}; }));
    row("empty grid", "launch plan, operation 1: a grid of 0 x 1 x 1 blocks, beyond 1 to 2147483647 x 65535 x 65535",
        changed([](KernelLaunch& l) { l.grid = {0, 1, 1}; }));
    row("grid too large",
        "launch plan, operation 1: a grid of 1 x 65536 x 1 blocks, beyond 1 to 2147483647 x 65535 x 65535",
        changed([](KernelLaunch& l) { l.grid = {1, 65536, 1}; }));
    row("LDS", "launch plan, operation 1: 64513 bytes of dynamic LDS, and _Z5scalePKfPfi may have 64512",
        changed([](KernelLaunch& l) { l.dynamicLdsBytes = 64513; }));
    row("fill outside",
        "launch plan, operation 1: fills 4097 bytes at 0x7f0000100000, which is not inside one output, the workspace "
        "or "
        "one variable",
        [] { return planOf(DeviceFill{outputAt, 0, 1, 4097}); });
    row("fill of an input",
        "launch plan, operation 1: fills 4 bytes at 0x7f0000000000, which is not inside one output, the workspace or "
        "one variable",
        [] { return planOf(DeviceFill{inputAt, 0, 1, 4}); });
    row("fill that overflows", "launch plan, operation 1: fills 4611686018427387904 elements",
        [] { return planOf(DeviceFill{outputAt, 0, 4, std::uint64_t{1} << 62}); });
    row("fill of odd elements", "launch plan, operation 1: fills with elements of 3 bytes",
        [] { return planOf(DeviceFill{outputAt, 0, 3, 4}); });
    row("fill at the end of memory",
        "launch plan, operation 1: fills 16 bytes at 0xfffffffffffffff8, which is not inside one output, the workspace "
        "or one variable",
        [] { return planOf(DeviceFill{0xfffffffffffffff8, 0, 1, 16}); });
    row("copy from elsewhere",
        "launch plan, operation 1: copies 64 bytes from 0x1000, which is not inside one tensor, the workspace or one "
        "variable",
        [] { return planOf(DeviceCopy{outputAt, 0x1000, 64, 1, 0, 0}); });
    row("copy of rows into each other", "launch plan, operation 1: copies 2 rows of 64 bytes, 63 apart",
        [] { return planOf(DeviceCopy{outputAt, inputAt, 64, 2, 63, 64}); });
    row("copy that overflows", "launch plan, operation 1: copies 4294967296 rows of 64 bytes, 8589934592 apart",
        [] { return planOf(DeviceCopy{outputAt, inputAt, 64, std::uint64_t{1} << 32, std::uint64_t{1} << 33, 64}); });
    row("copy whose last row is outside",
        "launch plan, operation 1: copies 4160 bytes at 0x7f0000100000, which is not inside one output, the workspace "
        "or one variable",
        [] { return planOf(DeviceCopy{outputAt, inputAt, 64, 5, 1024, 64}); });
    row("write outside",
        "launch plan, operation 1: writes 2 bytes at 0x7f00002003ff, which is not inside one output, the workspace or "
        "one variable",
        [] { return planOf(HostWrite{workspaceAt + 1023, {1, 2}}); });
    row("symbol", "launch plan, operation 1: the module has no variable nowhere",
        [] { return planOf(SymbolWrite{"nowhere", 0, {1}}); });
    row("beyond a variable", "launch plan, operation 1: 1 bytes from byte 64 on of the variable table, which has 64",
        [] { return planOf(SymbolWrite{"table", 64, {1}}); });
    row("symbol to an input",
        "launch plan, operation 1: copies 8 bytes at 0x7f0000000000, which is not inside one output, the workspace or "
        "one variable",
        [] { return planOf(SymbolCopy{"table", 0, inputAt, 8, false}); });
    row("event of nobody", "launch plan, operation 1: waits for event 3, which nothing before it records",
        [] { return planOf(EventWait{3}); });
}

void JudgePlan::operationsOutOfTheirRights() {
    QFETCH(const QString, sentence);
    using Make = std::function<LaunchPlan()>;
    QFETCH(const Make, make);
    QCOMPARE(checked(make()), sentence);
}

namespace {

// A kernel of NVIDIA's device code with a map of y as its first argument.
KernelLaunch clustered() {
    const TensorMap map = {7, outputAt, {32, 8}, {128}, {32, 8}, {1, 1}, 0, 3, 2, 0};
    KernelLaunch one = {"mapped", {8, 1, 1}, {128, 1, 1}, 1024, {}, {PlanBytes(256), word(7, 4)}, {{0, 64, map}}};
    one.attributes.cluster = {4, 2, 1};
    one.grid = {8, 2, 1};
    one.attributes.clusterPolicy = 1;
    one.attributes.programmaticSerialization = true;
    one.attributes.carveoutPercent = 100;
    return one;
}

ModuleFacts factsOfCubins() {
    ModuleFacts of = facts(DeviceCode::nvidia);
    of.kernels.push_back({"mapped", {256, 4}, {}, 128, 0, 232448, 40});
    of.variables.push_back({"maps", 128, true});
    return of;
}

} // namespace

void JudgePlan::clustersAndTensorMaps() {
    LaunchPlan plan = planOf(clustered());
    plan.operations.push_back({0, 0, SymbolWrite{"maps", 0, PlanBytes(128), clustered().maps}});
    std::get<SymbolWrite>(plan.operations[1].action).maps[0].offset = 0;
    const auto read = planFromText(toJson(plan).dump(), "plan");
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(*read == plan);
    QCOMPARE(said(checkPlan(plan, factsOfCubins(), addresses())), "accepted");
    std::string text;
    for (const PlanRow& row : rowsOf(plan, factsOfCubins(), addresses(), {})) {
        text += row.what + "|" + row.arguments + "\n";
    }
    QCOMPARE(
        QString::fromStdString(text),
        QStringLiteral("mapped|cluster 4 x 2; cluster policy 1; may begin early; 100 % of on-chip memory as LDS; "
                       "{map of y, f32, 32 x 8, box 32 x 8}, 7\n"
                       "0x00000000000000000000000000000000... to maps+0, 128 B with {map of y, f32, 32 x 8, box 32 "
                       "x 8}|\n"));
}

void JudgePlan::clustersAndMapsOutOfTheirRights_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<std::function<void(KernelLaunch&)>>("change");
    const auto row = [](const char* name, const char* sentence, std::function<void(KernelLaunch&)> change) {
        QTest::newRow(name) << QStringLiteral("launch plan, operation 1: %1").arg(QLatin1String(sentence))
                            << std::move(change);
    };
    row("clusters that do not divide the grid", "clusters of 4 x 2 x 1 blocks in a grid of 9 x 2 x 1",
        [](KernelLaunch& l) { l.grid[0] = 9; });
    row("large clusters", "clusters of 32 x 1 x 1 blocks in a grid of 64 x 1 x 1", [](KernelLaunch& l) {
        l.grid = {64, 1, 1};
        l.attributes.cluster = {32, 1, 1};
    });
    row("empty clusters", "clusters of 0 x 2 x 1 blocks in a grid of 8 x 2 x 1",
        [](KernelLaunch& l) { l.attributes.cluster[0] = 0; });
    row("policy", "a cluster policy of 3 and 100 % of on-chip memory as LDS",
        [](KernelLaunch& l) { l.attributes.clusterPolicy = 3; });
    row("carveout", "a cluster policy of 1 and 101 % of on-chip memory as LDS",
        [](KernelLaunch& l) { l.attributes.carveoutPercent = 101; });
    row("a map past its argument", "a tensor map at byte 192 of argument 1, which has no room for it",
        [](KernelLaunch& l) { l.maps[0].offset = 192; });
    row("a map of no argument", "a tensor map at byte 64 of argument 3, which has no room for it",
        [](KernelLaunch& l) { l.maps[0].argument = 2; });
    row("two maps in one place", "a tensor map at byte 128 of argument 1, which has no room for it",
        [](KernelLaunch& l) {
            l.maps.push_back(l.maps[0]);
            l.maps[1].offset = 128;
        });
    row("a map over other bytes", "a tensor map at byte 64 of argument 1, which has no room for it",
        [](KernelLaunch& l) { l.arguments[0][100] = 1; });
    row("what the driver does not take", "a tensor map of 0x7f0000100000 that the driver does not take",
        [](KernelLaunch& l) { l.maps[0].map.box[0] = 64; }); // 256 bytes in a swizzle of 128
    row("a map without dimensions", "a tensor map of 0x7f0000100000 that the driver does not take",
        [](KernelLaunch& l) { l.maps[0].map.extents.clear(); });
    row("a map past its tensor",
        "maps 4224 bytes from 0x7f0000100000, which is not inside one tensor, the workspace or one variable",
        [](KernelLaunch& l) { l.maps[0].map.extents[1] = 33; });
    row("a map round all memory", "a tensor map that goes round all memory", [](KernelLaunch& l) {
        TensorMap& map = l.maps[0].map;
        map.extents = {4, std::uint64_t{1} << 32, std::uint64_t{1} << 32};
        map.strides = {(std::uint64_t{1} << 40) - 16, (std::uint64_t{1} << 40) - 16};
        map.box = {4, 1, 1};
        map.steps = {1, 1, 1};
    });
    row("too many maps", "65 tensor maps in one operation, and 64 are the most",
        [](KernelLaunch& l) { l.maps.assign(65, l.maps[0]); });
}

void JudgePlan::clustersAndMapsOutOfTheirRights() {
    QFETCH(const QString, sentence);
    using Change = std::function<void(KernelLaunch&)>;
    QFETCH(const Change, change);
    KernelLaunch launch = clustered();
    change(launch);
    QCOMPARE(said(checkPlan(planOf(launch), factsOfCubins(), addresses())), sentence);
}

// What one device has another has not: a planner that belongs to the candidate could ask for it all the same.
void JudgePlan::launchesForAnotherDevice() {
    const auto askedOf = [](DeviceCode code, const std::function<void(KernelLaunch&)>& change) {
        KernelLaunch one = launch();
        change(one);
        return said(checkPlan(planOf(one), facts(code), addresses()));
    };
    const auto together = [](KernelLaunch& l) { l.attributes.cooperative = true; };
    const auto early = [](KernelLaunch& l) { l.attributes.programmaticSerialization = true; };
    const auto mapped = [](KernelLaunch& l) { l.maps = clustered().maps; };
    QCOMPARE(askedOf(DeviceCode::amd, together), "accepted");
    QCOMPARE(askedOf(DeviceCode::nvidia, early), "accepted");
    QCOMPARE(askedOf(DeviceCode::cpu, together), "accepted");
    const auto crowd = [](KernelLaunch& l) {
        l.attributes.cooperative = true;
        l.grid = {9729, 1, 1};
    };
    QCOMPARE(askedOf(DeviceCode::cpu, crowd),
             "launch plan, operation 1: a cooperative launch of 9729 blocks, of which at most 9728 are there at once");
    QCOMPARE(askedOf(DeviceCode::amd, early),
             "launch plan, operation 1: a launch with clusters, with programmatic serialization or with a share of "
             "on-chip memory, which this device does not have");
    QCOMPARE(askedOf(DeviceCode::amd, mapped),
             "launch plan, operation 1: a tensor map, which this device does not have");
}

void JudgePlan::boundsOfAPlan() {
    LaunchPlan streams = plan();
    streams.operations[0].stream = 2;
    QCOMPARE(checked(streams), "launch plan: stream 2 of 2");
    streams = plan();
    streams.streams[1].kind = StreamKind::solve;
    QCOMPARE(checked(streams), "launch plan: the first stream, and no other, is the one that solve() is called with");
    streams.streams.assign(33, {StreamKind::blocking, 0});
    QCOMPARE(checked(streams), "launch plan: 33 streams, and a plan has 1 to 32");
    streams.streams = {{}, {StreamKind::legacy, 0}, {StreamKind::legacy, 0}};
    QCOMPARE(checked(streams), "launch plan: more than one null stream");
    QCOMPARE(checked(planOf(EventRecord{4096})), "launch plan: more than 4096 events");
    // Two streams may have a thousand each.
    LaunchPlan full;
    full.streams = {{}, {StreamKind::nonBlocking, 0}};
    for (std::uint32_t i = 0; i < 2000; ++i) {
        full.operations.push_back({i % 2, 0, EventRecord{0}});
    }
    QCOMPARE(checked(full), "accepted");
}

void JudgePlan::whatOnlyTheFirstCallDoes() {
    const PlanOperation once = {0, 0, SymbolWrite{"table", 0, {1, 2}}};
    LaunchPlan first = plan();
    first.operations.insert(first.operations.begin() + 3, once);
    LaunchPlan second = plan();
    second.operations[3].place = 0x9999; // another copy of the same line
    const auto split = splitSetup(first, second);
    QVERIFY(split.has_value());
    QCOMPARE(split->setup.operations.size(), std::size_t{1});
    QVERIFY(split->setup.operations[0] == once);
    QVERIFY(split->plan == second);
    QCOMPARE(said(checkSetup(split->setup, facts(), addresses())), "accepted");
    second = plan();
    second.operations.push_back({0, 0, launch()});
    const auto refused = splitSetup(plan(), second);
    QVERIFY(!refused);
    QCOMPARE(refused.error().message(), "launch plan, operation 9: the second call of solve() does a launch that the "
                                        "first has not done in this order. Do the same at every call");
    second = plan();
    for (PlanOperation& operation : second.operations) {
        if (auto* changed = std::get_if<KernelLaunch>(&operation.action)) {
            changed->arguments.back().back() ^= 0x40;
        }
    }
    const auto unset = splitSetup(plan(), second);
    QVERIFY(!unset);
    const std::size_t bytes = launch().arguments.back().size();
    const std::string place = fmt::format(" differs in bytes {0} to {0} of {1}. ", bytes - 1, bytes);
    QVERIFY2(unset.error().message().find(fmt::format("its argument {}{}", launch().arguments.size(), place)) !=
                     std::string::npos &&
                 unset.error().message().find("Clear a struct with memset") != std::string::npos,
             unset.error().message().c_str());
}

void JudgePlan::setupWritesVariablesAlone() {
    const auto setup = [](PlanAction action) {
        return said(checkSetup(planOf(std::move(action)), facts(), addresses()));
    };
    QCOMPARE(setup(SymbolWrite{"weights", 0, {1}}), "accepted");
    QCOMPARE(setup(DeviceFill{variableAt, 0, 4, 16}), "accepted");
    QCOMPARE(setup(HostWrite{variableAt + 60, {1, 2, 3, 4}}), "accepted");
    const QString refused =
        QStringLiteral("setup, operation 1: the first call of solve() does a %1 that the second does "
                       "not do, and what is done once may only write variables of the device. Do "
                       "the same at every call");
    QCOMPARE(setup(launch()), refused.arg(QStringLiteral("launch")));
    QCOMPARE(setup(DeviceFill{workspaceAt, 0, 1, 4}), refused.arg(QStringLiteral("fill")));
    QCOMPARE(setup(HostWrite{outputAt, {1}}), refused.arg(QStringLiteral("write")));
}

void JudgePlan::paddingIsNoPartOfAPlan() {
    PlanBytes argument(16);
    std::memcpy(argument.data(), "\x01\x02\x03\x04garbage!wxyz", 16);
    LaunchPlan padded = planOf(KernelLaunch{"padded", {1, 1, 1}, {1, 1, 1}, 0, {}, {argument}});
    clearPadding(padded, facts());
    const PlanBytes& left = std::get<KernelLaunch>(padded.operations[0].action).arguments[0];
    QCOMPARE(QByteArray(reinterpret_cast<const char*>(left.data()), 16),
             QByteArray("\x01\x02\x03\x04\0\0\0\0age!wxyz", 16));
}

QTEST_APPLESS_MAIN(JudgePlan)
#include "judge_plan.moc"
