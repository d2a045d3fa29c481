// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace gks;
using namespace gks::test;
namespace fs = std::filesystem;

// Files from a stranger on the command line: a path may name a pipe that nobody writes to, and a text may hold what a
// terminal obeys.
class CliHostile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void specialFilesAreRefusedAtOnce_data();
    void specialFilesAreRefusedAtOnce();
    void kindsAreNamed_data();
    void kindsAreNamed();
    void targetsAreNotReplaced();
    void nothingReachesTheTerminal_data();
    void nothingReachesTheTerminal();
    void jsonKeepsTheText();
    void sourcesAreWrittenAsTheyAre();

private:
    std::string filled(QString words) const; // places by name
    CompletedProcess run(const QString& words) const;

    std::optional<TemporaryDirectory> m_folder;
    std::unique_ptr<Campaign> m_campaign;
};

namespace {

// Window title, C1 control sequence, erase, reversed text, a byte that is no UTF-8 where the file can hold one.
const std::string hostile = "\x1b]0;owned\x07 \xc2\x9b"
                            "31m \x7f \xe2\x80\xae"
                            "desrever\xe2\x81\xa9 \r end";

void writeText(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    QVERIFY(writeFileAtomically(file, text));
}

void makePipe(const fs::path& file) {
    fs::create_directories(file.parent_path());
    fs::remove(file);
    QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
}

// A whole pack but for one file, which is a pipe.
void makePack(const fs::path& folder, const std::string& pipe) {
    fs::copy(fs::path(GKS_SOURCE_DIR) / "tests/data/kernels/affine", folder, fs::copy_options::recursive);
    makePipe(folder / pipe);
}

} // namespace

void CliHostile::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("cli-hostile").value());
    const fs::path folder = m_folder->path();
    qputenv("GKS_CONFIG", (folder / "config").c_str());
    makePipe(folder / "pipe");
    makePipe(folder / "pipe.gks");
    makePipe(folder / "pipe.md");
    makePipe(folder / "pipe.pdf");
    makePipe(folder / "bundle/manifest.json");
    writeText(folder / "kernel.hip", "// a kernel\n#include \"problem.h\"\n");
    makePack(folder / "pack-manifest", "problem.toml");
    makePack(folder / "pack-reference", "reference.cpp");
    makePack(folder / "pack-notes", "notes.md");
    makePack(folder / "pack-seed", "seeds/another.hip");

    fs::create_directory(folder / "campaign");
    m_campaign = std::make_unique<Campaign>(folder / "campaign");
    CampaignStore& store = *m_campaign->store;
    QVERIFY(store.addEvaluation(sampleEvaluation(1, 100)));
    Experiment experiment = sampleExperiment(1, hostile);
    experiment.rubric = experiment.failure = experiment.model = hostile;
    QVERIFY(store.addExperiments({experiment}));
    Kernel kernel = sampleKernel(1, "// " + hostile + "\nint fast;\n");
    kernel.title = kernel.model = hostile;
    kernel.report = hostile;
    kernel.experiment = 1;
    QVERIFY(store.addKernel(kernel));
    Evaluation failed = sampleEvaluation(3, 50);
    failed.verdict = failedVerdict(VerdictKind::crashed, hostile);
    QVERIFY(store.addEvaluation(failed));
    Finding finding;
    finding.subject = finding.text = hostile;
    QVERIFY(store.addFinding(finding));
    Document document;
    document.title = document.digest = hostile;
    document.kind = "text";
    document.sha256 = std::string(64, 'a');
    document.passages = 1;
    Passage passage;
    passage.number = 1;
    passage.heading = hostile;
    passage.text = "barrier " + hostile;
    QVERIFY(store.addDocument(document, {passage}, {0, Author::person, "add document", hostile, 0}));
    Exchange exchange;
    exchange.stage = "writer";
    exchange.model = exchange.reply = exchange.error = exchange.provider = hostile;
    exchange.prompt = nlohmann::json::array({{{"role", "user"}, {"content", hostile}}}).dump();
    QVERIFY(store.addExchange(exchange));
    AnchorFigure anchor;
    anchor.name = anchor.lacks = anchor.lane = hostile;
    anchor.title = "library " + hostile;
    QVERIFY(store.addAnchor(anchor, sampleEvaluation(1, 40, KernelId{1}).verdict));
    m_campaign->store.reset();
}

std::string CliHostile::filled(QString words) const {
    return words.replace(QLatin1String("CAMPAIGN"), QString::fromStdString(m_campaign->file.string()))
        .replace(QLatin1String("FOLDER"), QString::fromStdString(m_folder->path().string()))
        .toStdString();
}

CompletedProcess CliHostile::run(const QString& words) const {
    return runCli(split(filled(words), ' ')); // which ends the test when the program waits
}

void CliHostile::specialFilesAreRefusedAtOnce_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* words, const char* says = "is a named pipe") {
        QTest::newRow(name) << QString::fromLatin1(words) << QString::fromLatin1(says);
    };
    row("evaluate kernel", "evaluate FOLDER/pipe --problem sum-reduction");
    row("evaluate baseline", "evaluate FOLDER/kernel.hip --problem sum-reduction --baseline FOLDER/pipe");
    row("evaluate evidence", "evaluate FOLDER/kernel.hip --problem sum-reduction --evidence FOLDER/pipe");
    row("evaluate pack", "evaluate FOLDER/kernel.hip --problem FOLDER/pipe");
    row("pack manifest", "evaluate FOLDER/kernel.hip --problem FOLDER/pack-manifest");
    row("pack reference", "evaluate FOLDER/kernel.hip --problem FOLDER/pack-reference");
    row("pack notes", "evaluate FOLDER/kernel.hip --problem FOLDER/pack-notes");
    row("pack seed", "evaluate FOLDER/kernel.hip --problem FOLDER/pack-seed");
    row("inspect kernel", "inspect FOLDER/pipe --problem sum-reduction");
    row("inspect pack", "inspect FOLDER/kernel.hip --problem FOLDER/pipe");
    row("tune kernel", "tune FOLDER/pipe --problem sum-reduction");
    row("tune pack", "tune FOLDER/kernel.hip --problem FOLDER/pack-reference");
    row("tune result", "tune FOLDER/kernel.hip --problem sum-reduction --out FOLDER/pipe", "already exists");
    row("tune result over a campaign", "tune FOLDER/kernel.hip --problem sum-reduction --out CAMPAIGN",
        "already exists");
    row("new pack", "new FOLDER/new.gks --problem FOLDER/pack-notes");
    row("new campaign", "new FOLDER/pipe.gks --problem sum-reduction", "already exists");
    for (const char* words : {"run FOLDER/pipe.gks", "steer FOLDER/pipe.gks hint x", "show FOLDER/pipe.gks",
                              "conversation FOLDER/pipe.gks", "findings FOLDER/pipe.gks", "documents FOLDER/pipe.gks",
                              "report FOLDER/pipe.gks --out FOLDER/report", "copy FOLDER/pipe.gks FOLDER/copy.gks"}) {
        row(words, words, "this is a named pipe, not a campaign");
    }
    row("steer kernel", "steer CAMPAIGN kernel 1 FOLDER/pipe");
    row("steer prompt", "steer CAMPAIGN prompt designer FOLDER/pipe");
    row("document", "documents CAMPAIGN add FOLDER/pipe.md");
    row("document PDF", "documents CAMPAIGN add FOLDER/pipe.pdf");
    row("report target", "report CAMPAIGN --out FOLDER/pipe");
    row("bundle", "replay FOLDER/pipe");
    row("bundle manifest", "replay FOLDER/bundle", "no manifest.json");
}

void CliHostile::specialFilesAreRefusedAtOnce() {
    QFETCH(QString, words);
    QFETCH(QString, says);
    const CompletedProcess done = run(words);
    QVERIFY2(!done.timedOut, "it waits for somebody to write");
    QCOMPARE(done.exit.status.value_or(-1), 2);
    QVERIFY2(done.error.find(says.toStdString()) != std::string::npos, done.error.c_str());
}

void CliHostile::kindsAreNamed_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("says");
    QTest::newRow("folder") << QStringLiteral("FOLDER/bundle")
                            << QStringLiteral("is a folder, a regular file is needed");
    QTest::newRow("device") << QStringLiteral("/dev/zero") << QStringLiteral("is a device, a regular file is needed");
    QTest::newRow("socket") << QStringLiteral("FOLDER/socket")
                            << QStringLiteral("is a socket, a regular file is needed");
}

void CliHostile::kindsAreNamed() {
    QFETCH(QString, place);
    QFETCH(QString, says);
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const std::string path = (m_folder->path() / "socket").string();
    std::copy(path.begin(), path.end(), address.sun_path);
    ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const CompletedProcess done = run(QStringLiteral("inspect %1 --problem sum-reduction").arg(place));
    ::close(socket);
    QCOMPARE(done.exit.status.value_or(-1), 2);
    QVERIFY2(done.error.find(says.toStdString()) != std::string::npos, done.error.c_str());
}

void CliHostile::targetsAreNotReplaced() {
    struct stat before = {};
    QCOMPARE(::stat("/dev/null", &before), 0);
    QVERIFY(!writeFileAtomically("/dev/null", "x"));
    struct stat after = {};
    QCOMPARE(::stat("/dev/null", &after), 0);
    QVERIFY(S_ISCHR(after.st_mode));
}

void CliHostile::nothingReachesTheTerminal_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("shows"); // of the hostile text, so that no row passes by showing nothing
    const auto row = [](const char* words, const char* shows) {
        QTest::newRow(words) << QString::fromLatin1(words) << QString::fromLatin1(shows);
    };
    const char* const stored = R"(\x1b]0;owned\x07 \x9b31m \x7f \u202edesrever\u2069 \x0d end)";
    const char* const json = R"(\u001b]0;owned\u0007 \u009b31m \u007f \u202edesrever\u2069 \r end)";
    row("show CAMPAIGN", stored);
    row("show CAMPAIGN", R"(library \x1b]0;owned)");
    row("show CAMPAIGN --experiments", stored);
    row("show CAMPAIGN --experiment 1", stored);
    row("show CAMPAIGN --json", json);
    row("findings CAMPAIGN", stored);
    row("findings CAMPAIGN --json", json);
    row("documents CAMPAIGN", stored);
    row("documents CAMPAIGN search barrier", stored);
    row("conversation CAMPAIGN", stored);
    row("conversation CAMPAIGN --exchange 1", stored);
    row("conversation CAMPAIGN --json", json);
    row("steer CAMPAIGN dismiss-finding 1", stored);
    row("steer CAMPAIGN propose 1 \x1b[31mred", R"(\x1b[31mred)");
    row("steer CAMPAIGN \x1b[31mnothing", R"(\x1b[31mnothing)");
    row("show \x1b[31mnowhere.gks", R"(\x1b[31mnowhere.gks)");
    row("evaluate FOLDER/kernel.hip --problem \x1b[31mnothing", R"(\x1b[31mnothing)");
    row("evaluate FOLDER/odd\nfaster:9x\x1b[31m.hip --problem sum-reduction", R"(odd faster:9x\x1b[31m.hip)");
}

void CliHostile::nothingReachesTheTerminal() {
    QFETCH(QString, words);
    QFETCH(QString, shows);
    const CompletedProcess done = run(words);
    for (const std::string& text : {done.output, done.error}) {
        QCOMPARE(text, terminalText(text));
        QVERIFY2(("\n" + text).find("\nfaster") == std::string::npos, text.c_str()); // no name begins a line
    }
    QVERIFY2((done.output + done.error).find(shows.toStdString()) != std::string::npos, done.output.c_str());
}

void CliHostile::jsonKeepsTheText() {
    const Json json = cliJson({"show", m_campaign->file.string()});
    QCOMPARE(json["kernels"][2]["title"].get<std::string>(), hostile);
}

void CliHostile::sourcesAreWrittenAsTheyAre() {
    const CompletedProcess done = run(QStringLiteral("show CAMPAIGN --kernel 3"));
    QCOMPARE(done.output, "// " + hostile + "\nint fast;\n"); // to be saved: standard output is no terminal here
    QCOMPARE(done.error, terminalText(done.error));
}

QTEST_APPLESS_MAIN(CliHostile)
#include "cli_hostile.moc"
