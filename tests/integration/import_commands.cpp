// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/problem/problem.h"
#include "tests/support/cli_run.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

// Problems and kernels of other people, as a person takes them in; the judge says what they are worth.
class ImportCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void definitionsAreJudged_data();
    void definitionsAreJudged();
    void kernelsGoIntoACampaign();
};

void ImportCommands::definitionsAreJudged_data() {
    QTest::addColumn<std::string>("definition");
    QTest::newRow("norm") << std::string(R"json({
        "name": "rmsnorm_d128",
        "axes": {"batch_size": {"type": "var"}, "hidden_size": {"type": "const", "value": 128}},
        "inputs": {"hidden_states": {"shape": ["batch_size", "hidden_size"], "dtype": "bfloat16"},
                   "weight": {"shape": ["hidden_size"], "dtype": "bfloat16"}},
        "outputs": {"output": {"shape": ["batch_size", "hidden_size"], "dtype": "bfloat16"}},
        "reference": "import torch\n\n@torch.no_grad()\ndef run(hidden_states, weight):\n    x = hidden_states.to(torch.float32)\n    inv_rms = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + 1e-6)\n    return ((x * inv_rms) * weight).to(hidden_states.dtype)\n"})json");
    QTest::newRow("product") << std::string(R"json({
        "name": "gemm_n48_k64",
        "axes": {"M": {"type": "var"}, "N": {"type": "const", "value": 48}, "K": {"type": "const", "value": 64}},
        "inputs": {"A": {"shape": ["M", "K"], "dtype": "float16"}, "B": {"shape": ["N", "K"], "dtype": "float16"}},
        "outputs": {"C": {"shape": ["M", "N"], "dtype": "float32"}},
        "reference": "import torch\n\ndef run(A, B):\n    return torch.softmax(torch.matmul(A, B.T), dim=-1)"})json");
}

void ImportCommands::definitionsAreJudged() {
    QFETCH(const std::string, definition);
    const auto folder = TemporaryDirectory::create("gks-import-commands").value();
    const auto file = folder.path() / "definition.json";
    const auto pack = folder.path() / "pack";
    QVERIFY(writeFileAtomically(file, definition).has_value());
    const auto imported = runCli({"import-problem", file.string(), "--to", pack.string()});
    QVERIFY2(imported.ok(), imported.error.c_str());
    const auto naive = pack / "seeds/naive.hip";
    const std::vector<std::string> evaluate = {"evaluate",    naive.string(),      "--problem",
                                               pack.string(), "--measure-seconds", "0.1"};
    const Json verdict = cliJson(evaluate);
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    const std::string source = readFile(naive).value();
    const std::string broken =
        replaceAll(replaceAll(source, "= to_bf16(v", "= to_bf16(1.5f * v"), "[flat] = v", "[flat] = 1.5f * v");
    QVERIFY(broken != source && writeFileAtomically(naive, broken).has_value());
    QVERIFY(cliJson(evaluate, 1)["verdict"] == "wrong");
}

void ImportCommands::kernelsGoIntoACampaign() {
    const auto folder = TemporaryDirectory::create("gks-import-kernels").value();
    const std::string file = (folder.path() / "c.gks").string();
    const auto made = runCli({"new", file, "--problem", "sum-reduction", "--seeds", "naive"});
    QVERIFY2(made.ok(), made.error.c_str());
    const auto own = folder.path() / "own.hip";
    const auto pack = loadProblemPack("sum-reduction").value();
    QVERIFY(writeFileAtomically(own, pack.seeds.back().source).has_value());
    const auto imported = runCli({"import", file, own.string()});
    QVERIFY2(imported.ok() && imported.output.find("compared with 00001") != std::string::npos, imported.error.c_str());
    const Json shown = cliJson({"show", file});
    QVERIFY(shown["kernels"].size() == 2 && shown["kernels"][1]["title"] == pack.seeds.back().title);
    const auto twice = runCli({"import", file, own.string()});
    QVERIFY2(twice.exit.status == 2 && twice.error.find("same as kernel") != std::string::npos, twice.error.c_str());
    QVERIFY(writeFileAtomically(own, "// solve(\nint other;\n").has_value());
    const auto none = runCli({"import", file, own.string()});
    QVERIFY2(none.exit.status == 2 && none.error.find("no function solve()") != std::string::npos, none.error.c_str());
    QVERIFY(runCli({"import", file, (folder.path() / "nothing.hip").string()}).exit.status != 0);
}

QTEST_APPLESS_MAIN(ImportCommands)
#include "import_commands.moc"
