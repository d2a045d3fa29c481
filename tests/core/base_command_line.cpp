// SPDX-License-Identifier: GPL-3.0-or-later
// A command line without a shell: which words a program gets, and what is refused rather than passed on.
#include "core/base/command_line.h"
#include "core/base/text.h"

#include <QTest>

using namespace gks;

class BaseCommandLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void words_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("words"); // joined by '|'
        const auto row = [](const char* name, const char* line, const char* words) {
            QTest::newRow(name) << QByteArray(line) << QByteArray(words);
        };
        row("blanks", "  claude   -p ", "claude|-p");
        row("double quotes", "sh \"a b\"c", "sh|a bc");
        row("single quotes", "sh 'a \"$x\" \\'", "sh|a \"$x\" \\");
        row("backslash", "a\\ b \"c\\\"d\" \\$x", "a b|c\"d|$x");
        row("empty word", "llm '' x", "llm||x");
        row("a tilde inside", "llm a~b", "llm|a~b");
    }
    void words() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, words);
        const auto found = commandWords(line.toStdString());
        QVERIFY2(found.has_value(), found ? "" : found.error().message().c_str());
        QCOMPARE(join(*found, "|"), words.toStdString());
    }

    void refused_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* name, const QByteArray& line, const char* why) {
            QTest::newRow(name) << line << QByteArray(why);
        };
        row("nothing", "  ", "missing command");
        row("no program", "'' x", "missing command");
        row("open quote", "a 'b", "does not end");
        row("open backslash", "a b\\", "ends with a backslash");
        row("pipe", "a | b", "no shell reads");
        row("variable", "a \"$HOME\"", "no shell reads");
        row("home", "~/a", "no shell reads");
        row("two lines", "a\nb", "cannot be seen");
        row("direction of writing", "a \u202e b", "cannot be seen");
        row("too long", QByteArray(static_cast<qsizetype>(commandLineLimitBytes) + 1, 'a'), "too long");
    }
    void refused() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, why);
        const auto found = commandWords(line.toStdString());
        QVERIFY(!found);
        QVERIFY2(found.error().message().find(why.toStdString()) != std::string::npos, found.error().message().c_str());
        QVERIFY(!found.error().next.empty());
    }

    void programsAreFoundOnce() {
        QVERIFY(commandProgram({"sh"})->is_absolute());
        QCOMPARE(commandProgram({"/bin/sh"}).value(), std::filesystem::path("/bin/sh"));
        QVERIFY(commandProgram({"bin/sh"}).error().what.find("unknown folder") != std::string::npos);
        QVERIFY(commandProgram({"no-such-program"}).error().what.find("not found") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(BaseCommandLine)
#include "base_command_line.moc"
