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
    void aTaskIsJudged();
    void refusedProblemsLeaveNothing();
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

// A problem of GPU MODE, with an extent that is computed and an output buffer.
void ImportCommands::aTaskIsJudged() {
    const auto folder = TemporaryDirectory::create("gks-import-task").value();
    const auto task = folder.path() / "scaled_sum";
    QVERIFY(makeDirectories(task));
    QVERIFY(writeFileAtomically(task / "task.yml",
                                "lang: \"cu\"\ntests:\n  - {\"rows\": 33, \"cols\": 64, \"seed\": 7}\n"
                                "benchmarks:\n  - {\"rows\": 128, \"cols\": 256, \"seed\": 8}\n"));
    QVERIFY(writeFileAtomically(task / "reference.py", R"(import torch
from utils import make_match_reference

def generate_input(rows: int, cols: int, seed: int):
    gen = torch.Generator(device='cuda')
    gen.manual_seed(seed)
    half = cols // 2
    x = torch.randn(rows, half, device='cuda', dtype=torch.float16, generator=gen).contiguous()
    w = torch.rand((half,), device='cuda', generator=gen)
    y = torch.empty(rows, device='cuda')
    return (x, w, y)

def ref_kernel(data):
    x, w, y = data
    y[...] = (x.to(torch.float32) * w).sum(dim=-1)
    return y

check_implementation = make_match_reference(ref_kernel, rtol=1e-3, atol=1e-3)
)"));
    const auto pack = folder.path() / "pack";
    const auto imported = runCli({"import-problem", task.string(), "--to", pack.string()});
    QVERIFY2(imported.ok(), imported.error.c_str());
    const Json verdict = cliJson(
        {"evaluate", (pack / "seeds/naive.hip").string(), "--problem", pack.string(), "--measure-seconds", "0.1"});
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    for (const Json& fact : verdict["measurements"]) {
        QVERIFY(fact["shape"]["rows"] == 33 || fact["shape"]["rows"] == 128);
    }
}

void ImportCommands::refusedProblemsLeaveNothing() {
    const auto folder = TemporaryDirectory::create("gks-import-refused").value();
    const auto problem = folder.path() / "problem";
    const auto pack = folder.path() / "pack";
    QVERIFY(makeDirectories(problem));
    const std::string definition = R"json({"name": "d", "axes": {"m": {"type": "var"}},
        "inputs": {"x": {"shape": ["m"], "dtype": "float32"}}, "outputs": {"y": {"shape": ["m"], "dtype": "float32"}},
        "custom_inputs_entrypoint": ENTRY, "reference": "import torch\n\ndef run(x):\n    return x + 1\n"})json";
    QVERIFY(writeFileAtomically(problem / "definition.json", replaceAll(definition, "ENTRY", "\"get_inputs\"")));
    const auto refused = runCli({"import-problem", problem.string(), "--to", pack.string()});
    QVERIFY2(refused.exit.status == 2 && refused.error.find("get_inputs") != std::string::npos, refused.error.c_str());
    QVERIFY(!std::filesystem::exists(pack));
    QVERIFY(writeFileAtomically(problem / "definition.json", replaceAll(definition, "ENTRY", "null")));
    QVERIFY(
        writeFileAtomically(problem / "workload.jsonl", "{\"axes\": {\"m\": 640}, \"inputs\": {}, \"uuid\": \"u\"}\n"));
    const auto imported = runCli({"import-problem", problem.string(), "--to", pack.string()});
    QVERIFY2(imported.ok(), imported.error.c_str());
    QVERIFY(loadProblemPack(pack.string())->shapesOf(ShapeSet::benchmark) == std::vector<Shape>({{640}}));
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
