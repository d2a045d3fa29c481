// SPDX-License-Identifier: GPL-3.0-or-later
// Options of hipcc's build lines: which of them go where, which are refused, and what may come with a kernel.
#include "core/base/text.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/hipcpu/options/missing_header.h"

#include <QTest>

using namespace gks;
using namespace gks::hipcpu;

namespace {

std::vector<std::string> optionWords(const QString& line) {
    return split(line.toStdString(), ' ');
}

} // namespace

class HipcpuOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fate_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("fate");
        for (const char* line : {"-std=c++20", "-DN=4", "-D N=4", "-UN", "-isystem dir", "-isystemdir", "-include f.h",
                                 "-ffast-math", "-Wall", "-w", "-munsafe-fp-atomics", "-I dir", "-fgpu-rdc",
                                 "-fno-gpu-rdc", "--gpu-max-threads-per-block=256"}) {
            QTest::newRow(line) << line << "front end";
        }
        QTest::newRow("-pthread") << "-pthread" << "front end linker";
        QTest::newRow("-fopenmp") << "-fopenmp" << "front end linker";
        QTest::newRow("-Ofast") << "-Ofast" << "front end level 3";
        QTest::newRow("-O1") << "-O1" << "level 1";
        QTest::newRow("-Os") << "-Os" << "level 2";
        QTest::newRow("-g") << "-g" << "host";
        QTest::newRow("-ggdb3") << "-ggdb3" << "host";
        QTest::newRow("-lfoo") << "-lfoo" << "linker";
        QTest::newRow("-c") << "-c" << "compile only";
        for (const char* line : {"-mllvm -amdgpu-early-inline-all=true", "-Rpass-analysis=kernel-resource-usage",
                                 "-mcumode", "-mllvm=-x"}) {
            QTest::newRow(line) << line << "device back end";
        }
        for (const char* line : {"-x hip", "-xhip", "--save-temps", "-save-temps=obj", "--hip-link", "-march=native",
                                 "-mavx2", "-lamdhip64", "-l hiprtc"}) {
            QTest::newRow(line) << line << "ignored";
        }
        for (const char* line : {"--offload-arch=gfx942", "--offload-arch=gfx942:sramecc+:xnack-",
                                 "--offload-arch=gfx90a,gfx942", "--amdgpu-target=gfx942"}) {
            QTest::newRow(line) << line << "gfx942";
        }
        QTest::newRow("gfx950") << "--offload-arch=gfx950:sramecc+:xnack-" << "gfx950";
        QTest::newRow("both") << "--offload-arch=gfx950,gfx90a,gfx942" << "gfx950 gfx942";
        QTest::newRow("unknown") << "--no-such-thing" << "";
        QTest::newRow("-Ofoo") << "-Ofoo" << "";
    }
    void fate() {
        QFETCH(QString, line);
        QFETCH(QString, fate);
        CompilerOptions options;
        const auto taken = readOption(optionWords(line), 0, options);
        QVERIFY(taken.has_value());
        QCOMPARE(*taken, fate.isEmpty() ? 0U : optionWords(line).size());
        std::vector<std::string> found;
        const auto note = [&](const std::vector<std::string>& list, const char* name) {
            if (!list.empty()) {
                found.emplace_back(name);
            }
        };
        note(options.frontEnd, "front end");
        note(options.host, "host");
        note(options.linker, "linker");
        note(options.deviceBackEnd, "device back end");
        note(options.ignored, "ignored");
        if (options.optimisationLevel) {
            found.push_back("level " + std::to_string(*options.optimisationLevel));
        }
        for (const Architecture architecture : options.architectures) {
            found.emplace_back(nameOf(architecture));
        }
        if (options.compileOnly) {
            found.emplace_back("compile only");
        }
        QCOMPARE(join(found, " "), fate.toStdString());
    }

    void refused_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("message");
        QTest::newRow("language") << "-x c++"
                                  << "-x c++: only HIP sources can be built";
        QTest::newRow("machine") << "-march=znver4"
                                 << "-march=znver4: this would build code for another machine";
        QTest::newRow("32 bits") << "-m32"
                                 << "-m32: this would build code for another machine";
        QTest::newRow("no output") << "-fsyntax-only"
                                   << "-fsyntax-only: nothing would be built";
        QTest::newRow("value") << "-mllvm"
                               << "-mllvm: missing value";
    }
    void refused() {
        QFETCH(QString, line);
        QFETCH(QString, message);
        CompilerOptions options;
        const auto taken = readOption(optionWords(line), 0, options);
        QVERIFY(!taken);
        QVERIFY2(taken.error().message().starts_with(message.toStdString()), taken.error().message().c_str());
    }

    // Build lines name several, in one option or in one for each.
    void architecturesBesideOurs() {
        for (const char* line : {"-w", "--offload-arch=gfx942", "--offload-arch=gfx950 --offload-arch=gfx942",
                                 "--offload-arch=gfx942 --offload-arch=gfx90a", "--offload-arch=gfx90a,gfx942"}) {
            QVERIFY2(kernelOptions(optionWords(line)).has_value(), line);
        }
        const auto refused = kernelOptions(optionWords("-w --offload-arch=gfx90a --offload-arch=gfx1100"));
        QVERIFY(!refused);
        const std::string message = refused.error().message();
        QVERIFY2(message.starts_with("--offload-arch=gfx90a: device code is built for gfx942 and gfx950 only"),
                 message.c_str());
    }

    void theOrderOfMacrosIsKept() {
        CompilerOptions options;
        const auto line = optionWords(QStringLiteral("-DA -UA -DA=2"));
        for (std::size_t at = 0; at < line.size(); ++at) {
            QVERIFY(readOption(line, at, options).has_value());
        }
        QCOMPARE(join(options.frontEnd, " "), std::string("-DA -UA -DA=2"));
    }

    void kernelsBring_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("allowed");
        for (const char* line :
             {"-c -std=c++20 -Ofast -w -DTILE=4 -UX -g3 -pthread -munsafe-fp-atomics",
              "-include problem.h -I . -isystem sub", "-isystem /opt/rocm/include -I/usr/include/hip",
              "-mllvm -amdgpu-early-inline-all=true --offload-arch=gfx942 -Rpass=inline", "-DPATH=\"/x\""}) {
            QTest::newRow(line) << line << true;
        }
        for (const char* line : {"-I/usr/../etc",
                                 "-I ..",
                                 "-isystem ../up",
                                 "-include /etc/passwd",
                                 "-include ../x.h",
                                 "-fplugin=x.so",
                                 "-fpass-plugin=x.so",
                                 "-ffile-prefix-map=/a=b",
                                 "-mllvm -load=x.so",
                                 "-fmodules",
                                 "-fprofile-use=x",
                                 "-mllvm --load=x.so",
                                 "-mllvm -info-output-file=x",
                                 "-foptimization-record-file=x",
                                 "-fsave-optimization-record",
                                 "-ftime-trace=x",
                                 "-fsyntax-only",
                                 "-lfoo",
                                 "-L.",
                                 "-Wl,-z",
                                 "-Wp,-MD,x",
                                 "-Xclang -load",
                                 "-o x",
                                 "x.hip",
                                 "-march=znver4",
                                 "--offload-arch=gfx90a",
                                 "-fopenmp",
                                 "@file"}) {
            QTest::newRow(line) << line << false;
        }
    }
    void kernelsBring() {
        QFETCH(QString, line);
        QFETCH(bool, allowed);
        const auto options = kernelOptions(optionWords(line));
        QVERIFY2(options.has_value() == allowed, options ? "accepted" : options.error().message().c_str());
    }

    void missingHeadersHaveTheirPackage() {
        const auto advice = [](const char* name) {
            return adviceOnMissingHeader(std::string("k.hip:3:10: fatal error: '") + name + "' file not found\n");
        };
        QCOMPARE(advice("rocwmma/rocwmma.hpp"),
                 std::string("Install rocwmma-dev from AMD's ROCm repository and set ROCM_PATH to that ROCm"));
        QVERIFY(advice("ck_tile/core.hpp").find("composablekernel-dev") != std::string::npos);
        QCOMPARE(advice("mine.h"), std::string());
        QCOMPARE(adviceOnMissingHeader("rocwmma/rocwmma.hpp"), std::string());
    }

    void aFloodOfKernelOptionsIsRefused() {
        QVERIFY(!kernelOptions(std::vector<std::string>(65, "-w")));
        QVERIFY(!kernelOptions({"-D" + std::string(300, 'x')}));
        QVERIFY(!kernelOptions({"-DA=\n"}));
    }
};

QTEST_APPLESS_MAIN(HipcpuOptions)
#include "hipcpu_options.moc"
