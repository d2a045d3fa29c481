// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/edits.h"

#include <QTest>

using namespace gks;

namespace {

const char* const source = "#define TILE 16\n"
                           "__global__ void kernel(const float* a, float* b) {\n"
                           "    int i = threadIdx.x;\n"
                           "    b[i] = a[i] * 2;\n"
                           "    __syncthreads();\n"
                           "    b[i] += 1;\n"
                           "    __syncthreads();\n"
                           "}\n";

constexpr std::size_t limitBytes = 4096;

std::string complaint(const std::vector<Edit>& edits) {
    const auto result = withEdits(source, edits, limitBytes);
    return result ? std::string() : result.error().what;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class ScientistEdits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void appliedInOrder();
    void whiteSpaceIsForgivenOnlyWhereItIsClear();
    void refusals();
    void limits();
    void everySpanOfASourceIsFoundOrAmbiguous();
    void repetitiveTextEnds();
};

void ScientistEdits::appliedInOrder() {
    const auto result = withEdits(source,
                                  {{"TILE 16", "TILE 32"},
                                   {"    b[i] += 1;\n    __syncthreads();\n", "    b[i] += TILE;\n"},
                                   {"b[i] += TILE;", "b[i] += 2 * TILE;"}},
                                  limitBytes);
    QVERIFY2(result.has_value(), result ? "" : result.error().what.c_str());
    QCOMPARE(*result, std::string("#define TILE 32\n"
                                  "__global__ void kernel(const float* a, float* b) {\n"
                                  "    int i = threadIdx.x;\n"
                                  "    b[i] = a[i] * 2;\n"
                                  "    __syncthreads();\n"
                                  "    b[i] += 2 * TILE;\n"
                                  "}\n"));
}

void ScientistEdits::whiteSpaceIsForgivenOnlyWhereItIsClear() {
    const auto result =
        withEdits(source, {{"b[i]  =  a[i] * 2;\n\n  __syncthreads();\n", "  b[i] = a[i] * 3;\n"}}, limitBytes);
    QVERIFY2(result.has_value(), result ? "" : result.error().what.c_str());
    QVERIFY2(contains(*result, "\n    b[i] = a[i] * 3;\n    b[i] += 1;"), result->c_str());
    // An exact match wins over others that only look alike.
    QCOMPARE(withEdits("a  b\na b\n", {{"a b", "c"}}, limitBytes).value(), std::string("a  b\nc\n"));
    const auto twice = withEdits("a  b\na   b\n", {{"a b", "c"}}, limitBytes);
    QVERIFY(!twice && contains(twice.error().what, "several times when whitespace does not count"));
    // A blank is not nothing.
    QVERIFY(!withEdits("ab\n", {{"a b", "c"}}, limitBytes));
}

void ScientistEdits::refusals() {
    QVERIFY2(contains(complaint({{"TILE 16", "TILE 32"}, {"__syncthreads();", ""}}), "edit 2: the search text matches"),
             "ambiguous");
    QVERIFY(contains(complaint({{"__syncthreads();", ""}}), "(lines 5, 7)"));
    const std::string nowhere = complaint({{"    b[i] = a[j] * 2;", ""}});
    QVERIFY2(contains(nowhere, "edit 1: the search text was not found; the nearest place is at line 4:") &&
                 contains(nowhere, "b[i] = a[i] * 2;"),
             nowhere.c_str());
    QVERIFY2(complaint({{"nothing of this", ""}}).ends_with("was not found"), "no place is near");
    QVERIFY(contains(complaint({{"", "x"}}), "empty"));
    QVERIFY(contains(complaint({{" \n", "x"}}), "empty"));
    QVERIFY(contains(complaint({{"TILE", "TILE"}}), "changes nothing"));
    QVERIFY(contains(complaint({}), "none, and no source"));
    // What an earlier edit took away cannot be found any more.
    QVERIFY(contains(complaint({{"TILE 16", "SIZE 8"}, {"TILE 16", "TILE 4"}}), "edit 2"));
}

void ScientistEdits::limits() {
    QVERIFY(contains(complaint(std::vector<Edit>(editLimit + 1, {"TILE", "x"})), "at most 60"));
    QVERIFY(contains(complaint({{"TILE", std::string(editTextLimitBytes + 1, 'x')}}), "edit 1: more than"));
    QVERIFY(contains(complaint({{"TILE", std::string(limitBytes, 'x')}}), "larger than"));
}

void ScientistEdits::everySpanOfASourceIsFoundOrAmbiguous() {
    const std::string text = source;
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
        for (std::size_t size = 1; begin + size <= text.size(); size += 7) {
            const std::string search = text.substr(begin, size);
            const auto result = withEdits(text, {{search, "@"}}, limitBytes);
            if (result) {
                QCOMPARE(result->size(), text.size() - size + 1);
            } else {
                QVERIFY2(contains(result.error().what, "several ") || contains(result.error().what, "empty"),
                         result.error().what.c_str());
            }
        }
    }
}

void ScientistEdits::repetitiveTextEnds() {
    const std::string text(200000, 'a');
    const std::string search = std::string(60000, 'a') + "b";
    QVERIFY(!withEdits(text, std::vector<Edit>(editLimit, {search, ""}), text.size()));
    std::string columns;
    for (int i = 0; i < 20000; ++i) {
        columns += "a b c d\n";
    }
    QVERIFY(!withEdits(columns, {{"a b c e", ""}}, columns.size()));
}

QTEST_APPLESS_MAIN(ScientistEdits)
#include "scientist_edits.moc"
