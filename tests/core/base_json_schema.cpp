// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_schema.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

// Every keyword that the schemas of replies use, at its border, on values that it speaks of and on others.
class BaseJsonSchema : public QObject {
    Q_OBJECT
private slots:
    void keywords_data();
    void keywords();
    void placesAreNamed();
    void listEndsSomewhere();
};

void BaseJsonSchema::keywords_data() {
    QTest::addColumn<QByteArray>("schema");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char* schema, const char* value, bool fits) {
        QTest::addRow("%s %s", schema, value) << QByteArray(schema) << QByteArray(value) << fits;
    };
    row("{}", "1", true);
    row(R"({"type":"integer"})", "3", true);
    row(R"({"type":"integer"})", "3.0", true);
    row(R"({"type":"integer"})", "3.5", false);
    row(R"({"type":"number"})", "\"3\"", false);
    row(R"({"type":"string"})", "null", false);
    row(R"({"type":"boolean"})", "0", false);
    row(R"({"type":"null"})", "null", true);
    row(R"({"type":"object"})", "[]", false);
    row(R"({"type":"array"})", "{}", false);
    row(R"({"enum":["done",6]})", "\"done\"", true);
    row(R"({"enum":["done",6]})", "6.0", true);
    row(R"({"enum":["done",6]})", "\"6\"", false);
    row(R"({"minLength":2,"maxLength":3})", "\"f\"", false);
    row(R"({"minLength":2,"maxLength":3})", "\"fo\"", true);
    row(R"({"minLength":2,"maxLength":3})", "\"fooo\"", false);
    row(R"({"minLength":2,"maxLength":3})", "100", true);
    row(R"({"minLength":2})", R"("\ud83d\udca9")", false); // one character in four bytes
    row(R"({"maxLength":3})", R"("\ud83d\udca9\ud83d\udca9\ud83d\udca9")", true);
    row(R"({"maxLength":3})", R"("a\u0000")", false); // the rest might be hidden
    row(R"({"pattern":"^[0-9]{1,9}$"})", "\"12\"", true);
    row(R"({"pattern":"^[0-9]{1,9}$"})", "\"12/\"", false);
    row(R"({"pattern":"a+"})", "\"xaax\"", true); // not anchored by itself
    row(R"({"minimum":-2,"maximum":3})", "-2", true);
    row(R"({"minimum":-2,"maximum":3})", "-2.0001", false);
    row(R"({"minimum":-2,"maximum":3})", "3", true);
    row(R"({"minimum":-2,"maximum":3})", "3.5", false);
    row(R"({"minimum":-2,"maximum":3})", "\"x\"", true);
    row(R"({"minItems":1,"maxItems":2})", "[]", false);
    row(R"({"minItems":1,"maxItems":2})", "[1,2]", true);
    row(R"({"minItems":1,"maxItems":2})", "[1,2,3]", false);
    row(R"({"items":{"type":"integer"}})", "[1,\"x\"]", false);
    row(R"({"items":{"type":"integer"}})", "[]", true);
    row(R"({"required":["a"]})", "{}", false);
    row(R"({"required":["a"]})", R"({"a":null})", true);
    row(R"({"required":["a"]})", "12", true);
    row(R"({"properties":{"a":{"type":"string"}}})", R"({"a":1})", false);
    row(R"({"properties":{"a":{"type":"string"}}})", R"({"b":1})", true);
    row(R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1})", true);
    row(R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1,"b":2})", false);
    row(R"({"additionalProperties":false})", R"({"":1})", false);
    // What is not known is refused: a limit that nobody checks is none.
    row(R"({"uniqueItems":true})", "[1]", false);
    row(R"({"additionalProperties":{"type":"string"}})", "{}", false);
    row(R"({"type":["string","null"]})", "null", false);
    row(R"({"pattern":"("})", "\"x\"", false);
    row(R"({"minimum":"low"})", "1", false);
}

void BaseJsonSchema::keywords() {
    QFETCH(QByteArray, schema);
    QFETCH(QByteArray, value);
    QFETCH(bool, fits);
    const auto result = validate(Json::parse(value.toStdString()), Json::parse(schema.toStdString()));
    QVERIFY2(result.has_value() == fits, result ? "fits" : result.error().what.c_str());
}

void BaseJsonSchema::placesAreNamed() {
    const Json schema = Json::parse(R"({"properties":{"a/b":{"items":{"properties":{"low":{"minimum":0}}}}}})");
    const auto result = validate(Json::parse(R"({"a/b":[{"low":1},{"low":-4}]})"), schema);
    QVERIFY(!result);
    QCOMPARE(result.error().what, std::string("/a~1b/1/low: is -4, at least 0 is asked for"));
}

void BaseJsonSchema::listEndsSomewhere() {
    const auto result = validate(Json(std::vector<int>(1000, 1)), Json::parse(R"({"items":{"type":"string"}})"));
    QVERIFY(!result);
    QVERIFY2(result.error().what.size() < 300 && result.error().what.find("and 995 more") != std::string::npos,
             result.error().what.c_str());
}

QTEST_APPLESS_MAIN(BaseJsonSchema)
#include "base_json_schema.moc"
