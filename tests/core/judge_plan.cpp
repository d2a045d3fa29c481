// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/device_answers.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_check.h"
#include "core/judge/plan/plan_compare.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/plan_rows.h"

#include <QTest>
#include <algorithm>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

constexpr std::uint64_t inputAt = 0x7f0000000000;
constexpr std::uint64_t outputAt = 0x7f0000100000;
constexpr std::uint64_t workspaceAt = 0x7f0000200000;
constexpr std::uint64_t variableAt = 0x7f0000300000;
constexpr std::uint64_t secondSet = 0x40000000; // how far it lies from the first

ModuleFacts facts(DeviceCode code = DeviceCode::amd) {
    ModuleFacts facts;
    facts.code = code;
    facts.kernels = {{"_Z5scalePKfPfi", {8, 8, 4}, {}, 256, 1024, 64512, 0},
                     {"padded", {16}, {{0, 4, 4}}, 64, 0, 0, 0}};
    facts.variables = {{"table", 64, false}, {"weights", 128, true}};
    return facts;
}

SetAddresses addresses(std::uint64_t move = 0) {
    return {{{"x", inputAt + move, 4096, false}, {"y", outputAt + move, 4096, true}},
            workspaceAt + move,
            1024,
            {{"table", variableAt}}};
}

PlanBytes word(std::uint64_t value, std::size_t bytes = 8) {
    PlanBytes result(bytes);
    std::memcpy(result.data(), &value, std::min(bytes, sizeof value));
    return result;
}

KernelLaunch launch(std::uint64_t move = 0) {
    return {
        "_Z5scalePKfPfi", {16, 1, 1}, {64, 1, 1}, 512, {}, {word(inputAt + move), word(outputAt + move), word(7, 4)}};
}

LaunchPlan plan(std::uint64_t move = 0) {
    LaunchPlan plan;
    plan.streams = {{StreamKind::solve, 0}, {StreamKind::nonBlocking, -1}};
    plan.operations = {
        {0, 0x1234, DeviceFill{outputAt + move, 0x3f, 1, 4096}},
        {0, 0x1240, EventRecord{0}},
        {1, 0x1250, EventWait{0}},
        {1, 0x1260, launch(move)},
        {1, 0x1270, DeviceCopy{workspaceAt + move, inputAt + move, 64, 4, 256, 1024}},
        {0, 0x1280, HostWrite{workspaceAt + move, {1, 2, 3}}},
        {0, 0x1290, SymbolCopy{"table", 8, inputAt + move, 16, true}},
        {0, 0x12a0, SymbolWrite{"weights", 4, {9, 8}}},
    };
    return plan;
}

LaunchPlan planOf(PlanAction action) {
    LaunchPlan plan;
    plan.operations = {{0, 0, std::move(action)}};
    return plan;
}

QString said(const Result<void>& result) {
    return result ? QStringLiteral("accepted") : QString::fromStdString(result.error().message());
}

QString checked(const LaunchPlan& plan) {
    return said(checkPlan(plan, facts(), addresses()));
}

// The sentence that reading gives after a change of a good plan's JSON.
QString readAfter(const std::function<void(Json&)>& change) {
    Json json = toJson(plan());
    change(json);
    const auto read = planFromText(json.dump(), "plan");
    return read ? QStringLiteral("accepted") : QString::fromStdString(read.error().message());
}

} // namespace

class JudgePlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writtenAndReadIsTheSame();
    void factsAndAddressesLikewise();
    void aGoodPlanPasses();
    void hostileText();
    void hostileNumbers_data();
    void hostileNumbers();
    void unknownAndMissingFields();
    void operationsOutOfTheirRights_data();
    void operationsOutOfTheirRights();
    void clustersAndTensorMaps();
    void clustersAndMapsOutOfTheirRights_data();
    void clustersAndMapsOutOfTheirRights();
    void launchesForAnotherDevice();
    void answersOfADevice();
    void boundsOfAPlan();
    void whatOnlyTheFirstCallDoes();
    void setupWritesVariablesAlone();
    void twoSets();
    void paddingIsNoPartOfAPlan();
    void inWords();
};

void JudgePlan::writtenAndReadIsTheSame() {
    const std::string text = toJson(plan()).dump();
    const auto read = planFromText(text, "plan");
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(*read == plan());
    QCOMPARE(toJson(*read).dump(), text);
}

void JudgePlan::factsAndAddressesLikewise() {
    const auto read = moduleFactsFromText(toJson(facts()).dump(), "facts");
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(*read == facts());
    const auto set = setAddressesFromJson(toJson(addresses()), "set");
    QVERIFY2(set.has_value(), set ? "" : set.error().message().c_str());
    QVERIFY(*set == addresses());
    Json outside = toJson(facts());
    outside["kernels"][1]["padding"][0] = {0, 12, 8};
    const auto refused = moduleFactsFromJson(outside, "facts");
    QVERIFY(!refused);
    QCOMPARE(refused.error().message(), "facts, kernel 2: \"padding\" does not name bytes of arguments");
}

void JudgePlan::aGoodPlanPasses() {
    QCOMPARE(checked(plan()), "accepted");
}

void JudgePlan::hostileText() {
    const std::string large(planTextLimitBytes + 1, ' ');
    QCOMPARE(QString::fromStdString(planFromText(large, "plan").error().message()),
             "plan: too large (1048577 bytes, limit 1048576)");
    // A million operations do not fit in the text; built by other means they are refused by their number.
    LaunchPlan million;
    million.operations.assign(1'000'000, {0, 0, EventRecord{0}});
    QCOMPARE(checked(million), "launch plan: more than 1000 operations on one stream");
    QCOMPARE(readAfter([](Json& json) {
                 json["operations"] = Json::array();
                 json["operations"].get_ref<Json::array_t&>().resize(40'000);
             }),
             "plan: \"operations\" has too many entries (40000, limit 32000)");
    const auto nested = planFromText(std::string(200'000, '['), "plan");
    QVERIFY(!nested);
    QCOMPARE(nested.error().kind, ErrorKind::kernel);
    QVERIFY2(nested.error().message().find("nested too deeply") != std::string::npos, nested.error().message().c_str());
    // Four gigabytes of captured bytes cannot be said in a text of a megabyte, and a megabyte's worth is too much.
    QCOMPARE(readAfter([](Json& json) { json["operations"][5]["bytes"] = std::string(600'000, '0'); }),
             "plan, operation 6: \"bytes\" holds too much (300000 bytes, limit 262144)");
    LaunchPlan much = planOf(HostWrite{workspaceAt, PlanBytes(200'000)});
    much.operations.push_back(much.operations.front());
    QCOMPARE(checked(much), "launch plan: more than 262144 bytes of host memory");
    QCOMPARE(readAfter([](Json& json) { json["operations"][3]["arguments"][0] = std::string(80'000, '0'); }),
             "plan, operation 4: \"arguments\" holds too much (40012 bytes, limit 32764)");
    QCOMPARE(readAfter([](Json& json) { json["operations"][3]["kernel"] = std::string(5000, 'k'); }),
             "plan, operation 4: \"kernel\" is too long (5000 bytes, limit 4096)");
}

void JudgePlan::hostileNumbers_data() {
    QTest::addColumn<QString>("value");
    for (const char* value : {"-1", "1.5", "1e400", "18446744073709551616", "NaN", "null", "true", "\"4096\"", "[]"}) {
        QTest::newRow(value) << QString::fromLatin1(value);
    }
}

void JudgePlan::hostileNumbers() {
    QFETCH(const QString, value);
    Json json = toJson(plan());
    json["operations"][0]["count"] = "here";
    std::string text = json.dump();
    text.replace(text.find("\"here\""), 6, value.toStdString());
    const auto read = planFromText(text, "plan");
    QVERIFY(!read);
    const QString message = QString::fromStdString(read.error().message());
    QVERIFY2(message.contains(QStringLiteral("is not a whole number from 0 to 18446744073709551615")) ||
                 message.contains(QStringLiteral("not valid JSON")) ||
                 message.contains(QStringLiteral("not acceptable JSON")),
             qPrintable(message));
    text = toJson(plan()).dump();
    const std::string address = "\"0x7f0000100000\"";
    text.replace(text.find(address), address.size(), value.toStdString());
    QVERIFY(!planFromText(text, "plan"));
}

void JudgePlan::unknownAndMissingFields() {
    QCOMPARE(readAfter([](Json& json) { json["extra"] = 1; }), "plan: unknown field \"extra\"");
    QCOMPARE(readAfter([](Json& json) { json["operations"][0]["note"] = "hello"; }),
             "plan, operation 1: unknown field \"note\"");
    QCOMPARE(readAfter([](Json& json) { json["operations"][3].erase("grid"); }),
             "plan, operation 4: \"grid\" is missing");
    QCOMPARE(readAfter([](Json& json) { json["operations"][3]["grid"] = {1, 1}; }),
             "plan, operation 4: \"grid\" is not three whole numbers of 32 bits");
    QCOMPARE(readAfter([](Json& json) { json["operations"][3]["grid"] = {1, 1, 4294967296}; }),
             "plan, operation 4: \"grid\" is not three whole numbers of 32 bits");
    QCOMPARE(readAfter([](Json& json) { json["operations"][0]["op"] = "execute"; }),
             "plan, operation 1: \"op\" names no operation");
    QCOMPARE(readAfter([](Json& json) { json["version"] = 3; }), "plan: \"version\" is 3, and only 2 can be read");
    QCOMPARE(readAfter([](Json& json) { json["streams"][0]["kind"] = "own"; }),
             "plan, stream 1: \"kind\" names no kind of stream");
    QCOMPARE(readAfter([](Json& json) { json["operations"][0]["to"] = "0x"; }),
             "plan, operation 1: \"to\" is not an address");
    QCOMPARE(readAfter([](Json& json) { json["operations"][5]["bytes"] = "0g"; }),
             "plan, operation 6: \"bytes\" does not hold bytes as pairs of hexadecimal digits");
    QCOMPARE(readAfter([](Json& json) { json = Json::array(); }), "plan: not a JSON object");
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
KernelLaunch clustered(std::uint64_t move = 0) {
    const TensorMap map = {7, outputAt + move, {32, 8}, {128}, {32, 8}, {1, 1}, 0, 3, 2, 0};
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
    // What a map describes moves with its buffer, and with nothing else.
    const auto compared = [&](std::uint64_t move) {
        return differByAddressesAlone(planOf(clustered()), addresses(), planOf(clustered(move)), addresses(secondSet))
            .has_value();
    };
    QVERIFY(compared(secondSet));
    QVERIFY(!compared(secondSet + 16));
    LaunchPlan other = planOf(clustered(secondSet));
    std::get<KernelLaunch>(other.operations[0].action).maps[0].map.box[0] = 16;
    QVERIFY(!differByAddressesAlone(planOf(clustered()), addresses(), other, addresses(secondSet)));
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
    QCOMPARE(askedOf(DeviceCode::cpu, together),
             "launch plan, operation 1: a cooperative launch, which this device does not have");
    QCOMPARE(askedOf(DeviceCode::amd, early),
             "launch plan, operation 1: a launch with clusters, with programmatic serialization or with a share of "
             "on-chip memory, which this device does not have");
    QCOMPARE(askedOf(DeviceCode::amd, mapped),
             "launch plan, operation 1: a tensor map, which this device does not have");
}

void JudgePlan::answersOfADevice() {
    const auto read = deviceAnswersFromJson(toJson(commonH200()), "device");
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(*read == commonH200());
    Json json = toJson(commonMi300x());
    json["attributes"] = {{1, 2, 3}};
    QCOMPARE(deviceAnswersFromJson(json, "device").error().message(),
             "device: \"attributes\" does not hold pairs of whole numbers");
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

void JudgePlan::twoSets() {
    const auto compared = [](const LaunchPlan& second) {
        return said(differByAddressesAlone(plan(), addresses(), second, addresses(secondSet)));
    };
    QCOMPARE(compared(plan(secondSet)), "accepted");
    const QString next = QStringLiteral(" differs between two sets of tensors by more than their addresses. Let what "
                                        "solve() does depend on the shape alone");
    LaunchPlan other = plan(secondSet);
    std::get<KernelLaunch>(other.operations[3].action).arguments[2] = word(8, 4);
    QCOMPARE(compared(other), "launch plan, operation 4: this launch" + next);
    other = plan(secondSet);
    std::get<KernelLaunch>(other.operations[3].action).arguments[1] = word(outputAt + secondSet + 4);
    QCOMPARE(compared(other), "launch plan, operation 4: this launch" + next);
    other = plan(secondSet);
    std::get<KernelLaunch>(other.operations[3].action).grid[0] = 15;
    QCOMPARE(compared(other), "launch plan, operation 4: this launch" + next);
    other = plan(secondSet);
    std::get<DeviceFill>(other.operations[0].action).to += 8;
    QCOMPARE(compared(other), "launch plan, operation 1: this fill" + next);
    other = plan(secondSet);
    std::get<SymbolWrite>(other.operations[7].action).bytes[0] = 1;
    QCOMPARE(compared(other), "launch plan, operation 8: this write-symbol" + next);
    other = plan(secondSet);
    other.operations[3].stream = 0;
    QCOMPARE(compared(other), "launch plan, operation 4: this launch" + next);
    other = plan(secondSet);
    other.operations.pop_back();
    QCOMPARE(compared(other), "launch plan: solve() does 8 operations on 2 streams with one set of tensors and 7 on 2 "
                              "with another. Let what solve() does depend on the shape alone");
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

void JudgePlan::inWords() {
    LaunchPlan shown = plan();
    auto& first = std::get<KernelLaunch>(shown.operations[3].action);
    first.block = {16, 4, 1};
    first.arguments[0] = word(inputAt + 64);
    PlanBytes structure = word(outputAt);
    const PlanBytes rest = word(std::uint64_t{7} << 32 | 9);
    structure.insert(structure.end(), rest.begin(), rest.end());
    shown.operations.push_back(
        {0, 0, KernelLaunch{"\xff", {2, 2, 2}, {1, 1, 1}, 0, {true}, {structure, word(0), word(5, 4), {1}}}});
    // Four bytes of its argument are padding.
    shown.operations.push_back({0, 0, KernelLaunch{"padded", {1, 1, 1}, {1, 1, 1}, 0, {}, {word(9, 16)}}});
    std::string text;
    for (const PlanRow& row : rowsOf(shown, facts(), addresses(), {{"n", 7}, {"m", 5}, {"k", 5}})) {
        text += row.stream + "|" + row.operation + "|" + row.what + "|" + row.grid + "|" + row.block + "|" + row.lds +
                "|" + row.arguments + "\n";
    }
    QCOMPARE(QString::fromStdString(text),
             QStringLiteral("0|fill|y, 4 KiB with 0x3f||||\n"
                            "0|record|event 0||||\n"
                            "1 non-blocking|wait|event 0||||\n"
                            "1 non-blocking|launch|scale(float const*, float*, int)|16|16 x "
                            "4|512 B|x+64, y, n=7\n"
                            "1 non-blocking|copy|x to workspace, 256 B in 4 rows||||\n"
                            "0|write|0x010203 to workspace, 3 B||||\n"
                            "0|copy-symbol|x to table+8, 16 B||||\n"
                            "0|write-symbol|0x0908 to weights+4, 2 B||||\n"
                            "0|launch|\uFFFD|2 x 2 x 2|1|0 B|cooperative; {y, 9, n=7}, null, "
                            "k|m=5, 0x01\n"
                            "0|launch|padded|1|1|0 B|{9, 0, 0}\n"));
}

QTEST_APPLESS_MAIN(JudgePlan)
#include "judge_plan.moc"
