// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/command_line.h"

#include <QTest>

using namespace gks;

class CommandLineTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everything() {
        const auto line = parseCommandLine(QStringLiteral("a.gks --run --screenshot o.png --panel lineage --theme "
                                                          "light --size 1280x800 --kernel 12 --second 00004")
                                               .split(QLatin1Char(' ')));
        QVERIFY(line.has_value());
        QCOMPARE(line->file, QStringLiteral("a.gks"));
        QVERIFY(line->run);
        QCOMPARE(line->screenshot, QStringLiteral("o.png"));
        QCOMPARE(line->panel, QStringLiteral("lineage"));
        QCOMPARE(line->theme, std::optional(Theme::Choice::light));
        QCOMPARE(line->size, std::optional(QSize(1280, 800)));
        QCOMPARE(line->kernel, std::optional<KernelId>(12));
        QCOMPARE(line->second, std::optional<KernelId>(4));
    }

    void theHelpTellsOfEveryOption() {
        for (const char* option : {"--run", "--demo", "--screenshot", "--panel", "--whole", "--theme", "--size",
                                   "--kernel", "--second", "--lanes"}) {
            QVERIFY2(usageText().contains(QStringLiteral("\n  ") + QLatin1String(option)) ||
                         usageText().contains(QStringLiteral(", ") + QLatin1String(option)),
                     option);
        }
    }

    void lanes() {
        const auto line = parseCommandLine({QStringLiteral("--lanes"), QStringLiteral("local:0"),
                                            QStringLiteral("cpu:1"), QStringLiteral("a.gks"), QStringLiteral("--run")});
        QVERIFY(line.has_value());
        QCOMPARE(line->lanes, QStringLiteral("local:0 cpu:1"));
        QCOMPARE(line->file, QStringLiteral("a.gks"));
        QVERIFY(line->run);
    }

    void wrongUsage_data() {
        QTest::addColumn<QString>("arguments");
        for (const char* arguments :
             {"--frobnicate", "a.gks b.gks", "a.gks --theme blue", "a.gks --size big", "a.gks --size 10x10",
              "a.gks --size 99999x800", "a.gks --kernel x", "a.gks --kernel 0", "a.gks --screenshot", "--run",
              "--panel lineage", "a.gks --lanes moon:0", "--lanes cpu:0"}) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments);
        }
    }
    void wrongUsage() {
        QFETCH(QString, arguments);
        const auto line = parseCommandLine(arguments.split(QLatin1Char(' ')));
        QVERIFY(!line.has_value());
        QVERIFY(line.error().kind == ErrorKind::usage);
        QVERIFY(!QString::fromStdString(line.error().message()).contains(QLatin1Char('\n')));
    }
};

QTEST_APPLESS_MAIN(CommandLineTest)
#include "widgets_command_line.moc"
