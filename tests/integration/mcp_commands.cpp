// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/campaign/store.h"
#include "core/mcp/pages.h"
#include "tests/support/campaign_samples.h"
#include "tests/support/cli_run.h"
#include "tests/support/mcp_client.h"

#include <QTest>
#include <cstdlib>
#include <optional>
#include <set>
#include <sys/stat.h>

using namespace gks;
using namespace gks::test;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

// `mcp` on a campaign file, as an agent uses it.
class McpCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyToolIsThere();
    void theCampaignIsRead();
    void sourcesComeInPages();
    void withoutACampaign();
    void hostileArguments_data();
    void hostileArguments();
    void keysAreOutOfReach();
    void budgetsBind();
    void whoHasTheCampaignIsSaid();
    void countersOfTheCpu();
    void theEndOfInputEndsIt();
    void entriesAreWritten_data();
    void entriesAreWritten();
    void otherEntriesStay();
    void whatIsNotUnderstoodIsLeft_data();
    void whatIsNotUnderstoodIsLeft();

private:
    std::unique_ptr<CampaignStore> write() { return CampaignStore::open(m_file, CampaignStore::Access::write).value(); }
    CompletedProcess install(const char* client, std::vector<std::string> more = {"--yes"});

    std::optional<TemporaryDirectory> m_folder;
    std::string m_file;
};

void McpCommands::init() {
    m_folder.emplace(TemporaryDirectory::create("gks-mcp").value());
    m_file = (m_folder->path() / "campaign.gks").string();
    CampaignSettings settings;
    settings.problem = "row-softmax";
    settings.budgets.evaluations = 10;
    settings.hint = "mind the banks";
    QVERIFY(CampaignStore::create(m_file, settings));
    const auto store = write();
    QVERIFY(store->addEvaluation(sampleEvaluation(1, 100)));
    QVERIFY(store->addKernel(sampleKernel(1, "// mine\nint x;\n")));
    QVERIFY(store->addEvaluation(sampleEvaluation(store->kernelIds().value().back(), 50, KernelId{1})));
}

void McpCommands::everyToolIsThere() {
    McpClient client({m_file});
    std::set<std::string> names;
    const Json list = client.request("tools/list");
    for (const Json& tool : list["result"]["tools"]) {
        names.insert(tool["name"].get<std::string>());
        QVERIFY(tool["inputSchema"]["type"] == "object" && tool["inputSchema"]["properties"].is_object());
    }
    QCOMPARE(names, (std::set<std::string>{"doctor", "problems", "problem_brief", "population", "kernel", "compare",
                                           "evaluate", "wait", "inspect", "profile", "propose", "findings", "budget",
                                           "export"}));
}

void McpCommands::theCampaignIsRead() {
    McpClient client({m_file});
    const Json population = client.json("population", {{"order", "fastest"}});
    QVERIFY(population["problem"] == Json("row-softmax"));
    QVERIFY(population["hint_of_the_person"] == Json("mind the banks"));
    const std::string best = population["kernels"][0]["id"].get<std::string>();
    QVERIFY(population["kernels"][0]["verdict"] == Json("faster"));
    QVERIFY(population["kernels"][0]["may_be_basis"] == true);
    const std::string kernel = client.call("kernel", {{"kernel", best}});
    QVERIFY2(kernel.ends_with("// mine\nint x;\n") && has(kernel, "\"newest_verdict\""), kernel.c_str());
    const std::string evidence = client.call("export");
    QVERIFY2(has(evidence, best) && has(evidence, "\"evaluations\"") && has(evidence, "int x;"), evidence.c_str());
    const Json compared = client.json("compare", {{"kernels", {"00001", best}}});
    QVERIFY(compared["reference"] == "00001" && !compared["rows"].empty());
    QVERIFY(client.json("findings")["findings"].is_array());
    const Json budget = client.json("budget");
    QVERIFY(budget["budgets"]["evaluations"] == 10 && budget["budgets"]["usd"].is_null());
    QVERIFY(budget["spent"].is_null());
    const std::string brief = client.call("problem_brief");
    QVERIFY(has(brief, "Rules of the judge") && has(brief, "struct Problem"));
}

void McpCommands::sourcesComeInPages() {
    std::string source = "// long\n";
    for (int i = 0; source.size() < 3 * mcp::pageBytes; ++i) {
        source += "int number" + std::to_string(i) + ";\n";
    }
    const KernelId id = write()->addKernel(sampleKernel(1, source)).value();
    McpClient client({m_file});
    std::string whole;
    int page = 1;
    for (bool isLast = false; !isLast; ++page) {
        const std::string text = client.call("kernel", {{"kernel", kernelLabel(id)}, {"page", page}});
        QVERIFY(text.size() < 60'000);
        const std::size_t mark = text.rfind("\n[page ");
        whole += text.substr(0, mark);
        isLast = !has(text.substr(mark), "next_page");
    }
    QVERIFY(whole.ends_with(source) && page > 3);
    QVERIFY(has(client.call("kernel", {{"kernel", kernelLabel(id)}, {"page", 99}}, true), "there is no page 99"));
}

void McpCommands::withoutACampaign() {
    McpClient client;
    for (const char* tool : {"population", "findings", "budget", "export"}) {
        const std::string said = client.call(tool, Json::object(), true);
        QVERIFY2(has(said, "started without a campaign") && has(said, "mcp FILE.gks"), said.c_str());
    }
    QVERIFY(has(client.call("propose", {{"basis", "1"}, {"title", "t"}, {"source", "int x;"}}, true),
                "without a campaign"));
    QVERIFY(has(client.call("evaluate", {{"source", "int x;"}}, true), "the problem is not said"));
    QVERIFY(client.json("problems")["problems"].size() > 3);
    QVERIFY(has(client.call("problem_brief", {{"problem", "row-softmax"}, {"seed", "naive"}}), "solve("));
}

void McpCommands::hostileArguments_data() {
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("arguments");
    QTest::newRow("a path as a problem") << "problem_brief" << R"({"problem": "/etc"})";
    QTest::newRow("a folder above") << "evaluate" << R"({"problem": "../row-softmax", "source": "int x;"})";
    QTest::newRow("a kernel that is not there") << "kernel" << R"({"kernel": "99"})";
    QTest::newRow("no number") << "kernel" << R"({"kernel": "1;x"})";
    QTest::newRow("a file") << "evaluate" << R"({"file": "/etc/passwd"})";
    QTest::newRow("options") << "evaluate" << R"({"source": "int x;", "flags": "-fplugin=x"})";
    QTest::newRow("two sources") << "evaluate" << R"({"source": "int x;", "kernel": "1"})";
    QTest::newRow("an empty source") << "evaluate" << R"({"source": " \n "})";
    QTest::newRow("zero byte") << "evaluate" << R"({"source": "a\u0000b"})";
    QTest::newRow("a target") << "evaluate" << R"({"source": "int x;", "target": "ssh:host"})";
    QTest::newRow("a handle") << "wait" << R"({"handle": "job-1"})";
    QTest::newRow("a kernel's handle") << "wait" << R"({"handle": "kernel-99"})";
    QTest::newRow("too long a wait") << "wait" << R"({"handle": "job-1", "seconds": 600})";
    QTest::newRow("one kernel") << "compare" << R"({"kernels": ["1"]})";
    QTest::newRow("twice the same") << "compare" << R"({"kernels": ["1", "1"]})";
    QTest::newRow("page 0") << "population" << R"({"page": 0})";
    QTest::newRow("a copy") << "propose" << R"({"basis": "1", "title": "t", "source": "// mine\nint x;"})";
    QTest::newRow("no basis") << "propose" << R"({"basis": "77", "title": "t", "source": "int y;"})";
}

void McpCommands::hostileArguments() {
    QFETCH(const QString, tool);
    QFETCH(const QString, arguments);
    McpClient client({m_file});
    const std::string said = client.call(tool.toStdString().c_str(), Json::parse(arguments.toStdString()), true);
    QVERIFY2(!said.empty() && has(said, ". ") && said.size() < 2000, said.c_str()); // what to do next
    const auto store = CampaignStore::open(m_file, CampaignStore::Access::read).value();
    QCOMPARE(store->kernelCount().value(), std::int64_t(store->kernelIds().value().size()));
    QVERIFY(store->steering().value().empty());
}

void McpCommands::keysAreOutOfReach() {
    qputenv("SECRET_API_KEY", "sk-very-secret-value-1234");
    CampaignSettings settings = write()->settings().value();
    settings.hint = "the key is sk-very-secret-value-1234";
    QVERIFY(write()->saveSettings(settings, {0, Author::person, "set hint", "", 0}));
    const KernelId id = write()->addKernel(sampleKernel(1, "// sk-very-secret-value-1234\nint y;\n")).value();
    McpClient client({m_file});
    QVERIFY(!has(client.call("population"), "sk-very"));
    QVERIFY(has(client.call("kernel", {{"kernel", kernelLabel(id)}}, true), "holds a key"));
    qunsetenv("SECRET_API_KEY");
}

void McpCommands::budgetsBind() {
    CampaignSettings settings = write()->settings().value();
    settings.budgets.evaluations = 2;
    QVERIFY(write()->saveSettings(settings, {0, Author::person, "set budgets", "", 0}));
    McpClient client({m_file});
    QVERIFY(client.json("budget")["spent"] == Json("evaluation budget reached (2)"));
    QVERIFY(
        has(client.call("propose", {{"basis", "1"}, {"title", "t"}, {"source", "int y;"}}, true), "budget reached"));
    QVERIFY(has(client.call("evaluate", {{"source", "int y;"}}, true), "budget reached"));
}

// Who holds it takes no kernels: it is a plain store.
void McpCommands::whoHasTheCampaignIsSaid() {
    McpClient client({m_file});
    QVERIFY(has(client.json("budget")["opened_by"].get<std::string>(), "nobody"));
    const auto held = write();
    QVERIFY(!has(client.json("budget")["opened_by"].get<std::string>(), "nobody"));
    const std::string said = client.call("propose", {{"basis", "1"}, {"title", "t"}, {"source", "int y;"}}, true);
    QVERIFY2(has(said, "takes no commands"), said.c_str());
}

void McpCommands::countersOfTheCpu() {
    McpClient client({m_file});
    const std::string said = client.call("profile", {{"kernel", "1"}}, true);
    QVERIFY2(has(said, "no hardware counters") && has(said, "inspect"), said.c_str());
}

void McpCommands::theEndOfInputEndsIt() {
    McpClient client({m_file});
    client.send("tools/call", {{"name", "wait"}, {"arguments", {{"handle", "kernel-2"}}}}); // it is not judged
    QVERIFY(client.request("server/discover").contains("result"));
    client.closeInput();
    const auto exit = client.process().wait(std::chrono::seconds(30));
    QVERIFY(exit && exit->ok());
}

CompletedProcess McpCommands::install(const char* client, std::vector<std::string> more) {
    Command command;
    command.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-cli", "mcp", m_file, "--install", client};
    command.arguments.insert(command.arguments.end(), more.begin(), more.end());
    command.folder = m_folder->path();
    command.environment = {{{"HOME", m_folder->path().string()}, {"PATH", std::getenv("PATH")}}};
    return runProcess(command).value();
}

void McpCommands::entriesAreWritten_data() {
    QTest::addColumn<QString>("client");
    QTest::addColumn<QString>("file");
    QTest::newRow("claude") << "claude" << ".mcp.json";
    QTest::newRow("codex") << "codex" << ".codex/config.toml";
    QTest::newRow("cursor") << "cursor" << ".cursor/mcp.json";
}

void McpCommands::entriesAreWritten() {
    QFETCH(const QString, client);
    QFETCH(const QString, file);
    const auto path = m_folder->path() / file.toStdString();
    const auto asked = install(client.toStdString().c_str(), {});
    QVERIFY2(asked.exit.status == 2 && has(asked.error, "--yes"), asked.error.c_str()); // nobody is at a terminal
    QVERIFY2(has(asked.output, path.string()) && has(asked.output, m_file), asked.output.c_str()); // it is shown first
    QVERIFY(!std::filesystem::exists(path));
    const auto done = install(client.toStdString().c_str());
    QVERIFY2(done.ok(), done.error.c_str());
    const std::string text = readFile(path).value();
    QVERIFY2(has(text, "/bin/kernel-scientist-cli") && has(text, m_file) && has(text, "\"mcp\""), text.c_str());
    const auto again = install(client.toStdString().c_str());
    QVERIFY(again.ok() && has(again.output, "there already"));
    QCOMPARE(readFile(path).value(), text);
}

void McpCommands::otherEntriesStay() {
    QVERIFY(writeFileAtomically(m_folder->path() / ".mcp.json",
                                R"({"z": 1, "mcpServers": {"other": {"command": "x"}}, "a": [2]})"));
    QVERIFY(install("claude").ok());
    const OrderedJson json = OrderedJson::parse(readFile(m_folder->path() / ".mcp.json").value());
    QVERIFY(json["z"] == 1 && json["a"][0] == 2 && json["mcpServers"]["other"]["command"] == "x");
    QVERIFY(json["mcpServers"].contains("kernel-scientist") && json.begin().key() == "z");
    const std::string toml = "# mine\nmodel = 'x' # y\n\n[mcp_servers.other]\ncommand = 'z'";
    QVERIFY(makeDirectories(m_folder->path() / ".codex"));
    QVERIFY(writeFileAtomically(m_folder->path() / ".codex/config.toml", toml));
    QVERIFY(install("codex").ok());
    QVERIFY(readFile(m_folder->path() / ".codex/config.toml").value().starts_with(toml + "\n\n[mcp_servers."));
}

void McpCommands::whatIsNotUnderstoodIsLeft_data() {
    QTest::addColumn<QString>("client");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("text");
    QTest::newRow("no JSON") << "claude" << ".mcp.json" << "{ // a comment\n}";
    QTest::newRow("an array") << "claude" << ".mcp.json" << "[]";
    QTest::newRow("servers in a list") << "claude" << ".mcp.json" << R"({"mcpServers": []})";
    QTest::newRow("no TOML") << "codex" << ".codex/config.toml" << "a = ";
    QTest::newRow("inline servers") << "codex" << ".codex/config.toml" << "mcp_servers = { a = { command = 'x' } }\n";
    QTest::newRow("another entry") << "codex" << ".codex/config.toml"
                                   << "[mcp_servers.kernel-scientist]\ncommand = 'x'\n";
}

void McpCommands::whatIsNotUnderstoodIsLeft() {
    QFETCH(const QString, client);
    QFETCH(const QString, file);
    QFETCH(const QString, text);
    const auto path = m_folder->path() / file.toStdString();
    QVERIFY(makeDirectories(path.parent_path()));
    QVERIFY(writeFileAtomically(path, text.toStdString()));
    const auto done = install(client.toStdString().c_str());
    QVERIFY2(done.exit.status == 2 && has(done.error, "Nothing was written"), done.error.c_str());
    QCOMPARE(readFile(path).value(), text.toStdString());
}

QTEST_APPLESS_MAIN(McpCommands)
#include "mcp_commands.moc"
