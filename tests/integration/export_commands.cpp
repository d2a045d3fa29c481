// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/export/export_check.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <algorithm>
#include <fstream>
#include <sys/mount.h>

using namespace gks;
using namespace gks::test;

// Exported libraries, compiled for the CPU and run with their own test, in the sandbox.
class ExportCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsAsLibraries_data();
    void seedsAsLibraries();
    void extentsThatNobodyVerifiedAreRefused();
    void aBrokenKernelIsFound();
    void everyFormIsCompiled_data();
    void everyFormIsCompiled();
    void aPatchIsTriedInATreeOfItsOwn();
    void aFullDiskIsNoFaultOfTheKernel();
    void theTestOfPyTorchRuns();
    void aDefinitionsWinnerInEveryForm();
    void aCampaignsBest();
    void whatDoesNotGoTogether();
};

namespace {

// The second seed as if it had won on every cpu shape over the first.
ExportedKernel winnerOf(const std::string& problem) {
    ExportedKernel kernel;
    kernel.pack = loadProblemPack(problem).value();
    kernel.id = 2;
    kernel.name = exportName(problem, kernel.id);
    kernel.source = kernel.pack.seeds.back().source;
    kernel.fallback = 1;
    kernel.fallbackSource = kernel.pack.seeds.front().source;
    for (const Shape& shape : kernel.pack.shapesOf(ShapeSet::cpu)) {
        kernel.shapes.push_back({shape, 1, 2, 2, {1.9, 2.1}, true});
    }
    return kernel;
}

struct Written {
    TemporaryDirectory folder = TemporaryDirectory::create("gks-export-commands").value();
    std::filesystem::path library = folder.path() / "library";

    explicit Written(const ExportedKernel& kernel, ExportOptions options = {.form = ExportForm::library}) {
        const auto files = exportFiles(kernel, options);
        if (!files || !writeExport(*files, library)) {
            qFatal("not written");
        }
    }
};

} // namespace

void ExportCommands::seedsAsLibraries_data() {
    QTest::addColumn<std::string>("problem");
    for (const char* problem : {"sum-reduction", "row-softmax", "fp8-gemm"}) {
        QTest::newRow(problem) << std::string(problem);
    }
}

void ExportCommands::seedsAsLibraries() {
    QFETCH(const std::string, problem);
    const ExportedKernel kernel = winnerOf(problem);
    const Written written(kernel);
    const auto check = checkExport(kernel, ExportForm::library, written.library);
    QVERIFY2(check.has_value(), check ? "" : check.error().message().c_str());
    QVERIFY2(check->hasRun && check->output.find("all right on") != std::string::npos, check->output.c_str());
    QVERIFY(check->output.find("(measured, kernel)") != std::string::npos);
    QVERIFY(check->output.find("(not measured, fallback)") != std::string::npos);
}

// Without tensors: a shape that is taken comes back as NO_POINTER.
constexpr const char* extentCalls = R"(#include "row_softmax_k00002.h"
#include <cstdio>
int main() {
    const long long shapes[][2] = {{32, 64}, {64, 96}, {33, 65}, {32, 96}, {64, 64}, {96, 64}, {0, 64}, {7, 128}};
    for (const auto& s : shapes) {
        const int chosen = row_softmax_k00002(nullptr, nullptr, s[0], s[1], nullptr, 0, nullptr);
        const int kernel = row_softmax_k00002_kernel(nullptr, nullptr, s[0], s[1], nullptr, 0, nullptr);
        const int fallback = row_softmax_k00002_fallback(nullptr, nullptr, s[0], s[1], nullptr, 0, nullptr);
        std::printf("%lldx%lld:%d%d%d%d ", s[0], s[1], chosen, kernel, fallback, row_softmax_k00002_uses_kernel(s[0], s[1]));
    }
}
)";

void ExportCommands::extentsThatNobodyVerifiedAreRefused() {
    ExportedKernel kernel = winnerOf("row-softmax");
    kernel.pack.shapes = {{ShapeSet::test, {{32, 64}}}, {ShapeSet::cpu, {{64, 96}}}};
    kernel.shapes = {{{64, 96}, 1, 2, 2, {1.9, 2.1}, true}};
    const auto said = [&](std::vector<bool> isFree) {
        kernel.pack.isFree = std::move(isFree);
        const Written written(kernel);
        const auto file = written.library / "test" / ("test_" + kernel.name + ".hip");
        if (!writeFileAtomically(file, extentCalls)) {
            return std::string("not written");
        }
        const auto check = checkExport(kernel, ExportForm::library, written.library);
        return check ? check->output : check.error().message();
    };
    QCOMPARE(said({false, false}), std::string("32x64:-2-2-20 64x96:-2-2-21 33x65:-1-1-10 32x96:-1-1-10 64x64:-1-1-10 "
                                               "96x64:-1-1-10 0x64:-1-1-10 7x128:-1-1-10 "));
    QCOMPARE(said({true, false}), std::string("32x64:-2-2-20 64x96:-2-2-21 33x65:-1-1-10 32x96:-2-2-20 64x64:-2-2-20 "
                                              "96x64:-2-2-20 0x64:-1-1-10 7x128:-1-1-10 "));
}

void ExportCommands::aBrokenKernelIsFound() {
    const ExportedKernel kernel = winnerOf("sum-reduction");
    const Written written(kernel);
    const auto file = written.library / (kernel.name + ".hip");
    const std::string good = readFile(file).value();
    const std::string bad = replaceAll(good, "sum += of_wave[wave];", "sum += 1.001f * of_wave[wave];");
    QVERIFY(good != bad && writeFileAtomically(file, bad).has_value());
    const auto check = checkExport(kernel, ExportForm::library, written.library);
    QVERIFY(!check && check.error().kind == ErrorKind::kernel);
    QVERIFY2(check.error().message().find("WRONG") != std::string::npos, check.error().message().c_str());
}

void ExportCommands::everyFormIsCompiled_data() {
    QTest::addColumn<ExportForm>("form");
    QTest::addColumn<std::string>("open"); // what is said of what could not be tried
    QTest::newRow("header") << ExportForm::header << std::string("this form has no test");
    QTest::newRow("hf-kernel") << ExportForm::hfKernel << std::string("registration.h");
    QTest::newRow("patch") << ExportForm::patch << std::string("this form has no test");
}

// A broken source is found in each: nothing is taken to be compiled that was not.
void ExportCommands::everyFormIsCompiled() {
    QFETCH(const ExportForm, form);
    QFETCH(const std::string, open);
    ExportedKernel kernel = winnerOf("sum-reduction");
    ExportOptions options = {.form = form};
    const auto tree = TemporaryDirectory::create("gks-export-tree").value();
    if (form == ExportForm::patch) {
        Command git;
        git.arguments = {"git", "init", "-q"};
        git.folder = tree.path();
        QVERIFY(runProcess(git).value().ok());
        options.into = tree.path();
        options.path = "src/kernels";
    }
    const Written written(kernel, options);
    const auto check = checkExport(kernel, form, written.library);
    QVERIFY2(check.has_value(), check ? "" : check.error().message().c_str());
    QVERIFY(!check->hasRun && check->compiler.starts_with("kernel-scientist-hipcc") && check->open.size() == 1);
    QVERIFY2(check->open.front().find(open) != std::string::npos, check->open.front().c_str());
    kernel.source += "\nthis is no C++\n";
    const Written broken(kernel, options);
    QVERIFY(!checkExport(kernel, form, broken.library));
}

struct VariableSet {
    const char* name;
    QByteArray before = qgetenv(name);
    VariableSet(const char* variable, const std::string& value) : name(variable) { qputenv(name, value.c_str()); }
    ~VariableSet() { before.isNull() ? qunsetenv(name) : qputenv(name, before); }
};

// Whatever tree the temporary folder lies in, and whatever tree a person's variables speak of.
void ExportCommands::aPatchIsTriedInATreeOfItsOwn() {
    const auto tree = TemporaryDirectory::create("gks-export-tree").value();
    Command git;
    git.arguments = {"git", "init", "-q"};
    git.folder = tree.path();
    QVERIFY(runProcess(git).value().ok());
    const ExportedKernel kernel = winnerOf("sum-reduction");
    const Written written(kernel, {.form = ExportForm::patch, .into = tree.path(), .path = "src/kernels"});
    const VariableSet temporary("TMPDIR", tree.path().string());
    const VariableSet gitFolder("GIT_DIR", (tree.path() / ".git").string());
    const auto check = checkExport(kernel, ExportForm::patch, written.library);
    QVERIFY2(check.has_value(), check ? "" : check.error().message().c_str());
    QVERIFY(check->compiler.starts_with("kernel-scientist-hipcc"));
}

void ExportCommands::aFullDiskIsNoFaultOfTheKernel() {
    const auto disk = TemporaryDirectory::create("gks-tiny-disk").value();
    if (::mount("none", disk.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
        QSKIP("mounting a tiny disk needs root");
    }
    const ExportedKernel kernel = winnerOf("sum-reduction");
    const Written written(kernel, {.form = ExportForm::header});
    QVERIFY(checkExport(kernel, ExportForm::header, written.library).has_value());
    std::ofstream(disk.path() / "rest") << std::string((std::size_t{1} << 20) - 32768, 'x');
    std::optional<Result<ExportCheck>> check;
    {
        const VariableSet temporary("TMPDIR", disk.path().string());
        check = checkExport(kernel, ExportForm::header, written.library);
    }
    ::umount(disk.path().c_str());
    QVERIFY(!check->has_value());
    QVERIFY2(check->error().kind == ErrorKind::infrastructure, check->error().message().c_str());
    QVERIFY(check->error().message().find("is full") != std::string::npos);
}

// Without a PyTorch the kernel is compiled all the same, and the rest is said to be open.
void ExportCommands::theTestOfPyTorchRuns() {
    const ExportedKernel kernel = winnerOf("sum-reduction");
    const Written written(kernel, {.form = ExportForm::torch});
    const auto check = checkExport(kernel, ExportForm::torch, written.library);
    QVERIFY2(check.has_value(), check ? "" : check.error().message().c_str());
    QVERIFY(check->compiler.starts_with("kernel-scientist-hipcc"));
    if (!check->hasRun) {
        QVERIFY(check->output.empty() && check->open.size() == 2);
        QSKIP(check->open.front().c_str());
    }
    QVERIFY2(check->output.find("all right") != std::string::npos, check->output.c_str());
    QVERIFY(check->open.empty() && check->compiler.find("headers of PyTorch") != std::string::npos);
    const auto file = written.library / "csrc" / (kernel.name + ".cu");
    const std::string good = readFile(file).value();
    const std::string bad = replaceAll(good, "sum += of_wave[wave];", "sum += 1.001f * of_wave[wave];");
    QVERIFY(good != bad && writeFileAtomically(file, bad).has_value());
    const auto wrong = checkExport(kernel, ExportForm::torch, written.library);
    QVERIFY(!wrong && wrong.error().message().find("WRONG") != std::string::npos);
}

constexpr const char* gemmDefinition = R"({"name": "gemm_n64_k64", "op_type": "gemm", "description": "C = A @ B.T.",
"axes": {"M": {"type": "var"}, "N": {"type": "const", "value": 64}, "K": {"type": "const", "value": 64}},
"inputs": {"A": {"shape": ["M", "K"], "dtype": "float16"}, "B": {"shape": ["N", "K"], "dtype": "float16"}},
"outputs": {"C": {"shape": ["M", "N"], "dtype": "float16"}},
"reference": "import torch\n\ndef run(A, B):\n    C = torch.matmul(A, B.T)\n    return C"})";

// Against a thread for each output, which is what an import writes.
constexpr const char* gemmTiles = R"(// Tiles of 16 by 64 in LDS
#include "problem.h"
__global__ __launch_bounds__(256) void tiled(Problem p) {
    __shared__ float as[16][65];
    __shared__ float bs[64][65];
    const int t = threadIdx.x, row = blockIdx.x * 16 + t / 16, column = (t % 16) * 4;
    for (int i = t; i < 16 * 64; i += 256) {
        const int y = blockIdx.x * 16 + i / 64;
        as[i / 64][i % 64] = y < p.m ? float(p.a[size_t(y) * p.k + i % 64]) : 0.f;
    }
    for (int i = t; i < 64 * 64; i += 256) {
        bs[i / 64][i % 64] = float(p.b[size_t(i / 64) * p.k + i % 64]);
    }
    __syncthreads();
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < 64; ++k) {
        for (int j = 0; j < 4; ++j) {
            sum[j] += as[t / 16][k] * bs[column + j][k];
        }
    }
    for (int j = 0; j < 4 && row < p.m; ++j) {
        p.c[size_t(row) * p.n + column + j] = to_f16(sum[j]);
    }
}
extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    tiled<<<(p.m + 15) / 16, 256, 0, stream>>>(p);
    return hipGetLastError();
}
)";

// From what somebody else has written down to what goes into somebody else's code.
void ExportCommands::aDefinitionsWinnerInEveryForm() {
    const auto folder = TemporaryDirectory::create("gks-export-definition").value();
    const auto at = [&](const char* name) { return (folder.path() / name).string(); };
    QVERIFY(writeFileAtomically(at("gemm.json"), gemmDefinition) && writeFileAtomically(at("tiles.hip"), gemmTiles));
    const auto imported = runCli({"import-problem", at("gemm.json"), "--to", at("pack")});
    QVERIFY2(imported.ok(), imported.error.c_str());
    const std::string manifest = readFile(folder.path() / "pack/problem.toml").value();
    const std::string few = manifest.substr(0, manifest.find("cpu = ")) + "cpu = [[128, 64, 64], [256, 64, 64]]\n";
    QVERIFY(writeFileAtomically(folder.path() / "pack/problem.toml", few).has_value());
    QVERIFY(runCli({"new", at("c.gks"), "--problem", at("pack"), "--kernels", at("tiles.hip")}).ok());
    const auto run = runCli({"run", at("c.gks"), "--evaluations", "3"});
    QVERIFY2(run.ok(), (run.output + run.error).c_str());
    for (const char* form : {"header", "library", "torch", "hf-kernel", "flashinfer"}) {
        std::vector<std::string> words = {"export", at("c.gks"), "2", "--as", form, "--to", at(form), "--check"};
        if (std::string_view(form) == "flashinfer") {
            const auto unnamed = runCli(words);
            QVERIFY(unnamed.exit.status == 2 && unnamed.error.find("--hardware") != std::string::npos);
            words.insert(words.end(), {"--hardware", "NVIDIA_H100"});
        }
        const auto exported = runCli(words);
        QVERIFY2(exported.ok(), (std::string(form) + exported.output + exported.error).c_str());
        QVERIFY2(exported.output.find("Checked: compiled") != std::string::npos, exported.output.c_str());
    }
    const std::string solution = readFile(folder.path() / "flashinfer/gemm_n64_k64_k00002.json").value();
    QVERIFY(solution.find("never on NVIDIA_H100: the times are CPU timings, not GPU") != std::string::npos &&
            solution.find("\"definition\": \"gemm_n64_k64\"") != std::string::npos);
}

void ExportCommands::aCampaignsBest() {
    const auto folder = TemporaryDirectory::create("gks-export-sample").value();
    const auto file = folder.path() / "fp8.gks";
    std::filesystem::copy_file(GKS_SOURCE_DIR "/resources/samples/fp8-gemm-cpu.gks", file);
    const auto done =
        runCli({"export", file.string(), "--as", "library", "--to", (folder.path() / "lib").string(), "--check"});
    QVERIFY2(done.ok(), done.error.c_str());
    QVERIFY2(done.output.find("all right on") != std::string::npos &&
                 done.output.find("compiled and run") != std::string::npos,
             done.output.c_str());
    const auto again = runCli({"export", file.string(), "--as", "header", "--to", (folder.path() / "lib").string()});
    QVERIFY(again.exit.status == 2 && again.error.find("not empty") != std::string::npos);
    const auto other =
        runCli({"export", file.string(), "2", "--as", "torch", "--to", (folder.path() / "torch").string()});
    QVERIFY2(other.ok() && other.output.find("Nothing was compiled with PyTorch") != std::string::npos,
             other.error.c_str());
    QVERIFY(std::filesystem::exists(folder.path() / "torch/fp8_gemm_k00002/__init__.py"));
}

void ExportCommands::whatDoesNotGoTogether() {
    const std::string file = GKS_SOURCE_DIR "/resources/samples/fp8-gemm-cpu.gks";
    QVERIFY(runCli({"export", file, "--as", "header", "--to", "/tmp/x", "--hardware", "NVIDIA_H100"}).exit.status == 2);
    QVERIFY(runCli({"export", file, "--as", "torch", "--to", "/tmp/x", "--into", "/tmp"}).exit.status == 2);
    QVERIFY(runCli({"export", file, "--as", "nonsense", "--to", "/tmp/x"}).exit.status == 2);
}

QTEST_APPLESS_MAIN(ExportCommands)
#include "export_commands.moc"
