// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/scientist/knowledge.h"
#include "core/target/cuda_build.h"
#include "core/target/toolchain.h"

#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace gks;
namespace fs = std::filesystem;

// Every example in prompts/knowledge is compiled for each architecture that its first line names, and where it says so
// it is run on the cpu target, in both orders of threads, and every output compared. An example has `threads`,
// `outputs`, a kernel `example(float* out)` for one block, and what it must write: `float expected(int index)`.
class KnowledgeExamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void compiles_data();
    void compiles();
    void runsOnCpu_data();
    void runsOnCpu();
};

namespace {

struct Example {
    std::string name; // "gfx942/Example: sum over a wave"
    std::string source;
    QStringList architectures;
    bool runs = false;
};

std::vector<Example> examplesOf(const std::string& machine) {
    static const QRegularExpression marker(
        QStringLiteral("^// example: compiled for ((?:[a-z]+_?[0-9a-z]+ ?)+)(, run on cpu)?\\. "));
    std::vector<Example> examples;
    const std::vector<KnowledgeSection> sections = knowledgeSections(machine).value();
    for (const KnowledgeSection& section : sections) {
        const std::string fence = "```hip\n";
        for (std::size_t at = section.text.find(fence); at != std::string::npos; at = section.text.find(fence, at)) {
            at += fence.size();
            Example example;
            example.source = section.text.substr(at, section.text.find("```", at) - at);
            example.name = machine + "/" + section.heading;
            const auto match = marker.match(QString::fromStdString(example.source));
            if (!match.hasMatch()) {
                qFatal("%s: the first line does not say what it is compiled for", example.name.c_str());
            }
            example.architectures = match.captured(1).split(QLatin1Char(' '), Qt::SkipEmptyParts);
            example.runs = !match.captured(2).isEmpty();
            examples.push_back(std::move(example));
        }
    }
    return examples;
}

std::vector<Example> allExamples() {
    std::vector<Example> all;
    for (const std::string& machine : knownMachines()) {
        auto examples = examplesOf(machine);
        if (examples.empty()) {
            qFatal("%s has no example", machine.c_str());
        }
        std::move(examples.begin(), examples.end(), std::back_inserter(all));
    }
    return all;
}

// The compilation of an AMD or NVIDIA device code object, nothing else.
Result<Command> compilation(const std::string& architecture, const fs::path& source, const fs::path& output) {
    Command command;
    if (!architecture.starts_with("sm_")) {
        GKS_TRY_ASSIGN(const DeviceCompiler compiler, deviceCompiler(architecture));
        command.arguments = {compiler.program.string()};
        command.arguments.insert(command.arguments.end(), compiler.flags.begin(), compiler.flags.end());
        command.arguments.insert(command.arguments.end(), {"-Werror", "-c", source.string(), "-o", output.string()});
        return command;
    }
    if (!toolchain().cuda) {
        return infrastructureError("nvcc is not installed");
    }
    const std::string whole = withItsFeatures(architecture);
    command.arguments = {toolchain().cuda->nvcc.string(),
                         "-x",
                         "cu",
                         "-gencode=arch=compute_" + whole + ",code=sm_" + whole,
                         "-std=c++17",
                         "-cubin",
                         "-I",
                         cudaHeaderFolder().string(),
                         source.string(),
                         "-o",
                         output.string()};
    return command;
}

constexpr const char* harness = R"(
#include <cstdio>
#include <vector>
int main() {
    float* out = nullptr;
    std::vector<float> got(outputs, -1.0f);
    bool fine = hipMalloc(&out, outputs * sizeof(float)) == hipSuccess;
    example<<<1, threads>>>(out);
    fine = fine && hipMemcpy(got.data(), out, outputs * sizeof(float), hipMemcpyDeviceToHost) == hipSuccess;
    for (int index = 0; index < outputs; ++index) {
        if (got[index] != expected(index)) {
            std::printf("out[%d] is %g, not %g\n", index, got[index], expected(index));
            return 1;
        }
    }
    return fine ? 0 : 1;
}
)";

} // namespace

void KnowledgeExamples::initTestCase() {
    qputenv("GKS_PROMPTS", GKS_SOURCE_DIR "/prompts");
}

void KnowledgeExamples::compiles_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("architecture");
    for (const Example& example : allExamples()) {
        for (const QString& architecture : example.architectures) {
            QTest::addRow("%s for %s", example.name.c_str(), qPrintable(architecture))
                << QByteArray::fromStdString(example.source) << architecture;
        }
    }
}

void KnowledgeExamples::compiles() {
    QFETCH(QByteArray, source);
    QFETCH(QString, architecture);
    const auto folder = TemporaryDirectory::create("gks-example").value();
    const fs::path file = folder.path() / "example.hip";
    QVERIFY(writeFileAtomically(file, "#include <hip/hip_runtime.h>\n" + source.toStdString()).has_value());
    const auto command = compilation(architecture.toStdString(), file, folder.path() / "example.o");
    if (!command) {
        QSKIP(command.error().message().c_str());
    }
    const auto run = runProcess(*command);
    QVERIFY2(run.has_value(), run ? "" : run.error().message().c_str());
    QVERIFY2(run->ok(), (run->exit.text() + "\n" + run->error).c_str());
}

void KnowledgeExamples::runsOnCpu_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QString>("architecture");
    for (const Example& example : allExamples()) {
        if (example.runs) {
            const bool isGfx950s = example.architectures == QStringList{QStringLiteral("gfx950")};
            QTest::newRow(example.name.c_str()) << QByteArray::fromStdString(example.source)
                                                << (isGfx950s ? QStringLiteral("gfx950") : QStringLiteral("gfx942"));
        }
    }
}

void KnowledgeExamples::runsOnCpu() {
    QFETCH(QByteArray, source);
    QFETCH(QString, architecture);
    const auto folder = TemporaryDirectory::create("gks-example").value();
    const fs::path file = folder.path() / "example.hip";
    const fs::path program = folder.path() / "example";
    QVERIFY(writeFileAtomically(file, "#include <hip/hip_runtime.h>\n" + source.toStdString() + harness).has_value());
    Command build;
    build.arguments = {siblingProgram("kernel-scientist-hipcc").string(),
                       "--offload-arch=" + architecture.toStdString(), file.string(), "-o", program.string()};
    const auto built = runProcess(build).value();
    QVERIFY2(built.ok(), (built.exit.text() + "\n" + built.error).c_str());
    for (const char* order : {"forward", "reversed"}) {
        qputenv("HIPCPU_ORDER", order);
        Command command;
        command.arguments = {program.string()};
        const auto run = runProcess(command).value();
        qunsetenv("HIPCPU_ORDER");
        QVERIFY2(run.ok(), (std::string(order) + ": " + run.exit.text() + "\n" + run.output + run.error).c_str());
    }
}

QTEST_APPLESS_MAIN(KnowledgeExamples)
#include "knowledge_examples.moc"
