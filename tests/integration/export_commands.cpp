// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/export/export_forms.h"
#include "core/export/library_check.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

// Exported libraries, compiled for the CPU and run with their own test, in the sandbox.
class ExportCommands : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsAsLibraries_data();
    void seedsAsLibraries();
    void aBrokenKernelIsFound();
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

    explicit Written(const ExportedKernel& kernel) {
        const auto files = exportFiles(kernel, {.form = ExportForm::library});
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
    const auto check = checkLibrary(kernel, written.library);
    QVERIFY2(check.has_value(), check ? "" : check.error().message().c_str());
    QVERIFY2(check->hasRun && check->output.find("all right on") != std::string::npos, check->output.c_str());
    QVERIFY(check->output.find("(measured, kernel)") != std::string::npos);
    QVERIFY(check->output.find("(not measured, fallback)") != std::string::npos);
}

void ExportCommands::aBrokenKernelIsFound() {
    const ExportedKernel kernel = winnerOf("sum-reduction");
    const Written written(kernel);
    const auto file = written.library / (kernel.name + ".hip");
    const std::string good = readFile(file).value();
    const std::string bad = replaceAll(good, "sum += of_wave[wave];", "sum += 1.001f * of_wave[wave];");
    QVERIFY(good != bad && writeFileAtomically(file, bad).has_value());
    const auto check = checkLibrary(kernel, written.library);
    QVERIFY(!check && check.error().kind == ErrorKind::kernel);
    QVERIFY2(check.error().message().find("WRONG") != std::string::npos, check.error().message().c_str());
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
    QVERIFY(runCli({"export", file, "--as", "header", "--to", "/tmp/x", "--check"}).exit.status == 2);
    QVERIFY(runCli({"export", file, "--as", "torch", "--to", "/tmp/x", "--into", "/tmp"}).exit.status == 2);
    QVERIFY(runCli({"export", file, "--as", "nonsense", "--to", "/tmp/x"}).exit.status == 2);
}

QTEST_APPLESS_MAIN(ExportCommands)
#include "export_commands.moc"
