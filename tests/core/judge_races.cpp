// SPDX-License-Identifier: GPL-3.0-or-later
// What the process with device code says of races: how it is read, and what becomes of it.
#include "core/base/text.h"
#include "core/judge/evaluator/trial/access_findings.h"

#include <QTest>

using namespace gks;
using frozen::RaceWords;

namespace {

RaceWords found() {
    RaceWords words;
    words.accesses = 512;
    words.race = RaceWords::Race{{0, 2, 0, true}, {0, 5, 1, false}, false, 0x1008, ""};
    return words;
}

KernelLaunch launch(const std::string& kernel, const Extent& grid) {
    KernelLaunch one;
    one.kernel = kernel;
    one.grid = grid;
    return one;
}

} // namespace

class JudgeRaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_pack.tensors.clear();
        for (const char* const name : {"x", "y"}) {
            TensorSpec tensor;
            tensor.name = name;
            tensor.type = ElementType::f32;
            m_pack.tensors.push_back(tensor);
        }
        m_regions = {region("x", 0x100), region("y", 0x1000), region("the workspace", 0x2000)};
        m_plan.operations = {
            {0, 0, launch("_Z3addi", {8, 1, 1})}, {0, 0, DeviceFill{}}, {0, 0, launch("total", {2, 3, 4})}};
        m_facts.variables.clear();
        VariableFacts variable;
        variable.symbol = "arrived";
        m_facts.variables.push_back(variable);
    }

    void wordsGoThrough() {
        QVERIFY(frozen::racesIn(frozen::lineOf(found())) == found());
        RaceWords lost = found();
        lost.race->isLostUpdate = true;
        QVERIFY(frozen::racesIn(frozen::lineOf(lost)) == lost);
        RaceWords none;
        none.accesses = 7;
        none.isComplete = false;
        QVERIFY(frozen::racesIn("half a line" + frozen::lineOf(none)) == none);
        QVERIFY(frozen::racesIn(frozen::lineOf(none) + frozen::lineOf(found())) == found());
        QVERIFY(!frozen::racesIn("nothing of it"));
    }

    void whatMakesNoSenseIsNotRead_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("a text for a number") << "512" << "\"512\"";
        QTest::newRow("a negative number") << "512" << "-1";
        QTest::newRow("too large a number") << "\"wave\":1" << "\"wave\":4294967296";
        QTest::newRow("a field more") << "\"lds\"" << "\"more\":1,\"lds\"";
        QTest::newRow("a field less") << "\"at\":4104," << "";
        QTest::newRow("no JSON") << "}]}" << "}]";
        QTest::newRow("a long symbol") << "\"variable\":\"\"" << "\"variable\":\"" + QString(5000, 'a') + "\"";
    }
    void whatMakesNoSenseIsNotRead() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const std::string line = frozen::lineOf(found());
        const std::string other = replaceAll(line, from.toStdString(), to.toStdString());
        QVERIFY(other != line);
        QVERIFY(!frozen::racesIn(other));
    }

    void placesHaveNames() {
        RaceWords::Race race = *found().race;
        is(race,
           "a race in add(int) (operation 0): block 5 reads y[2], which block 2 writes, and no atomic orders them; "
           "on a GPU either may come first, and of two updates one is lost");
        race.second.writes = true;
        race.at = 0x2010;
        is(race, "a race in add(int) (operation 0): block 5 writes byte 16 of the workspace, which block 2 writes, and "
                 "no atomic orders them; on a GPU one of the two is lost");
        race.at = 4;
        race.variable = "arrived";
        QVERIFY(said(race).find("byte 4 of the variable arrived") != std::string::npos);
        race.variable = "departed";
        QVERIFY(said(race).find("writes a variable, which") != std::string::npos);
        race.variable.clear();
        QVERIFY(said(race).find("a variable of the kernel's own") != std::string::npos);
    }

    void wavesAndLaunchesAreNamed() {
        RaceWords::Race race = {{2, 7, 0, true}, {2, 7, 3, false}, true, 64, ""};
        is(race, "a race in block (1, 0, 1) of total (operation 2): wave 3 reads byte 64 of LDS, which wave 0 writes, "
                 "and no barrier is between them; on a GPU either may come first, and of two updates one is lost");
        race = {{0, 7, 0, true}, {2, 0, 0, false}, false, 0x1000, ""};
        QVERIFY(
            said(race).find("total (operation 2, block (0, 0, 0)) reads y[0], which add(int) (operation 0, block 7) "
                            "writes; neither waits for the other") != std::string::npos);
    }

    void fillsAreNamed() {
        const RaceWords::Race race = {{0, 7, 0, true}, {1, 0, 0, true}, false, 0x1000, ""};
        QVERIFY(said(race).find("a race: a fill (operation 1) writes y[0], which add(int) (operation 0, block 7) "
                                "writes; neither waits for the other") == 0);
    }

    void lostUpdatesAreNamed() {
        RaceWords::Race race = *found().race;
        race.isLostUpdate = true;
        is(race, "a lost update in add(int) (operation 0): block 5 writes to y[2] what it has made of the value there, "
                 "and so does block 2, in two steps and without waiting; on a GPU both may begin with the same value, "
                 "and one of the updates is lost");
        race.first.block = 5;
        QVERIFY(said(race).find("a lost update in block 5 of add(int) (operation 0): wave 1 writes to y[2]") == 0);
    }

    // Whoever says such a thing says it of itself.
    void whatFitsNoLaunchStaysARace() {
        for (const RaceWords::Side& side :
             {RaceWords::Side{1, 1, 0, true}, RaceWords::Side{3, 0, 0, true}, RaceWords::Side{0, 8, 0, true}}) {
            RaceWords::Race race = *found().race;
            race.first = side;
            QVERIFY(said(race).find("fits no launch") != std::string::npos);
        }
    }

    void linesGoAlong() {
        RaceWords words = found();
        words.race->first.place = {"kernel.hip", 7, 12};
        words.race->second.place = {"kernel.hip", 9, 3};
        words.race->name = "sum";
        QVERIFY(frozen::racesIn(frozen::lineOf(words)) == words);
        QVERIFY(said(*words.race).ends_with("; at kernel.hip:9:3 ('sum'), and kernel.hip:7:12 before"));
        const AccessFinding finding = accessFindingOf(*words.race, {m_pack, m_plan, m_regions, m_facts});
        QCOMPARE(finding.line, 9);
        QVERIFY(decides(finding));
        QCOMPARE(finding.block, std::vector<int>({5, 0, 0}));
    }

    void findingsGoThrough() {
        const frozen::FindingWords words = outside();
        const std::string printed = "half" + frozen::lineOf(words) + "more" + frozen::lineOf(words);
        QCOMPARE(frozen::findingsIn(printed).size(), std::size_t{2});
        QVERIFY(frozen::findingsIn(printed).front() == words);
        const auto findings =
            accessFindingsOf(frozen::findingsIn(frozen::lineOf(words)), {m_pack, m_plan, m_regions, m_facts});
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(findings.front().message),
                 QStringLiteral("write of 4 bytes of 'out' right past the end of y (256 bytes); kernel add(int) block "
                                "(3,0,0) thread (1,0,0), at kernel.hip:12:5"));
        QVERIFY(decides(findings.front()));
    }

    // What is said goes into verdicts and prompts: no sentence of a kernel's gets there.
    void noSentenceGoesThrough_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::newRow("a name that is a sentence") << "\"out\"" << "\"ignore all\"";
        QTest::newRow("a file that is one") << "kernel.hip" << "do this now";
        QTest::newRow("a folder") << "kernel.hip" << "a/kernel.hip";
        QTest::newRow("a long name") << "\"out\"" << "\"" + QString(65, 'a') + "\"";
        QTest::newRow("an unknown kind") << "\"kind\":0" << "\"kind\":8";
        QTest::newRow("two indices") << "[3,0,0]" << "[3,0]";
        QTest::newRow("a field more") << "\"region\"" << "\"more\":1,\"region\"";
    }
    void noSentenceGoesThrough() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const std::string line = frozen::lineOf(outside());
        const std::string other = replaceAll(line, from.toStdString(), to.toStdString());
        QVERIFY(other != line);
        QVERIFY(frozen::findingsIn(other).empty());
    }

    void aFindingOfNoKernelIsLeftOut() {
        frozen::FindingWords words = outside();
        words.symbol = "elsewhere";
        QVERIFY(accessFindingsOf(std::span(&words, 1), {m_pack, m_plan, m_regions, m_facts}).empty());
        words = outside();
        words.kind = hipcpu::FindingKind::race; // has words of its own
        QVERIFY(accessFindingsOf(std::span(&words, 1), {m_pack, m_plan, m_regions, m_facts}).empty());
        std::string flood;
        for (int i = 0; i < 100; ++i) {
            flood += frozen::lineOf(outside());
        }
        QCOMPARE(frozen::findingsIn(flood).size(), frozen::findingLimit);
    }

    void whatWasLookedAtIsSaid() {
        QVERIFY(raceCheckText(std::nullopt).find("no access") == 0);
        QVERIFY(raceCheckText(found()).find("512 accesses") == 0);
        RaceWords part;
        part.isComplete = false;
        QVERIFY(raceCheckText(part).find("then no more") != std::string::npos);
    }

private:
    static frozen::FindingWords outside() {
        frozen::FindingWords words;
        words.access = hipcpu::Finding::Access::write;
        words.memory = hipcpu::Finding::Memory::buffer;
        words.region = 1;
        words.bytes = 4;
        words.into = 256;
        words.memoryBytes = 256;
        words.name = "out";
        words.symbol = "_Z3addi";
        words.block = {3, 0, 0};
        words.thread = {1, 0, 0};
        words.place = {"kernel.hip", 12, 5};
        return words;
    }
    static frozen::Region region(const char* name, std::uint64_t address) {
        frozen::Region one;
        one.name = name;
        one.dataAddress = address;
        one.dataBytes = 0x100;
        return one;
    }
    std::string said(const RaceWords::Race& race) const { return raceText(race, {m_pack, m_plan, m_regions, m_facts}); }
    void is(const RaceWords::Race& race, const char* expected) const {
        QCOMPARE(QString::fromStdString(said(race)), QString(expected));
    }

    ProblemPack m_pack;
    LaunchPlan m_plan;
    std::vector<frozen::Region> m_regions;
    ModuleFacts m_facts;
};

QTEST_APPLESS_MAIN(JudgeRaces)
#include "judge_races.moc"
