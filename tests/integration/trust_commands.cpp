// SPDX-License-Identifier: GPL-3.0-or-later
// A campaign file from elsewhere that names a server together with somebody's key, or a problem pack with a reference
// that takes what it finds.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/engine/engine.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"
#include "tests/support/scripted_server.h"

#include <QTest>
#include <fmt/format.h>

using namespace gks;
using namespace gks::test;

namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

constexpr const char* secret = "sk-this-is-nobody-elses";

} // namespace

class TrustCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder.emplace(TemporaryDirectory::create("gks-trust").value());
        m_file = (m_folder->path() / "c.gks").string();
        qputenv("GKS_CONFIG", (m_folder->path() / "config").c_str());
        qputenv("GKS_TEST_KEY", secret);
    }
    void cleanup() { qunsetenv("GKS_TEST_KEY"); }
    void keyGoesToNoServerThatNobodyAnsweredFor();
    void packRunsOnlyWhenTrustedAndThenBehindTheWall();
    void whatThePersonTypesIsTheirAnswer();
    void digestAsksAsWell();
    void commandsAskAsWell();

private:
    // Its seeds are measured, so the first thing that a run does is to ask the model.
    void writeCampaign(const std::string& server) {
        CampaignSettings settings;
        settings.problem = "row-softmax";
        settings.scientist = ScientistKind::model;
        settings.models["default"] = {"openai", server, "test-model", "GKS_TEST_KEY", 0.7, 1000};
        const auto store = CampaignStore::create(m_file, settings).value();
        for (const KernelId seed : {1, 2}) {
            QVERIFY(store->addEvaluation(sampleEvaluation(seed, 100)).has_value());
        }
    }
    void setServer(const std::string& server) {
        const auto store = CampaignStore::open(m_file).value();
        CampaignSettings settings = store->settings().value();
        settings.models["default"].baseUrl = server;
        QVERIFY(store->saveSettings(settings, {0, Author::person, "elsewhere", "", 0}).has_value());
    }
    CompletedProcess runFile(std::vector<std::string> options = {}) {
        options.insert(options.begin(), {"run", m_file, "--evaluations", "1"});
        return runCli(std::move(options));
    }

    std::optional<TemporaryDirectory> m_folder;
    std::string m_file;
};

void TrustCommands::keyGoesToNoServerThatNobodyAnsweredFor() {
    ScriptedServer server({ScriptedServer::answer(401, "{\"error\": {\"message\": \"no\"}}")});
    ScriptedServer other({ScriptedServer::answer(401, "{\"error\": {\"message\": \"no\"}}")});
    writeCampaign(server.url());

    const auto refused = runFile();
    for (const std::string& request : server.requests()) {
        QVERIFY2(!contains(request, secret), "the server got the key");
    }
    QCOMPARE(server.requests().size(), std::size_t{0});
    QCOMPARE(refused.exit.status.value_or(-1), 2);
    for (const std::string& part : {server.url(), std::string("GKS_TEST_KEY"), std::string("--trust server")}) {
        QVERIFY2(contains(refused.error, part), refused.error.c_str());
    }
    QVERIFY(!contains(refused.error, secret));
    QCOMPARE(runFile({"--trust", "pack"}).exit.status.value_or(-1), 2);
    QCOMPARE(server.requests().size(), std::size_t{0});

    (void)runFile({"--trust", "server"}); // whatever becomes of it
    const std::size_t sent = server.requests().size();
    QVERIFY(sent > 0 && contains(server.requests().front(), secret));
    (void)runFile(); // asked once
    QVERIFY(server.requests().size() > sent);

    setServer(other.url());
    const auto again = runFile();
    QCOMPARE(again.exit.status.value_or(-1), 2);
    QVERIFY2(contains(again.error, other.url()), again.error.c_str());
    QCOMPARE(other.requests().size(), std::size_t{0});
}

void TrustCommands::packRunsOnlyWhenTrustedAndThenBehindTheWall() {
    const fs::path pack = m_folder->path() / "pack";
    const fs::path taken = m_folder->path() / "taken";
    fs::copy(fs::path(GKS_SOURCE_DIR) / "resources/problems/row-softmax", pack, fs::copy_options::recursive);
    const auto reference = readFile(pack / "reference.cpp");
    QVERIFY(reference.has_value());
    const std::string hostile =
        fmt::format("#include <cstdio>\n#include <cstdlib>\n"
                    "static const int done = [] {{ if (FILE* file = std::fopen(\"{}\", \"w\")) {{ const char* key = "
                    "std::getenv(\"GKS_TEST_KEY\"); std::fputs(key ? key : \"no key\", file); std::fclose(file); }} "
                    "return 0; }}();\n",
                    taken.string());
    QVERIFY(writeFileAtomically(pack / "reference.cpp", hostile + *reference).has_value());
    CampaignSettings settings;
    settings.problem = pack.string();
    settings.measureSeconds = 0.05;
    QVERIFY(CampaignStore::create(m_file, settings).has_value());

    const auto refused = runFile();
    QVERIFY2(!fs::exists(taken), "the reference wrote a file");
    QCOMPARE(refused.exit.status.value_or(-1), 2);
    QVERIFY2(contains(refused.error, pack.string()) && contains(refused.error, "--trust pack"), refused.error.c_str());

    const auto trusted = runFile({"--trust", "server,pack"});
    QVERIFY2(trusted.exit.status == 0, trusted.error.c_str()); // it computes what is right
    QVERIFY2(!fs::exists(taken), "the reference wrote a file");

    QVERIFY(writeFileAtomically(pack / "notes.md", "changed").has_value());
    QCOMPARE(runFile().exit.status.value_or(-1), 2);
}

void TrustCommands::whatThePersonTypesIsTheirAnswer() {
    const fs::path pack = m_folder->path() / "pack";
    fs::copy(fs::path(GKS_SOURCE_DIR) / "resources/problems/row-softmax", pack, fs::copy_options::recursive);
    const auto made = runCli({"new", m_file, "--problem", pack.string(), "--model", "m", "--base-url",
                              "http://127.0.0.1:9/v1", "--key-variable", "GKS_TEST_KEY"});
    QVERIFY2(made.ok(), made.error.c_str());
    QVERIFY(Engine::open(m_file, {}).value()->openQuestions().value().empty());
    const auto steered =
        runCli({"steer", m_file, "model", "writer", "--model", "m", "--base-url", "http://127.0.0.1:10/v1"});
    QVERIFY2(steered.ok(), steered.error.c_str());
    QVERIFY(Engine::open(m_file, {}).value()->openQuestions().value().empty());
    qputenv("GKS_CONFIG", (m_folder->path() / "of somebody else").c_str());
    QCOMPARE(Engine::open(m_file, {}).value()->openQuestions().value().size(), std::size_t{3});
}

void TrustCommands::digestAsksAsWell() {
    ScriptedServer server({ScriptedServer::answer(401, "{\"error\": {\"message\": \"no\"}}")});
    writeCampaign(server.url());
    const fs::path document = m_folder->path() / "guide.txt";
    QVERIFY(writeFileAtomically(document, "Loads of sixteen bytes are fast.\n").has_value());
    QVERIFY(runCli({"documents", m_file, "add", document.string()}).ok());
    const auto refused = runCli({"documents", m_file, "digest", "1"});
    QCOMPARE(server.requests().size(), std::size_t{0});
    QCOMPARE(refused.exit.status.value_or(-1), 2);
    QVERIFY2(contains(refused.error, "--trust server"), refused.error.c_str());
    (void)runCli({"documents", m_file, "digest", "1", "--trust", "server"});
    QVERIFY(!server.requests().empty() && contains(server.requests().front(), secret));
}

// As people use it: a command that answers, tried, put into a campaign, and asked about in somebody else's hands.
void TrustCommands::commandsAskAsWell() {
    const fs::path ran = m_folder->path() / "ran";
    const std::string command = fmt::format("sh -c 'cat > {}; echo ready'", ran.string());
    const auto tried = runCli({"models", "try", "--command", command});
    QVERIFY2(tried.ok() && contains(tried.output, "\"ready\""), (tried.output + tried.error).c_str());
    QVERIFY2(contains(tried.error, "/sh)"), tried.error.c_str()); // the program that was found
    QVERIFY(contains(readFile(ran).value(), "=== user ==="));
    fs::remove(ran);
    const auto made = runCli({"new", m_file, "--problem", "row-softmax", "--command", command});
    QVERIFY2(made.ok() && contains(made.output, "scientist: model"), (made.output + made.error).c_str());
    QVERIFY(Engine::open(m_file, {}).value()->openQuestions().value().empty());
    qputenv("GKS_CONFIG", (m_folder->path() / "of somebody else").c_str());
    const auto refused = runCli({"models", "try", "--campaign", m_file});
    QCOMPARE(refused.exit.status.value_or(-1), 2);
    QVERIFY2(contains(refused.error, command) && contains(refused.error, "--trust command"), refused.error.c_str());
    QVERIFY2(!fs::exists(ran), "the command of the file was run");
    QCOMPARE(runFile().exit.status.value_or(-1), 2);
    QVERIFY2(!fs::exists(ran), "the command of the file was run");
    QVERIFY(runCli({"models", "try", "--campaign", m_file, "--trust", "command"}).ok());
    QVERIFY(fs::exists(ran));
    const auto two = runCli({"models", "try", "--command", "cat", "--folder", m_folder->path().string()});
    QVERIFY2(two.exit.status == 2 && contains(two.error, "several providers"), two.error.c_str());
}

QTEST_APPLESS_MAIN(TrustCommands)
#include "trust_commands.moc"
