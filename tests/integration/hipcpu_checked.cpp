// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are built with --checked: what is said of faulty ones, as whoever runs them sees it, and that nothing
// is said of right ones.
#include "core/base/files.h"
#include "core/base/process.h"
#include "tests/support/completed.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>
#include <filesystem>
#include <optional>

namespace fs = std::filesystem;
using namespace gks;

namespace {

const fs::path checkedPrograms = fs::path(GKS_SOURCE_DIR) / "tests/data/hip";
constexpr int abortStatus = 134;

} // namespace

class HipcpuChecked : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto folder = TemporaryDirectory::create("hipcpu-checked");
        QVERIFY(folder.has_value());
        m_folder.emplace(std::move(*folder));
    }

    void faults_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* message) { QTest::newRow(name) << name << message; };
        row("outside_global", "write of 4 bytes of 'y' right past the end of a 400-byte hipMalloc buffer (allocation "
                              "2); kernel scale(float*, float const*, int) block (1,0,0) thread (36,0,0), at F:8:14");
        row("outside_read", "read of 8 bytes of 'x' right past the end of a 512-byte hipMallocManaged buffer "
                            "(allocation 1); kernel shift(double*, double const*) block (0,0,0) thread (63,0,0), at "
                            "F:5:70");
        row("outside_lds", "write of 4 bytes of 'row' right past the end of the LDS variable row (252 bytes); kernel "
                           "turn(float*) block (0,0,0) thread (63,0,0), at F:10:22");
        row("outside_dynamic_lds", "write of 4 bytes of 'tile' right past the end of the block's LDS (256 bytes); "
                                   "kernel fill(int*) block (0,0,0) thread (63,0,0), at F:7:27");
        row("outside_variable", "read of 4 bytes of 'table' right past the end of the variable table (16 bytes); "
                                "kernel look(int*) block (0,0,0) thread (4,0,0), at F:10:22");
        row("outside_private", "read of 4 bytes of 'sum' right past the end of the private array sum (32 bytes); "
                               "kernel sums(int const*, int*) block (0,0,0) thread (0,0,0), at F:8:16");
        row("freed", "write of 4 bytes of 'y', 0 bytes into a 400-byte hipMalloc buffer (allocation 2), which has been "
                     "freed; kernel fill(int*) block (0,0,0) thread (0,0,0), at F:5:47");
        row("unwritten_global", "read of 4 bytes of 'x' that nothing has written, 128 bytes into a 256-byte hipMalloc "
                                "buffer (allocation 1); kernel twice(float*, float const*) block (0,0,0) thread "
                                "(32,0,0), at F:5:72");
        row("unwritten_sum", "atomic update of 4 bytes of 'sum' that nothing has written, 0 bytes into a 4-byte "
                             "hipMalloc buffer (allocation 1); kernel count(int*) block (0,0,0) thread (0,0,0), at "
                             "F:5:");
        row("unwritten_lds", "read of 4 bytes of 'tile' that nothing has written, 508 bytes into the block's LDS; "
                             "kernel sum(float*) block (0,0,0) thread (0,0,0), at F:11:22");
        row("race_in_block", "race: read of 4 bytes of 'tile', 0 bytes into the block's LDS, which wave 0 of the block "
                             "writes at F:7:23; no barrier is between them; kernel turn(int*) block (0,0,0) wave 1, at "
                             "F:8:42");
        row("misaligned", "write of 4 bytes of 'bytes' at an address that is no multiple of 4, 1 bytes into a "
                          "1024-byte hipMalloc buffer (allocation 1); kernel put(char*) block (0,0,0) thread (0,0,0), "
                          "at F:5:91");
        row("divergent_barrier", "lanes of one wave wait at two barriers, the other at F:9:9; kernel part(int*) block "
                                 "(0,0,0) thread (32,0,0), at F:12:9");
        row("endless", "no end after 1 s; kernel wait(int volatile*) block (0,0,0) thread (0,0,0), at F:6:12");
        row("endless_alone", "no end after 1 s; kernel collatz(unsigned int*) block (0,0,0) thread (0,0,0), at F:8:");
    }
    void faults() {
        QFETCH(QString, name);
        QFETCH(QString, message);
        const CompletedProcess run = built("errors/checked/" + name.toStdString() + ".hip");
        QCOMPARE(run.exit.status, std::optional<int>(abortStatus));
        // The compiler leaves out what the file's folder has in common with the one that it runs in.
        QString said = QString::fromStdString(run.error);
        said.replace(QRegularExpression("[^ ]*/" + name + "\\.hip:"), QStringLiteral("F:"));
        QVERIFY2(said.startsWith("hipcpu: " + message), run.error.c_str());
        QCOMPARE(said.count('\n'), 1);
    }

    // Told of whole blocks at once, and found all the same; which wave or block is the second to come depends.
    void faultsOfRows_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* kernel, const char* message) { QTest::newRow(kernel) << kernel << message; };
        const char* const noBarrier = "no barrier is between them; kernel ";
        row("valueOfEachWave", noBarrier);
        row("noBarrierBefore", noBarrier);
        row("noBarrierBehind", noBarrier);
        row("shiftedInPlace", noBarrier);
        row("storedTwice", noBarrier);
        row("zeroedMeanwhile", noBarrier);
        row("blocksMeet", "no atomic orders them; kernel ");
        row("oneTooMany",
            "write of 4 bytes of 'out' right past the end of a 4096-byte hipMalloc buffer (allocation 2); "
            "kernel oneTooMany(int const*, int*, int) block (4,0,0) thread (0,0,0)");
        row("readsOneTooMany", "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer (allocation "
                               "1); kernel readsOneTooMany(int const*, int*, int) block (3,0,0) thread (255,0,0)");
        row("besides left", "read of 4 bytes of 'in' 4 bytes before the start of a 4096-byte hipMalloc buffer");
        row("besides right", "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer");
        row("besides unwritten", "read of 4 bytes of 'in' that nothing has written, 4092 bytes into");
        row("aboveAndBelow upper", "read of 4 bytes of 'in' 4 bytes before the start of a 4096-byte hipMalloc buffer");
        row("aboveAndBelow lower", "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer");
        row("edgesMeet", "no atomic orders them; kernel ");
        row("neighbours left", "read of 4 bytes of 'in' 4 bytes before the start of a 4096-byte hipMalloc buffer "
                               "(allocation 1); kernel neighbours(int const*, int*, int, int, int) block (0,0,0) "
                               "thread (0,0,0)");
        row("neighbours right", "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer "
                                "(allocation 1); kernel neighbours(int const*, int*, int, int, int) block (3,0,0) "
                                "thread (255,0,0)");
        row("turned", "write of 4 bytes of 'out' right past the end of a 4096-byte hipMalloc buffer (allocation 2); "
                      "kernel turned(int const*, int*, int) block (0,3,0) thread (31,7,0)");
        row("columnsMeet", "no atomic orders them; kernel ");
        row("turnedInLds", "read of 4 bytes of 'tile' that nothing has written, 4092 bytes into the block's LDS; "
                           "kernel turnedInLds(int const*, int*, int) block (0,0,0) thread (31,0,0)");
        row("readsOtherWave", noBarrier);
        row("columnOfOtherWave", noBarrier);
        row("readsOtherBlock", "no atomic orders them; kernel ");
        row("marches", "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer (allocation 1); "
                       "kernel marches(int const*, int*, int) block (0,0,0) thread (30,0,0)");
        row("someWrite outside",
            "write of 4 bytes of 'out' right past the end of a 4096-byte hipMalloc buffer (allocation 2); kernel "
            "someWrite(int const*, int*, int, int) block (0,0,0) thread (247,0,0)");
        row("someWrite twice", "no atomic orders them; kernel ");
        row("someRead unwritten", "read of 4 bytes of 'some' that nothing has written, 808 bytes into");
        row("someReadWhatOthersWrite", "no atomic orders them; kernel ");
        row("shortRows outside",
            "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer (allocation 1); kernel "
            "shortRows(int const*, int*, int) block (0,0,0) thread (7,7,1)");
        row("shortRows before",
            "read of 4 bytes of 'in' 4 bytes before the start of a 4096-byte hipMalloc buffer (allocation 1); kernel "
            "shortRows(int const*, int*, int) block (0,0,0) thread (0,1,0)");
        row("shortRows unwritten",
            "read of 4 bytes of 'some' that nothing has written, 400 bytes into a 512-byte hipMalloc "
            "buffer (allocation 3); kernel shortRowsOfAll(int const*, int*) block (0,0,0) "
            "thread (4,4,1)");
        row("shortRowsInLds", noBarrier);
        row("marchesAlong outside",
            "read of 4 bytes of 'in' right past the end of a 4096-byte hipMalloc buffer (allocation 1); kernel "
            "marchesAlong(int const*, int*, int, int) block (0,0,0) thread (30,0,0)");
        row("marchesAcross", "no atomic orders them; kernel ");
        row("halfFilled", "read of 4 bytes of 'tile' that nothing has written, 512 bytes into the block's LDS; kernel "
                          "halfFilled(int*) block (0,0,0) thread (128,0,0)");
    }
    void faultsOfRows() {
        QFETCH(QString, kernel);
        QFETCH(QString, message);
        findsInKernel("rows", kernel, message);
    }

    // Before the update happens, for there may be no memory.
    void atomicsOutside_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* kernel, const char* what, const char* where) {
            QTest::newRow(kernel) << kernel << QStringLiteral("hipcpu: %1 %2; kernel %3(").arg(what, where, kernel);
        };
        const char* const buffer = "right past the end of a 4096-byte hipMalloc buffer (allocation 1)";
        row("adds", "atomic update of 4 bytes of 'p'", buffer);
        row("uses", "atomic update of 4 bytes of 'p'", buffer);
        row("exchanges", "atomic update of 4 bytes of 'p'", buffer);
        row("compares", "atomic update of 8 bytes of 'p'", buffer);
        row("addsFloats", "atomic update of 4 bytes of 'p'", buffer);
        row("addsDoubles", "atomic update of 8 bytes of 'p'", buffer);
        row("alone", "atomic update of 4 bytes of 'p'", buffer);
        row("inAssembly", "atomic update of 4 bytes of 'p'", buffer);
        row("wideInAssembly", "atomic update of 8 bytes of 'p'", buffer);
        row("inAssemblyOfLds", "atomic update of 4 bytes", "right past the end of the block's LDS (252 bytes)");
        row("ofLds", "atomic update of 4 bytes of 't'", "right past the end of the LDS variable t (252 bytes)");
        row("ofDynamicLds", "atomic update of 4 bytes of 'tile'", "right past the end of the block's LDS (252 bytes)");
        row("ofVariable", "atomic update of 4 bytes of 'counts'",
            "right past the end of the variable counts (252 bytes)");
        row("volatileReads", "read of 4 bytes of 'p'",
            "4 bytes before the start of a 4096-byte hipMalloc buffer (allocation 1)");
    }
    void atomicsOutside() {
        QFETCH(QString, kernel);
        QFETCH(QString, message);
        findsInKernel("outside_atomic", kernel, message);
        QVERIFY(m_said.contains(QLatin1String(" block (0,0,0) thread (63,0,0), at ")));
    }

    // Which of the blocks is the second to come depends on the machine.
    void blocksThatAddWithoutAnAtomic() {
        const CompletedProcess run = built("errors/checked/race_between_blocks.hip");
        QCOMPARE(run.exit.status, std::optional<int>(abortStatus));
        for (const char* part :
             {"race: ", " of 'sum', 0 bytes into a 4-byte hipMalloc buffer (allocation 1), which block (",
              "race_between_blocks.hip:7:14; no atomic orders them; kernel add(float*) block ("}) {
            QVERIFY2(run.error.find(part) != std::string::npos, run.error.c_str());
        }
    }

    // Past the caches, which orders nothing.
    void wavesThatStoreBehindALock() {
        const CompletedProcess run = built("errors/checked/unlocks_early.hip");
        QCOMPARE(run.exit.status, std::optional<int>(abortStatus));
        for (const char* part :
             {"lost update: write of 4 bytes of 'sums', ", " bytes into a 1024-byte hipMalloc buffer (allocation 2), ",
              "unlocks_early.hip:12:5, in two steps and without waiting; kernel add(unsigned int*, int*) block ("}) {
            QVERIFY2(run.error.find(part) != std::string::npos, run.error.c_str());
        }
    }

    // What lies before a barrier of the grid is in order with what lies behind it, and with nothing else.
    void blocksThatHaveNotMet() {
        const CompletedProcess run = built("errors/checked/race_in_grid.hip");
        QCOMPARE(run.exit.status, std::optional<int>(abortStatus));
        for (const char* part : {"race: ", " of 'x', ", "race_in_grid.hip:8:", "race_in_grid.hip:9:",
                                 "no atomic orders them; kernel pass(int*, int*) block ("}) {
            QVERIFY2(run.error.find(part) != std::string::npos, run.error.c_str());
        }
    }

    // Said once for each place, and the program goes on.
    void vectorsNeedNoMoreThanTheirElements() {
        const CompletedProcess run = built("errors/checked/misaligned_vector.hip");
        QVERIFY2(run.ok(), run.error.c_str());
        const QString said = QString::fromStdString(run.error);
        QVERIFY2(said.count("hipcpu: warning: ") == 4 && said.count('\n') == 4, run.error.c_str());
        for (const char* part :
             {" bytes of 'in' at an address that is no multiple of 16, 4 bytes into a 2048-byte hipMalloc "
              "buffer (allocation 1); kernel shift(float const*, float*) block (0,0,0) thread (0,0,0), at ",
              "misaligned_vector.hip:8:22", "read of 16 bytes of 'tile' at an address that is no multiple of 16, 12 ",
              "write of 16 bytes of 'out' at an address that is no multiple of 16, 8 bytes into ",
              "read of 8 bytes of 'rows' at an address that is no multiple of 8, 580 bytes into "}) {
            QVERIFY2(said.contains(part), (std::string(part) + "\n" + run.error).c_str());
        }
    }

    void aRefusedLaunchIsSaid() {
        const CompletedProcess run = built("errors/checked/too_much_lds.hip");
        QCOMPARE(run.error, std::string("hipcpu: the launch is refused: a block asks for 70000 bytes of LDS, 70000 of "
                                        "them by the launch, and has 65536; kernel fill(int*)\n"));
    }

    void rightOnes_data() {
        QTest::addColumn<QString>("name");
        for (const char* folder : {"", "public/"}) {
            const QDir files(QString::fromStdString((checkedPrograms / folder).string()));
            for (const QString& file : files.entryList({QStringLiteral("*.hip")}, QDir::Files, QDir::Name)) {
                if (file != QLatin1String("fp8_block_gemm.hip")) { // it reads over the end of its inputs
                    QTest::newRow(qPrintable(folder + file)) << QString(folder + file);
                }
            }
        }
    }
    void rightOnes() {
        QFETCH(QString, name);
        const CompletedProcess compiled = compiledFrom(checkedPrograms / name.toStdString(), {});
        QVERIFY2(compiled.ok(), compiled.error.c_str());
        // They are about vectors at the addresses of their elements.
        const bool isOfVectors = QStringList{QStringLiteral("memory_rules.hip"), QStringLiteral("vector_access.hip"),
                                             QStringLiteral("public/buffer_gemm.hip")}
                                     .contains(name);
        // They try a code object of the other architecture.
        const bool isOfObjects =
            name == QLatin1String("code_of_modules.hip") || name == QLatin1String("run_time_compilation.hip");
        for (const char* order : {"forward", "reversed"}) {
            const CompletedProcess run = ran({{"HIPCPU_ORDER", order}, {"HIPCPU_BLOCK_SECONDS", "60"}});
            QVERIFY2(run.ok() && (run.error.empty() || (isOfVectors && onlyWarns(run.error)) ||
                                  (isOfObjects && onlyRefuses(run.error))),
                     (std::string(order) + ": " + run.exit.text() + "\n" + run.output + run.error).c_str());
        }
    }

    // Without debug information of the compiler's, and with all of it.
    void placesAreKnownInEitherCase() {
        for (const std::vector<std::string>& options : {std::vector<std::string>{"-g"}, {"-g0"}, {"-O0"}}) {
            const CompletedProcess run = built("errors/checked/outside_global.hip", options);
            const bool isKnown = run.error.find("outside_global.hip:8:14") != std::string::npos;
            QVERIFY2(isKnown == (options.front() != "-g0"), run.error.c_str());
            QVERIFY2(isKnown || run.error.find("at an unknown line: build with -g") != std::string::npos,
                     run.error.c_str());
        }
    }

    void aFieldHasItsNameWhereDebugInformationHasIt() {
        const fs::path source = m_folder->path() / "field.hip";
        QVERIFY(writeFileAtomically(source, "#include <hip/hip_runtime.h>\n"
                                            "struct Sides { int n; int* from; int* to; };\n"
                                            "__global__ void k(Sides sides) { sides.to[1] = 1; }\n"
                                            "int main() { Sides sides = {}; (void)hipMalloc(&sides.to, 4);\n"
                                            "    k<<<1, 1>>>(sides); return hipDeviceSynchronize(); }\n")
                    .has_value());
        const CompletedProcess run = builtFrom(source, {"-g"});
        QVERIFY2(run.error.find("write of 4 bytes of 'sides.to' right past") != std::string::npos, run.error.c_str());
    }

    // A name that would speak to a terminal.
    void namesAreCleaned() {
        const fs::path source = m_folder->path() / "hostile.hip";
        QVERIFY(writeFileAtomically(source, "#include <hip/hip_runtime.h>\n"
                                            "__global__ void k(int* p) {\n"
                                            "#line 7 \"\\033[31mred\\n\"\n"
                                            "    p[1] = 1;\n"
                                            "}\n"
                                            "int main() { int* p; (void)hipMalloc(&p, 4); k<<<1, 1>>>(p); return "
                                            "hipDeviceSynchronize(); }\n")
                    .has_value());
        const CompletedProcess run = builtFrom(source, {});
        QVERIFY2(run.error.find("?[31mred?:7:") != std::string::npos, run.error.c_str());
        QCOMPARE(run.error.find('\033'), std::string::npos);
    }

private:
    // Of a program with many kernels.
    void findsInKernel(const std::string& program, const QString& kernel, const QString& message) {
        if (m_built != program) {
            const CompletedProcess compiled =
                compiledFrom(checkedPrograms / ("errors/checked/" + program + ".hip"), {});
            QVERIFY2(compiled.ok(), compiled.error.c_str());
            m_built = program;
        }
        const CompletedProcess run = ran({{"KERNEL", kernel.toStdString()}});
        m_said = QString::fromStdString(run.error);
        QCOMPARE(run.exit.status, std::optional<int>(abortStatus));
        QVERIFY2(m_said.contains(message), run.error.c_str());
        QVERIFY2(m_said.contains(kernel.section(' ', 0, 0)), run.error.c_str());
    }

    static bool onlyWarns(const std::string& said) {
        const QStringList lines = QString::fromStdString(said).split('\n', Qt::SkipEmptyParts);
        return std::all_of(lines.begin(), lines.end(), [](const QString& line) {
            return line.startsWith(QLatin1String("hipcpu: warning: ")) &&
                   line.contains(QLatin1String(" at an address that is no multiple of 16, "));
        });
    }

    static bool onlyRefuses(const std::string& said) {
        const QStringList lines = QString::fromStdString(said).split('\n', Qt::SkipEmptyParts);
        return std::all_of(lines.begin(), lines.end(), [](const QString& line) {
            return line.startsWith(QLatin1String("hipcpu: the code object is refused: it is for gfx"));
        });
    }

    CompletedProcess built(const std::string& name, const std::vector<std::string>& options = {}) const {
        return builtFrom(checkedPrograms / name, options);
    }

    CompletedProcess builtFrom(const fs::path& source, const std::vector<std::string>& options) const {
        const CompletedProcess compiled = compiledFrom(source, options);
        const bool isEndless = source.string().find("endless") != std::string::npos;
        return compiled.ok() ? ran({{"HIPCPU_BLOCK_SECONDS", isEndless ? "1" : "60"}}) : compiled;
    }

    CompletedProcess compiledFrom(const fs::path& source, const std::vector<std::string>& options) const {
        Command command;
        command.arguments = {
            GKS_BINARY_DIR "/bin/kernel-scientist-hipcc", "--checked",     "-std=c++20", "--cache",
            (m_folder->path() / "cache").string(),        source.string(), "-o",         program().string()};
        command.arguments.insert(command.arguments.end(), options.begin(), options.end());
        return test::completed(command);
    }

    CompletedProcess ran(std::vector<std::pair<std::string, std::string>> environment) const {
        Command execute;
        execute.arguments = {program().string()};
        environment.emplace_back("PATH", "/usr/bin:/bin");
        execute.environment = std::move(environment);
        return test::completed(execute);
    }

    fs::path program() const { return m_folder->path() / "program"; }

    std::optional<TemporaryDirectory> m_folder;
    std::string m_built; // of findsInKernel()
    QString m_said;
};

QTEST_APPLESS_MAIN(HipcpuChecked)
#include "hipcpu_checked.moc"
