// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/problem/problem.h"
#include "tests/support/cli_run.h"

#include <QTest>

using namespace gks;
using namespace gks::test;

namespace {

constexpr std::string_view elementTypes = R"(#include <array>
#include <vector>
using input_t = std::vector<float>;
using output_t = input_t;
constexpr std::array<const char*, 2> ArgumentNames = {"seed", "size"};
)";

// With this as the body of ref_kernel; BEFORE stands outside of functions.
std::string elementReference(const std::string& body, const std::string& before = {}) {
    return R"(#include <cmath>
#include <random>
#include "task.h"
#include "utils.h"
)" + before +
           R"(
static input_t generate_input(int seed, int size) {
    std::mt19937 rng(seed);
    input_t data(size);
    std::uniform_real_distribution<float> dist(0, 1);
    for (int j = 0; j < size; ++j) {
        data[j] = dist(rng);
    }
    return data;
}
static output_t ref_kernel(input_t data) {
)" + body + R"(
}
static void check_implementation(TestReporter& reporter, input_t data, output_t out, float epsilon = 1e-5) {
    output_t ref = ref_kernel(data);
    for (int j = 0; j < ref.size(); ++j) {
        if (std::fabs(ref[j] - out[j]) > epsilon) {
            reporter.fail() << "error at " << j;
            return;
        }
    }
    reporter.pass();
}
)";
}

void writeCudaTask(const std::filesystem::path& task, const std::string& reference) {
    QVERIFY(makeDirectories(task));
    QVERIFY(writeFileAtomically(task / "task.yml",
                                "lang: \"cu\"\ntests:\n  - {\"size\": 127, \"seed\": 7}\n"
                                "  - {\"size\": 300, \"seed\": 7}\nbenchmarks:\n  - {\"size\": 4096, \"seed\": 8}\n"));
    QVERIFY(writeFileAtomically(task / "task.h", std::string(elementTypes)));
    QVERIFY(writeFileAtomically(task / "reference.cuh", reference));
}

} // namespace

// Problems and kernels of other people, as a person takes them in; the judge says what they are worth.
class ImportCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void definitionsAreJudged_data();
    void definitionsAreJudged();
    void aTaskIsJudged();
    void aConvolutionIsJudged();
    void aScanIsJudged();
    void aCudaTaskIsJudged();
    void aCudaTaskWithoutFirstKernelBecomesACampaign();
    void codeOfATaskReachesNothing();
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

// Windows, and weights in a row: the first kernel and the reference number the elements in ways of their own.
void ImportCommands::aConvolutionIsJudged() {
    const auto folder = TemporaryDirectory::create("gks-import-task").value();
    const auto task = folder.path() / "blurred";
    QVERIFY(makeDirectories(task));
    QVERIFY(writeFileAtomically(task / "task.yml",
                                "lang: \"py\"\ntests:\n  - {\"size\": 12, \"taps\": 3, \"channels\": 2, \"seed\": 7}\n"
                                "  - {\"size\": 9, \"taps\": 4, \"channels\": 3, \"seed\": 7}\n"
                                "benchmarks:\n  - {\"size\": 24, \"taps\": 5, \"channels\": 4, \"seed\": 8}\n"));
    QVERIFY(writeFileAtomically(task / "reference.py", R"(import torch
import torch.nn.functional as F
from utils import make_match_reference

def ref_kernel(data):
    x, w = data
    weights = torch.tensor([0.5, -1.5, 2.0], dtype=torch.float32)
    return F.conv2d(x, w, stride=1, padding=0).unsqueeze(-1).sum(dim=1).mul(weights).to(torch.float32)

def generate_input(size: int, taps: int, channels: int, seed: int):
    gen = torch.Generator(device="cuda")
    gen.manual_seed(seed)
    x = torch.randn(3, channels, size, size, device="cuda", dtype=torch.float32, generator=gen)
    w = torch.randn(channels, channels, taps, taps, device="cuda", dtype=torch.float32, generator=gen)
    return (x, w)

check_implementation = make_match_reference(ref_kernel, rtol=1e-3, atol=1e-3)
)"));
    const auto pack = folder.path() / "pack";
    const auto imported = runCli({"import-problem", task.string(), "--to", pack.string()});
    QVERIFY2(imported.ok(), imported.error.c_str());
    const auto naive = pack / "seeds/naive.hip";
    const std::vector<std::string> evaluate = {"evaluate",    naive.string(),      "--problem",
                                               pack.string(), "--measure-seconds", "0.1"};
    const Json verdict = cliJson(evaluate);
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    const std::string source = readFile(naive).value();
    const std::string broken = replaceAll(source, "-1.5f", "1.5f");
    QVERIFY(broken != source && writeFileAtomically(naive, broken));
    QVERIFY(cliJson(evaluate, 1)["verdict"] == "wrong");
}

// Sums so far along both axes, by the first kernel and by one that somebody has written without it.
void ImportCommands::aScanIsJudged() {
    const auto folder = TemporaryDirectory::create("gks-import-task").value();
    const auto task = folder.path() / "sums";
    QVERIFY(makeDirectories(task));
    QVERIFY(writeFileAtomically(task / "task.yml",
                                "lang: \"py\"\ntests:\n  - {\"rows\": 3, \"cols\": 17, \"seed\": 7}\n"
                                "  - {\"rows\": 9, \"cols\": 5, \"seed\": 7}\n"
                                "benchmarks:\n  - {\"rows\": 24, \"cols\": 65, \"seed\": 8}\n"));
    QVERIFY(writeFileAtomically(task / "reference.py", R"(import torch

def ref_kernel(data):
    x, y = data
    y = torch.cumsum(x.to(torch.float64), dim=-1) - 0.5 * x.cumsum(0).cumsum(1) + x.sum()
    return y.to(torch.float64)

def generate_input(rows: int, cols: int, seed: int):
    gen = torch.Generator(device="cuda")
    gen.manual_seed(seed)
    x = torch.randn(rows, cols, device="cuda", dtype=torch.float32, generator=gen)
    y = torch.empty(rows, cols, device="cuda", dtype=torch.float32)
    return x, y
)"));
    const auto pack = folder.path() / "pack";
    const auto imported = runCli({"import-problem", task.string(), "--to", pack.string()});
    QVERIFY2(imported.ok(), imported.error.c_str());
    const auto verdict = [&](const std::filesystem::path& kernel, int status) {
        return cliJson({"evaluate", kernel.string(), "--problem", pack.string(), "--measure-seconds", "0.1"}, status);
    };
    const Json first = verdict(pack / "seeds/naive.hip", 0);
    QVERIFY2(first["verdict"] == "correct", first.dump().c_str());
    const std::string own = R"(// Added up for each element
#include "problem.h"
__global__ void sums(Problem p) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.rows * p.cols) {
        return;
    }
    double row = 0, block = 0, all = 0;
    for (int i = 0; i < p.rows * p.cols; ++i) {
        all += p.x[i];
    }
    for (int c = 0; c <= at % p.cols; ++c) {
        row += p.x[at / p.cols * p.cols + c];
        for (int r = 0; r <= at / p.cols; ++r) {
            block += p.x[r * p.cols + c];
        }
    }
    p.output[at] = float(row - 0.5 * block + all);
}
extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    sums<<<(p.rows * p.cols + 255) / 256, 256, 0, stream>>>(p);
    return hipGetLastError();
}
)";
    const auto kernel = folder.path() / "own.hip";
    QVERIFY(writeFileAtomically(kernel, own));
    const Json second = verdict(kernel, 0);
    QVERIFY2(second["verdict"] == "correct", second.dump().c_str());
    QVERIFY(writeFileAtomically(kernel, replaceAll(own, "c <= at", "c < at"))); // without the element itself
    QVERIFY(verdict(kernel, 1)["verdict"] == "wrong");
}

void ImportCommands::aCudaTaskIsJudged() {
    const auto folder = TemporaryDirectory::create("gks-import-cuda").value();
    writeCudaTask(folder.path() / "twice", elementReference("    output_t out;\n    int N = data.size();\n"
                                                            "    out.resize(N);\n    for (int j = 0; j < N; ++j) {\n"
                                                            "        out[j] = data[j] + std::sqrt(data[j]);\n    }\n"
                                                            "    return out;"));
    const std::string pack = (folder.path() / "pack").string();
    const auto imported = runCli({"import-problem", (folder.path() / "twice").string(), "--to", pack});
    QVERIFY2(imported.ok(), imported.error.c_str());
    const auto naive = folder.path() / "pack/seeds/naive.hip";
    const std::vector<std::string> evaluate = {"evaluate", naive.string(),      "--problem",
                                               pack,       "--measure-seconds", "0.1"};
    const Json verdict = cliJson(evaluate);
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    QVERIFY(verdict["measurements"].size() == 2); // the third is held out
    const std::string source = readFile(naive).value();
    QVERIFY(writeFileAtomically(naive, replaceAll(source, "sqrtf(p.data[i])", "p.data[i]")));
    QVERIFY(cliJson(evaluate, 1)["verdict"] == "wrong");
}

// The kernel is the person's own, and so is the baseline.
void ImportCommands::aCudaTaskWithoutFirstKernelBecomesACampaign() {
    const auto folder = TemporaryDirectory::create("gks-import-cuda").value();
    writeCudaTask(folder.path() / "mirror", elementReference("    return output_t(data.rbegin(), data.rend());"));
    const std::string pack = (folder.path() / "pack").string();
    const auto unread = runCli({"import-problem", (folder.path() / "mirror").string(), "--to", pack});
    QVERIFY2(unread.exit.status == 2 && unread.error.find("give it one by resize()") != std::string::npos,
             unread.error.c_str());
    writeCudaTask(folder.path() / "mirror",
                  elementReference("    output_t out;\n    out.resize(data.size());\n"
                                   "    std::copy(data.rbegin(), data.rend(), out.begin());\n    return out;"));
    const auto imported = runCli({"import-problem", (folder.path() / "mirror").string(), "--to", pack});
    QVERIFY2(imported.ok(), imported.error.c_str());
    QVERIFY2(imported.output.find("--kernels my.hip") != std::string::npos, imported.output.c_str());
    const std::string own = (folder.path() / "own.hip").string();
    QVERIFY(writeFileAtomically(own, R"(// From behind
#include "problem.h"
__global__ void mirrored(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.size) {
        p.output[i] = p.data[p.size - 1 - i];
    }
}
extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    mirrored<<<(p.size + 255) / 256, 256, 0, stream>>>(p);
    return hipGetLastError();
}
)"));
    const Json verdict = cliJson({"evaluate", own, "--problem", pack, "--measure-seconds", "0.1"});
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    const std::string file = (folder.path() / "c.gks").string();
    const auto empty = runCli({"new", file, "--problem", pack});
    QVERIFY2(empty.exit.status == 2 && empty.error.find("at least one kernel") != std::string::npos,
             empty.error.c_str());
    const auto made = runCli({"new", file, "--problem", pack, "--kernels", own, "--measure-seconds", "0.1"});
    QVERIFY2(made.ok(), made.error.c_str());
    const auto run = runCli({"run", file, "--evaluations", "1"});
    QVERIFY2(run.ok(), run.error.c_str());
    const Json shown = cliJson({"show", file});
    QVERIFY2(shown["kernels"][0]["verdict"] == "correct", shown.dump().c_str());
}

// It is compiled and run behind the wall alone, and what it does there stays there.
void ImportCommands::codeOfATaskReachesNothing() {
    const auto folder = TemporaryDirectory::create("gks-import-hostile").value();
    const std::string mark = (folder.path() / "mark").string();
    writeCudaTask(folder.path() / "hostile", elementReference("    return data;", R"(#include <cstdio>
#include <cstdlib>
struct First {
    First() {
        std::system("touch )" + mark + R"(");
        if (std::FILE* file = std::fopen(")" + mark + R"(", "w")) {
            std::fputs("x", file);
        }
        if (std::FILE* file = std::fopen("/etc/passwd", "r")) {
            char line[80] = {};
            std::fgets(line, sizeof line, file);
            std::fprintf(stderr, "read %s", line);
        }
    }
};
static First first;
)"));
    const std::string pack = (folder.path() / "pack").string();
    const auto imported = runCli({"import-problem", (folder.path() / "hostile").string(), "--to", pack});
    QVERIFY2(imported.ok(), imported.error.c_str());
    QVERIFY(!std::filesystem::exists(mark));
    const Json verdict = cliJson(
        {"evaluate", (folder.path() / "pack/seeds/naive.hip").string(), "--problem", pack, "--measure-seconds", "0.1"});
    QVERIFY2(verdict["verdict"] == "correct", verdict.dump().c_str());
    QVERIFY2(verdict.dump().find("root:") == std::string::npos, verdict.dump().c_str());
    QVERIFY(!std::filesystem::exists(mark));
    // An output of another length than was read is a fault of the pack, and no kernel's.
    std::filesystem::remove_all(folder.path() / "pack");
    writeCudaTask(
        folder.path() / "hostile",
        elementReference("    output_t out;\n    out.resize(data.size());\n    shorten(out);\n    return out;",
                         "static void shorten(std::vector<float>& x) { x.pop_back(); }\n"));
    QVERIFY(runCli({"import-problem", (folder.path() / "hostile").string(), "--to", pack}).ok());
    const std::string own = (folder.path() / "own.hip").string();
    QVERIFY(writeFileAtomically(own, "// None\n#include \"problem.h\"\nextern \"C\" hipError_t solve(const Problem&, "
                                     "void*, hipStream_t) {\n    return hipSuccess;\n}\n"));
    const auto faulty = runCli({"evaluate", own, "--problem", pack, "--measure-seconds", "0.1"});
    QVERIFY2(faulty.output.find("infrastructure-failed") != std::string::npos, faulty.output.c_str());
    QVERIFY2((faulty.output + faulty.error).find("ref_kernel returns 126 values") != std::string::npos ||
                 (faulty.output + faulty.error).find("where problem.toml has") != std::string::npos,
             (faulty.output + faulty.error).c_str());
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
