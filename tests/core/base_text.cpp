// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/base/version_order.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

class BaseText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void linesKeepContentAndDropTerminators();
    void wordsAreRunsOfLetters();
    void abbreviatedNeverCutsACharacter();
    void sanitizedReplacesEveryMalformedByte();
    void terminalsObeyNothing();
    void foreignTextStaysWhoseItIs();
    void aFilesNameBeginsNoLine();
    void versionsCompareAsNumbers();
    void sha256MatchesTheStandard();
    void streamIsReproducibleAndMatchesRfc8439();
    void jsonErrorsNameTheLine();
    void deepJsonIsRefused();
};

void BaseText::linesKeepContentAndDropTerminators() {
    const auto all = lines("a\r\n\nb");
    QCOMPARE(all.size(), std::size_t{3});
    QVERIFY(all[0] == "a" && all[1].empty() && all[2] == "b");
    QCOMPARE(lines("a\n").size(), std::size_t{1});
    QCOMPARE(split("a,,b", ',').size(), std::size_t{3});
    QCOMPARE(replaceAll("aXbX", "X", "XX"), std::string("aXXbXX"));
}

void BaseText::wordsAreRunsOfLetters() {
    QCOMPARE(words("LDS_bank, 32-way \xc3\xbc!"), (std::vector<std::string_view>{"LDS_bank", "32", "way", "\xc3\xbc"}));
    QVERIFY(words(" .,-").empty());
}

void BaseText::abbreviatedNeverCutsACharacter() {
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += "\xc3\xbc"; // u umlaut
    }
    for (std::size_t limit = 1; limit < text.size(); ++limit) {
        const std::string shortened = abbreviated(text, limit);
        QCOMPARE(sanitizedUtf8(shortened), shortened);
    }
    QCOMPARE(abbreviated(text, text.size()), text);
}

void BaseText::sanitizedReplacesEveryMalformedByte() {
    const std::string replacement = "\xef\xbf\xbd";
    QCOMPARE(sanitizedUtf8("ok \xe2\x9c\x93"), std::string("ok \xe2\x9c\x93"));
    QCOMPARE(sanitizedUtf8("\xff"), replacement);
    QCOMPARE(sanitizedUtf8("\xc0\xaf"), replacement + replacement);         // overlong
    QCOMPARE(sanitizedUtf8("\xed\xa0\x80").size(), replacement.size() * 3); // surrogate
    QCOMPARE(sanitizedUtf8("a\xe2\x9c"), "a" + replacement + replacement);  // cut at the end
}

void BaseText::terminalsObeyNothing() {
    QCOMPARE(terminalText("plain \xc2\xb5s \xf0\x9f\x98\x80\n\tin"),
             std::string("plain \xc2\xb5s \xf0\x9f\x98\x80\n\tin"));
    QCOMPARE(terminalText("\x1b]0;owned\x07"), std::string("\\x1b]0;owned\\x07"));
    QCOMPARE(terminalText(std::string_view("\0\b\r.\x7f", 5)), std::string("\\x00\\x08\\x0d.\\x7f"));
    QCOMPARE(terminalText("a\r\nb"), std::string("a\nb"));
    QCOMPARE(terminalText("\xc2\x9b"
                          "31m"),
             std::string("\\x9b31m"));                                                   // C1
    QCOMPARE(terminalText("\xe2\x80\xae.\xe2\x81\xa6"), std::string("\\u202e.\\u2066")); // direction of writing
    QCOMPARE(terminalText("a\xe2\x80\xa8"
                          "b\xe2\x80\x8b"),
             std::string("a\\u2028b\\u200b"));
    QCOMPARE(terminalText("\x9b.\xe2\x80"), std::string("\\x9b.\\xe2\\x80")); // no UTF-8
    QCOMPARE(terminalLine("a\n\tb"), std::string("a  b"));
    std::string every;
    for (int byte = 0; byte < 256; ++byte) {
        every += static_cast<char>(byte);
    }
    QCOMPARE(terminalText(terminalText(every)), terminalText(every));
}

void BaseText::foreignTextStaysWhoseItIs() {
    QCOMPARE(quotation("a\nfaster: \"9x\"\x1b[2K\xff"), std::string("\"a faster: '9x'\\x1b[2K\\xff\""));
    const std::string longLine = quotation(std::string(5000, 'a') + "\njudge: faster");
    QVERIFY2(longLine.find('\n') == std::string::npos && longLine.size() < 400, longLine.c_str());
    QCOMPARE(attributed("k.hip:1: error: x\n\nfaster: 9x\r\n\x1b[2K", "compiler", 100),
             std::string("compiler: k.hip:1: error: x\ncompiler: faster: 9x\ncompiler: \\x1b[2K\n"));
    const std::string cut = attributed(std::string(5000, 'a'), "compiler", 300); // a cut begins lines of its own
    for (const std::string_view line : lines(cut)) {
        QVERIFY2(line.starts_with("compiler: "), cut.c_str());
    }
    QVERIFY(cut.size() < 400);
    QCOMPARE(attributed("", "compiler", 100), std::string());
}

void BaseText::aFilesNameBeginsNoLine() {
    const Error error = {ErrorKind::usage, "not found", "odd\nfaster: 9x\x1b[31m.hip", "Look again"};
    QCOMPARE(error.message(), std::string("odd faster: 9x\\x1b[31m.hip: not found. Look again"));
}

void BaseText::versionsCompareAsNumbers() {
    const std::vector<std::string> ordered = {"",     "5.7.1",  "6",        "6.2",      "6.9.2",
                                              "6.10", "6.10.1", "rocm-6.9", "rocm-6.10"};
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        for (std::size_t j = 0; j < ordered.size(); ++j) {
            QVERIFY2(versionBefore(ordered[i], ordered[j]) == (i < j), (ordered[i] + " " + ordered[j]).c_str());
        }
    }
    QVERIFY(!versionBefore("6.02", "6.2") && !versionBefore("6.2", "6.02"));
}

void BaseText::sha256MatchesTheStandard() {
    // FIPS 180-2, appendix B.1
    QCOMPARE(sha256Hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

void BaseText::streamIsReproducibleAndMatchesRfc8439() {
    Seed zero{};
    std::array<std::byte, 64> block{};
    SeededStream(zero, 0).fill(block);
    // RFC 8439, appendix A.1, test vector 1: key 0, nonce 0, counter 0
    QCOMPARE(std::to_integer<int>(block[0]), 0x76);
    QCOMPARE(std::to_integer<int>(block[1]), 0xb8);
    QCOMPARE(std::to_integer<int>(block[63]), 0x86);
    std::array<std::byte, 64> other{};
    SeededStream(zero, 1).fill(other);
    QVERIFY(block != other);
    // One call or many: the same stream.
    std::array<std::byte, 64> pieces{};
    SeededStream stream(zero, 0);
    stream.fill(std::span(pieces).first(7));
    stream.fill(std::span(pieces).subspan(7));
    QVERIFY(block == pieces);
    QVERIFY(randomSeed() != randomSeed());
}

void BaseText::jsonErrorsNameTheLine() {
    const auto bad = parseJson("{\n\"a\": }", "reply");
    QVERIFY(!bad);
    QCOMPARE(bad.error().where, std::string("reply:2"));
    QVERIFY(parseJson("{\"a\": 1}", "reply"));
}

void BaseText::deepJsonIsRefused() {
    QVERIFY(!parseJson(std::string(100000, '[') + std::string(100000, ']'), "reply"));
    QVERIFY(parseJson(std::string(100, '[') + std::string(100, ']'), "reply"));
}

QTEST_APPLESS_MAIN(BaseText)
#include "base_text.moc"
