// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <nlohmann/json.hpp>
#include <optional>

using namespace gks;
using namespace gks::test;

// `documents` and `knowledge` as scripts use them, on a real campaign file.
class DocumentsCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void addedListedFoundRemoved();
    void aPersonDigests();
    void wrongUsage_data();
    void wrongUsage();
    void knowledgeOfAMachine();

private:
    std::string write(const std::string& name, const std::string& content);
    std::optional<TemporaryDirectory> m_folder;
    std::string m_campaign;
};

std::string DocumentsCommands::write(const std::string& name, const std::string& content) {
    const auto file = m_folder->path() / name;
    if (!writeFileAtomically(file, content)) {
        qFatal("cannot write %s", name.c_str());
    }
    return file.string();
}

void DocumentsCommands::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("gks-documents").value());
    m_campaign = (m_folder->path() / "campaign.gks").string();
    const auto made =
        runCli({"new", m_campaign, "--problem", "row-softmax", "--scientist", "model", "--provider", "manual"});
    QVERIFY2(made.ok(), made.error.c_str());
}

void DocumentsCommands::addedListedFoundRemoved() {
    QVERIFY(runCli({"documents", m_campaign}).output.starts_with("No documents."));
    const std::string guide = write("guide.md", "# Guide\n\n## Swizzling\n\nXor the column with the row.\n");
    const std::string notes = write("notes.txt", "The waves are wide.\n");
    const auto added = runCli({"documents", m_campaign, "add", guide, notes});
    QVERIFY2(added.ok(), added.error.c_str());
    QVERIFY(runCli({"documents", m_campaign, "add", guide}).output.find("already added") != std::string::npos);
    const Json documents = cliJson({"documents", m_campaign}).at("documents");
    QCOMPARE(documents.size(), std::size_t{2});
    QCOMPARE(documents[0].at("title").get<std::string>(), std::string("Guide"));
    QCOMPARE(documents[0].at("kind").get<std::string>(), std::string("markdown"));
    QCOMPARE(documents[1].at("passages").get<int>(), 1);
    const auto found = [this] {
        return cliJson({"documents", m_campaign, "search", "the", "SWIZZLING", "OR", "*"}).at("passages");
    };
    QCOMPARE(found().size(), std::size_t{1});
    QCOMPARE(found()[0].at("heading").get<std::string>(), std::string("Guide > Swizzling"));
    QVERIFY(runCli({"documents", m_campaign, "disable", "1"}).ok());
    QVERIFY(found().empty());
    const auto again = runCli({"documents", m_campaign, "disable", "1"});
    QCOMPARE(again.exit.status, std::optional<int>(2));
    QVERIFY2(again.error.find("document 1 is disabled already") != std::string::npos, again.error.c_str());
    QVERIFY(!cliJson({"documents", m_campaign}).at("documents")[0].at("enabled").get<bool>());
    QVERIFY(runCli({"documents", m_campaign, "enable", "1"}).ok());
    QCOMPARE(found().size(), std::size_t{1});
    QVERIFY(runCli({"documents", m_campaign, "remove", "1", "2"}).ok());
    QVERIFY(cliJson({"documents", m_campaign}).at("documents").empty());
}

void DocumentsCommands::aPersonDigests() {
    QVERIFY(runCli({"documents", m_campaign, "add", write("short.txt", "LDS has 32 banks.")}).ok());
    const auto id = cliJson({"documents", m_campaign}).at("documents")[0].at("id").get<int>();
    const auto digested =
        runCli({"documents", m_campaign, "digest", std::to_string(id)}, "{\"digest\": \"32 banks.\"}\n.\n");
    QVERIFY2(digested.ok(), digested.error.c_str());
    QCOMPARE(digested.output, std::string("32 banks.\n"));
    QVERIFY(digested.error.find("LDS has 32 banks.") != std::string::npos); // the prompt was shown
    QCOMPARE(cliJson({"documents", m_campaign}).at("documents")[0].at("digest").get<std::string>(),
             std::string("32 banks."));
}

void DocumentsCommands::wrongUsage_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* words, const char* said) {
        QTest::newRow(name) << QString::fromUtf8(words).split(QLatin1Char(' '), Qt::SkipEmptyParts)
                            << QString::fromUtf8(said);
    };
    row("action", "fly 1", "unknown action 'fly'");
    row("nothing to add", "add", "missing argument for add");
    row("no such file", "add /no/such/file.md", "cannot read: No such file or directory");
    row("no such document", "remove 99", "document 99 not found");
    row("a word for a number", "digest 1x", "document 1x not found");
}

void DocumentsCommands::wrongUsage() {
    QFETCH(QStringList, words);
    QFETCH(QString, said);
    std::vector<std::string> all = {"documents", m_campaign};
    for (const QString& word : words) {
        all.push_back(word.toStdString());
    }
    const auto done = runCli(all);
    QCOMPARE(done.exit.status, std::optional<int>(2));
    QVERIFY2(done.error.find(said.toStdString()) != std::string::npos, done.error.c_str());
    QCOMPARE(std::count(done.error.begin(), done.error.end(), '\n'), 1);
}

void DocumentsCommands::knowledgeOfAMachine() {
    const Json all = cliJson({"knowledge"}).at("machines");
    QVERIFY(all.size() >= 6);
    const Json sections = cliJson({"knowledge", "gfx942"}).at("sections");
    QVERIFY(sections.size() > 8);
    QVERIFY(sections[0].at("always").get<bool>());
    QVERIFY(runCli({"knowledge", "cpu"}).output.find("## cpu: The machine") != std::string::npos);
    for (const char* name : {"gfx1", "../writer", "gfx942/../cpu"}) {
        const auto done = runCli({"knowledge", name});
        QCOMPARE(done.exit.status, std::optional<int>(2));
        QVERIFY(done.error.find("no machine notes for") != std::string::npos);
    }
}

QTEST_APPLESS_MAIN(DocumentsCommands)
#include "documents_commands.moc"
