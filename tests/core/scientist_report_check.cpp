// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/report_check.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

const char* const before = "#define TILE 16\n"
                           "__global__ void kernel(const float* a, float* b, int n) {\n"
                           "    for (int i = 0; i < n; ++i) {\n"
                           "        b[i] = a[i];\n"
                           "    }\n"
                           "}\n";
const char* const after = "#define TILE 64\n"
                          "// Uses __builtin_nontemporal_load and unroll.\n"
                          "__global__ __launch_bounds__(256) void kernel(const float* a, float* b, int n) {\n"
                          "    for (int i = 0; i < n; ++i) {\n"
                          "        b[i] = a[i];\n"
                          "    }\n"
                          "}\n";

RubricItem checked(const std::string& item, const char* newSource = after) {
    std::vector<RubricItem> rubric{{item, true, "as asked"}};
    checkAgainstChange(rubric, before, newSource);
    return rubric.front();
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class ScientistReportCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAnswerTheRubric();
    void whatAnItemNames_data();
    void whatAnItemNames();
    void claimsWithoutAChange();
    void claimsThatTheChangeCannotHold();
    void whatCannotBeDecidedStaysOpen();
    void secondOpinion();
    void accountForPeople();
};

void ScientistReportCheck::rowsAnswerTheRubric() {
    const Json report = {{{"item", "Add launch bounds of 256"}, {"used", true}, {"note", "yes\n\x1b[31m"}}};
    const auto items = rubricFromReport(report, "1. Add launch bounds of 256\n\n- Unroll the loop by four\n");
    QCOMPARE(items.size(), std::size_t{2});
    QVERIFY(items[0].claimed && items[0].note == "yes  [31m");
    QCOMPARE(items[1].item, std::string("Unroll the loop by four"));
    QVERIFY(!items[1].claimed && contains(items[1].note, "not mentioned"));
    // In other words, but one for one.
    const Json two = {{{"item", "a"}, {"used", true}, {"note", ""}}, {{"item", "b"}, {"used", false}, {"note", ""}}};
    QCOMPARE(rubricFromReport(two, "Add launch bounds\nUnroll the loop").size(), std::size_t{2});
    Json many = Json::array();
    for (int i = 0; i < 100; ++i) {
        many.push_back(two.front());
    }
    QCOMPARE(rubricFromReport(many, "").size(), rubricItemLimit);
}

void ScientistReportCheck::whatAnItemNames_data() {
    QTest::addColumn<QByteArray>("item");
    QTest::addColumn<QByteArray>("things");
    const auto row = [](const char* item, const char* things) {
        QTest::newRow(item) << QByteArray(item) << QByteArray(things);
    };
    row("Add __launch_bounds__(256) to the kernel", "__launch_bounds__ 256");
    row("Set TILE_M to 64", "TILE_M 64");
    row("Use `float4` loads of `a`", "float4");
    row("Read threadIdx once", "threadIdx");
    row("Declare the pointers `restrict`", "restrict");
    row("Unroll the loop over k by 4, In LDS", "");
    row("An `open quote", "");
}

void ScientistReportCheck::whatAnItemNames() {
    QFETCH(QByteArray, item);
    QFETCH(QByteArray, things);
    QByteArrayList found;
    for (const std::string& thing : namedThings(item.toStdString())) {
        found.append(QByteArray::fromStdString(thing));
    }
    QCOMPARE(found.join(' '), things);
}

void ScientistReportCheck::claimsWithoutAChange() {
    const std::string renamed = "// better\n" + std::string(before);
    const RubricItem item = checked("Make everything faster", renamed.c_str());
    QVERIFY(item.confirmed == false && contains(item.evidence, "only comments"));
    std::vector<RubricItem> honest{{"Make everything faster", false, "not done"}};
    checkAgainstChange(honest, before, before);
    QVERIFY(!honest.front().confirmed);
}

void ScientistReportCheck::claimsThatTheChangeCannotHold() {
    const RubricItem builtin = checked("Load with __builtin_amdgcn_raw_buffer_load");
    QVERIFY2(builtin.confirmed == false && contains(builtin.evidence, "or elsewhere in the source"),
             builtin.evidence.c_str());
    const RubricItem there =
        checked("Set the arguments of `kernel` apart", "#define TILE 64\n__global__ void kernel() {}\n");
    QVERIFY(!there.confirmed);
    const RubricItem tile = checked("Use TILE_N of 128");
    QVERIFY2(tile.confirmed == false && contains(tile.evidence, "TILE_N, 128 are not in any changed line"),
             tile.evidence.c_str());
}

void ScientistReportCheck::whatCannotBeDecidedStaysOpen() {
    for (const char* item : {"Add __launch_bounds__(256)", "Set TILE to 64", "Write better code",
                             "Use no __shared__ memory", "Remove the old TILE_K", "Replace 1000 by something"}) {
        QVERIFY2(!checked(item).confirmed, item);
    }
}

void ScientistReportCheck::secondOpinion() {
    std::vector<RubricItem> rubric{
        {"one", true, ""}, {"two_things", true, ""}, {"three", false, ""}, {"four", true, ""}};
    rubric[1].confirmed = false;
    rubric[1].evidence = "two_things is not in any changed line";
    const auto entry = [](int number, const char* verdict) {
        return Json{{"number", number}, {"verdict", verdict}, {"evidence", "line 7\nsays so"}};
    };
    const Json reply = {{"items", {entry(1, "not done"), entry(2, "done"), entry(3, "done"), entry(4, "unclear")}}};
    QVERIFY(applyCheck(rubric, reply));
    QVERIFY(rubric[0].confirmed == false && rubric[0].evidence == "line 7 says so");
    QVERIFY(rubric[1].confirmed == true && contains(rubric[1].evidence, "(but two_things is"));
    QVERIFY(rubric[2].confirmed == true && !rubric[3].confirmed);
    const auto beyond = applyCheck(rubric, {{"items", {entry(5, "done")}}});
    QVERIFY(!beyond && contains(beyond.error().what, "item 5 is not"));
    // A model cannot talk an empty change into something.
    std::vector<RubricItem> nothing{{"one", true, ""}};
    checkAgainstChange(nothing, before, before);
    QVERIFY(applyCheck(nothing, {{"items", {entry(1, "done")}}}));
    QVERIFY(nothing.front().confirmed == false);
}

void ScientistReportCheck::accountForPeople() {
    const std::string text = reportText({{"a", true, "n", true, "e"},
                                         {"b", true, "n", false, "line 3"},
                                         {"c", false, "n"},
                                         {"d", false, "n", true, "line 4"}});
    QCOMPARE(text,
             std::string("- used: a (n) [confirmed by the code]\n- used: b (n) [doubted: line 3]\n- not used: c (n)\n"
                         "- not used: d (n) [yet the code has it: line 4]"));
}

QTEST_APPLESS_MAIN(ScientistReportCheck)
#include "scientist_report_check.moc"
