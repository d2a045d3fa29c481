// SPDX-License-Identifier: GPL-3.0-or-later
// Plans and what is known of a module as text: written, read, hostile; and a plan in words.
#include "core/judge/plan/device_answers.h"
#include "core/judge/plan/facts_json.h"
#include "core/judge/plan/plan_json.h"
#include "core/judge/plan/plan_rows.h"
#include "tests/core/plan_samples.h"

#include <QTest>
#include <functional>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

// The sentence that reading gives after a change of a good plan's JSON.
QString readAfter(const std::function<void(Json&)>& change) {
    Json json = toJson(plan());
    change(json);
    const auto read = planFromText(json.dump(), "plan");
    return read ? QStringLiteral("accepted") : QString::fromStdString(read.error().message());
}

} // namespace

class JudgePlanText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writtenAndReadIsTheSame();
    void factsAndAddressesLikewise();
    void hostileText();
    void hostileNumbers_data();
    void hostileNumbers();
    void unknownAndMissingFields();
    void answersOfADevice();
    void inWords();
};

void JudgePlanText::writtenAndReadIsTheSame() {
    const std::string text = toJson(plan()).dump();
    const auto read = planFromText(text, "plan");
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(*read == plan());
    QCOMPARE(toJson(*read).dump(), text);
}

void JudgePlanText::factsAndAddressesLikewise() {
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

void JudgePlanText::hostileText() {
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

void JudgePlanText::hostileNumbers_data() {
    QTest::addColumn<QString>("value");
    for (const char* value : {"-1", "1.5", "1e400", "18446744073709551616", "NaN", "null", "true", "\"4096\"", "[]"}) {
        QTest::newRow(value) << QString::fromLatin1(value);
    }
}

void JudgePlanText::hostileNumbers() {
    QFETCH(const QString, value);
    Json json = toJson(plan());
    json["operations"][0]["count"] = "here";
    std::string text = json.dump();
    text.replace(text.find("\"here\""), 6, value.toStdString());
    const auto read = planFromText(text, "plan");
    QVERIFY(!read);
    const QString message = QString::fromStdString(read.error().message());
    QVERIFY2(message.contains(QStringLiteral("is not a whole number from 0 to 18446744073709551615")) ||
                 message.contains(QStringLiteral("invalid JSON")),
             qPrintable(message));
    text = toJson(plan()).dump();
    const std::string address = "\"0x7f0000100000\"";
    text.replace(text.find(address), address.size(), value.toStdString());
    QVERIFY(!planFromText(text, "plan"));
}

void JudgePlanText::unknownAndMissingFields() {
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

void JudgePlanText::answersOfADevice() {
    const auto read = deviceAnswersFromJson(toJson(commonH200()), "device");
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QVERIFY(*read == commonH200());
    DeviceAnswers plays;
    plays.architecture = "gfx950";
    QCOMPARE(deviceAnswersFromJson(toJson(plays), "device")->architecture, std::string("gfx950"));
    Json json = toJson(commonMi300x());
    json["attributes"] = {{1, 2, 3}};
    QCOMPARE(deviceAnswersFromJson(json, "device").error().message(),
             "device: \"attributes\" does not hold pairs of whole numbers");
}

void JudgePlanText::inWords() {
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

QTEST_APPLESS_MAIN(JudgePlanText)
#include "judge_plan_text.moc"
