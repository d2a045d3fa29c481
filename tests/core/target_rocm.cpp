// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/target/rocm.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <QScopeGuard>
#include <QTest>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& content) {
    if (!makeDirectories(file.parent_path()) || !writeFileAtomically(file, content)) {
        qFatal("%s", file.c_str());
    }
}

// The beginning of bitcode: a magic number, then the name of its writer in letters of six bits, from bit 181 on.
std::string bitcodeOf(const std::string& writer) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    std::string bytes("BC\xc0\xde", 4);
    bytes.resize(48, '\0');
    std::size_t bit = 181;
    for (const char letter : writer) {
        for (std::size_t i = 0; i < 6; ++i, ++bit) {
            const auto value = static_cast<unsigned>((letters.find(letter) >> i) & 1U);
            bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) | (value << (bit % 8)));
        }
    }
    return bytes;
}

// A compiler that only answers questions.
void putCompiler(const fs::path& program, const std::string& version, const fs::path& resources) {
    put(program, fmt::format("#!/bin/sh\ncase \"$1\" in\n"
                             "--version) echo 'AMD clang version {}'; echo 'InstalledDir: {}';;\n"
                             "-print-resource-dir) echo '{}';;\n*) exit 1;;\nesac\n",
                             version, program.parent_path().string(), resources.string()));
    fs::permissions(program, fs::perms(0755));
}

void putHeaders(const fs::path& folder, const std::string& version) {
    const auto numbers = split(version, '.');
    put(folder / "hip/hip_version.h",
        fmt::format("#pragma once\n#define HIP_VERSION_MAJOR {}\n#define HIP_VERSION_MINOR {}\n"
                    "#define HIP_VERSION_PATCH {}\n#define OF_THE_FOUND_ROCM 1\n",
                    numbers.at(0), numbers.at(1), numbers.at(2)));
    put(folder / "hip/hip_runtime.h", "#pragma once\n#include <hip/hip_version.h>\n");
    put(folder / "hip/hip_fp8.h", "#pragma once\n");
}

fs::path putRocm(const fs::path& root, const std::string& version) {
    putCompiler(root / "llvm/bin/clang++", "21.0.0git (roc-" + version + ")", root / "llvm/lib/clang/21");
    putHeaders(root / "include", "6.4.43484");
    put(root / "amdgcn/bitcode/ocml.bc", bitcodeOf("LLVM21.0.0git"));
    put(root / ".info/version", version + "-128\n");
    return root;
}

bool contains(const std::vector<std::string>& arguments, const std::vector<std::string>& wanted) {
    return std::search(arguments.begin(), arguments.end(), wanted.begin(), wanted.end()) != arguments.end();
}

// Of a plan for the amd target in the installation that ROCM_PATH names, by a process of its own: what a process has
// found it keeps.
std::vector<std::string> planWith(const fs::path& root) {
    Command command;
    command.arguments = {fs::read_symlink("/proc/self/exe").string(), "--plan"};
    command.environment = {{"PATH", "/usr/bin:/bin"}, {"ROCM_PATH", root.string()}, {"HOME", root.string()}};
    const auto run = runProcess(command);
    if (!run || !run->ok()) {
        qFatal("%s", run ? (run->output + run->error).c_str() : run.error().message().c_str());
    }
    std::vector<std::string> found;
    for (const std::string_view line : lines(run->output)) {
        found.emplace_back(line);
    }
    return found;
}

int printPlan() {
    const auto folder = TemporaryDirectory::create("gks-rocm-plan");
    BuildRequest request;
    request.target.kind = TargetKind::amd;
    request.target.architecture = "gfx942";
    request.source = "void f();\n";
    request.folder = folder->path();
    const auto plan = planBuild(request);
    if (!plan) {
        std::puts(plan.error().message().c_str());
        return 1;
    }
    std::printf("%s\n%s\n", plan->key.c_str(), plan->toolchain.c_str());
    return 0;
}

} // namespace

// Installations made of scripts and links; no ROCm is needed.
class TargetRocmTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(*TemporaryDirectory::create("gks-rocm")); }

    void theHighestVersionIsTakenAsANumber() {
        const fs::path opt = m_folder->path();
        putRocm(opt / "rocm-6.9.2", "6.9.2");
        putRocm(opt / "rocm-6.10.1", "6.10.1");
        qunsetenv("ROCM_PATH");
        const RocmPlaces places = rocmPlaces(opt);
        QVERIFY(places.roots.size() >= 2);
        QCOMPARE(places.roots.front().filename().string(), std::string("rocm-6.10.1"));
        const RocmSearch search = findRocm(places);
        QVERIFY2(search.found.has_value(), search.refused.c_str());
        QCOMPARE(search.found->version, std::string("6.10.1"));
        QCOMPARE(search.found->description(), std::string("clang 21.0.0git of ROCm 6.10.1"));
    }

    // Clang takes HIP for 3.5 when share/hip/version is missing, and fails in headers of 6.4.
    void whatNoFileSaysTheHeadersSay() {
        const fs::path root = putRocm(m_folder->path() / "rocm", "6.4.3");
        fs::remove_all(root / ".info");
        const RocmSearch search = findRocm({{root}, m_folder->path() / "nothing"});
        QVERIFY2(search.found.has_value(), search.refused.c_str());
        QCOMPARE(search.found->version, std::string("6.4.43484"));
        QVERIFY(contains(search.found->flags(), {"--hip-version=6.4.43484"}));
    }

    void whatIsIncompleteIsRefusedInOneSentence_data() {
        QTest::addColumn<QByteArray>("missing");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("headers") << QByteArray("include") << QByteArray("has a compiler but no HIP headers");
        QTest::newRow("device libraries") << QByteArray("amdgcn") << QByteArray("has no AMD device libraries");
        QTest::newRow("compiler") << QByteArray("llvm/bin/clang++") << QByteArray("does not run");
        QTest::newRow("age") << QByteArray("include/hip/hip_version.h") << QByteArray("is older than 6.0");
    }
    void whatIsIncompleteIsRefusedInOneSentence() {
        QFETCH(QByteArray, missing);
        QFETCH(QByteArray, sentence);
        const fs::path root = putRocm(m_folder->path() / "rocm", "6.4.3");
        fs::remove_all(root / missing.toStdString());
        if (missing == "llvm/bin/clang++") {
            put(root / missing.toStdString(), "#!/bin/sh\nexit 1\n");
            fs::permissions(root / missing.toStdString(), fs::perms(0755));
        } else if (missing == "include/hip/hip_version.h") {
            putHeaders(root / "include", "5.7.31921");
        }
        const RocmSearch search = findRocm({{root}, m_folder->path() / "nothing"});
        QVERIFY(!search.found);
        QVERIFY2(search.refused.find(sentence.toStdString()) != std::string::npos, search.refused.c_str());
        QVERIFY(search.refused.find('\n') == std::string::npos);
    }

    // Debian has a clang for each version, no hipcc and no /opt/rocm.
    void theDistributionsPackagesAreRocmToo() {
        const fs::path usr = m_folder->path() / "usr";
        putHeaders(usr / "include", "6.4.43484");
        for (const std::string version : {"9", "19", "21"}) {
            const fs::path llvm = usr / "lib" / ("llvm-" + version);
            putCompiler(llvm / "bin/clang++", version + ".1.8", llvm / "lib/clang" / version);
        }
        QVERIFY(!findRocm({{}, usr}).found);
        put(usr / "lib/llvm-19/lib/clang/19/amdgcn/bitcode/ocml.bc", bitcodeOf("LLVM19.1.7"));
        const RocmSearch own = findRocm({{}, usr});
        QVERIFY2(own.found.has_value(), own.refused.c_str());
        QCOMPARE(own.found->compiler, usr / "lib/llvm-19/bin/clang++");
        fs::remove_all(usr / "lib/llvm-19/lib/clang/19/amdgcn");
        put(usr / "lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc", bitcodeOf("LLVM15.0.5"));
        const RocmSearch shared = findRocm({{}, usr});
        QVERIFY2(shared.found.has_value(), shared.refused.c_str());
        QCOMPARE(shared.found->compiler, usr / "lib/llvm-21/bin/clang++");
        put(usr / "lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc", bitcodeOf("LLVM22.1.0"));
        QVERIFY(!findRocm({{}, usr}).found);
    }

    // The real clang, and the headers that this machine has in /usr/include.
    void theHeadersOfTheFoundRocmComeFirst() {
        if (!isThere("/usr/include/hip/hip_version.h")) {
            QSKIP("there are no HIP headers in /usr/include that could come first");
        }
        const fs::path root = putRocm(m_folder->path() / "rocm", "6.4.3");
        Toolchain tools = toolchain();
        tools.headers = HipHeaders{root, "6.4.43484", true};
        const auto compiler = deviceCompiler(tools, "gfx942");
        QVERIFY2(compiler.has_value(), compiler ? "" : compiler.error().message().c_str());
        put(m_folder->path() / "which.hip", "#include <hip/hip_version.h>\nint found = OF_THE_FOUND_ROCM;\n");
        Command command;
        command.arguments = {compiler->program.string()};
        command.arguments.insert(command.arguments.end(), compiler->flags.begin(), compiler->flags.end());
        command.arguments.insert(command.arguments.end(), {"-fsyntax-only", m_folder->path() / "which.hip"});
        const auto run = runProcess(command);
        QVERIFY2(run && run->ok(), run ? run->error.c_str() : "not started");
        const RocmSearch search = findRocm({{root}, m_folder->path() / "nothing"});
        QVERIFY2(search.found.has_value(), search.refused.c_str());
        QVERIFY(contains(search.found->flags(), {"-isystem", (root / "include").string()}));
    }

    void theReportUsesTheRocmsClangWhereItsLibrariesAreNewer() {
        const fs::path root = putRocm(m_folder->path() / "rocm", "7.0.1");
        Toolchain tools = toolchain();
        tools.rocm = findRocm({{root}, m_folder->path() / "nothing"}).found;
        QVERIFY(tools.rocm.has_value());
        QCOMPARE(deviceCompiler(tools, "gfx942")->program, *tools.clang);
        CompilerFacts clang19;
        clang19.version = "clang 19.1.7";
        clang19.major = 19;
        tools.deviceLibraries = readableDeviceLibraries({root / "amdgcn/bitcode"}, clang19, tools.newerDeviceLibraries);
        QVERIFY(!tools.deviceLibraries);
        QVERIFY2(tools.newerDeviceLibraries.find("of LLVM 21, which clang 19.1.7 cannot read") != std::string::npos,
                 tools.newerDeviceLibraries.c_str());
        const auto compiler = deviceCompiler(tools, "gfx942");
        QVERIFY2(compiler.has_value(), compiler ? "" : compiler.error().message().c_str());
        QCOMPARE(compiler->program, root / "llvm/bin/clang++");
        QCOMPARE(compiler->description, std::string("clang 21.0.0git of ROCm 7.0.1, HIP headers 6.4.43484"));
    }

    // clang 19 does not: its place takes what knows it, and the description says who; ROCm's first.
    void whoCompilesForGfx950() {
        Toolchain tools = toolchain();
        tools.rocm.reset();
        tools.laterClang.reset();
        tools.clangFacts.version = "clang 19.1.7";
        const auto refused = deviceCompiler(tools, "gfx950");
        QVERIFY(!refused);
        QCOMPARE(
            refused.error().message(),
            std::string("toolchain: machine code of gfx950 is made by clang 20 or later; clang 19.1.7 does not know "
                        "it. Install clang-20, llvm-20 and lld-20 (https://apt.llvm.org), or ROCm 7.0 or later"));
        CompilerFacts facts;
        facts.version = "clang 20.1.2";
        facts.major = 20;
        const fs::path program = m_folder->path() / "clang++-20"; // is asked for its data layout
        put(program, fmt::format("#!/bin/sh\nexec '{}' \"$@\"\n", tools.clang->string()));
        fs::permissions(program, fs::perms(0755));
        tools.laterClang = LaterClang{program, facts, "/somewhere/llvm-readelf-20", "/somewhere/llvm-objdump-20"};
        qputenv("XDG_CACHE_HOME", (m_folder->path() / "cache").c_str());
        const auto atEnd = qScopeGuard([] { qunsetenv("XDG_CACHE_HOME"); });
        const auto later = deviceCompiler(tools, "gfx950");
        QVERIFY2(later.has_value(), later ? "" : later.error().message().c_str());
        QCOMPARE(later->program, program);
        QCOMPARE(later->objdump, std::optional<fs::path>("/somewhere/llvm-objdump-20"));
        QVERIFY2(later->description.starts_with("clang 20.1.2, HIP headers "), later->description.c_str());
        QVERIFY(contains(later->flags, {"--offload-arch=gfx950"}));
        QCOMPARE(deviceCompiler(tools, "gfx942")->program, *tools.clang);
        const fs::path root = putRocm(m_folder->path() / "rocm", "7.0.1");
        tools.rocm = findRocm({{root}, m_folder->path() / "nothing"}).found;
        const auto rocms = deviceCompiler(tools, "gfx950");
        QVERIFY2(rocms.has_value(), rocms ? "" : rocms.error().message().c_str());
        QCOMPARE(rocms->program, root / "llvm/bin/clang++");
    }

    void bitcodeNamesItsWriter() {
        QCOMPARE(bitcodeProducer(bitcodeOf("LLVM21.1.8")), 21);
        QCOMPARE(bitcodeProducer(bitcodeOf("LLVM9.0.0git")), 9);
        QCOMPARE(bitcodeProducer("BC"), 0);
        QCOMPARE(bitcodeProducer(std::string(4096, '\0')), 0);
        if (const auto& real = toolchain().deviceLibraries) {
            QVERIFY(bitcodeProducerIn(*real) >= 10);
        }
    }

    void aSwappedRocmIsAnotherBuild() {
        const fs::path root = putRocm(m_folder->path() / "rocm", "6.4.3");
        const auto first = planWith(root);
        QVERIFY2(first.at(1).starts_with("clang 21.0.0git of ROCm 6.4.3, HIP headers 6.4.43484"), first.at(1).c_str());
        QCOMPARE(planWith(root).front(), first.front());
        put(root / "amdgcn/bitcode/ocml.bc", bitcodeOf("LLVM21.0.1git"));
        const auto otherLibraries = planWith(root);
        QVERIFY(otherLibraries.front() != first.front());
        const std::string script = *readFile(root / "llvm/bin/clang++");
        put(root / "llvm/bin/clang++", script + "# the same words, another program\n");
        fs::permissions(root / "llvm/bin/clang++", fs::perms(0755));
        const auto otherCompiler = planWith(root);
        QVERIFY(otherCompiler.front() != otherLibraries.front());
        QCOMPARE(otherCompiler.at(1), first.at(1));
    }

private:
    std::optional<TemporaryDirectory> m_folder;
};

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--plan") == 0) {
        return printPlan();
    }
    TargetRocmTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "target_rocm.moc"
