// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the HIP programs of tests/data/hip with kernel-scientist-hipcc and runs them on the CPU, in both orders of
// threads.
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/sanitized.h"
#include "tests/support/completed.h"

#include <QDir>
#include <QTest>
#include <filesystem>
#include <optional>

namespace fs = std::filesystem;
using namespace gks;

namespace {

const fs::path programs = fs::path(GKS_SOURCE_DIR) / "tests/data/hip";

} // namespace

class HipcpuPrograms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto folder = TemporaryDirectory::create("hipcpu-programs");
        QVERIFY(folder.has_value());
        m_folder.emplace(std::move(*folder));
    }

    void passes_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(QString::fromStdString(programs.string()));
        const QStringList files = folder.entryList({QStringLiteral("*.hip")}, QDir::Files, QDir::Name);
        QVERIFY(files.size() > 10);
        for (const QString& file : files) {
            QTest::newRow(qPrintable(file)) << file;
        }
    }
    void passes() {
        QFETCH(QString, name);
        const fs::path program = m_folder->path() / "program";
        const CompletedProcess built = build(programs / name.toStdString(), program);
        QVERIFY2(built.ok(), built.error.c_str());
        for (const char* order : {"forward", "reversed"}) {
            const CompletedProcess run = execute(program, order);
            QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
            QVERIFY(run.output.ends_with("ALL PASS\n"));
        }
    }

    // Written for gfx950; ocp.h is what they compare with.
    void passesAsGfx950_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(QString::fromStdString((programs / "gfx950").string()));
        const QStringList files = folder.entryList({QStringLiteral("*.hip")}, QDir::Files, QDir::Name);
        QVERIFY(files.size() > 1);
        for (const QString& file : files) {
            QTest::newRow(qPrintable(file)) << file;
        }
    }
    void passesAsGfx950() {
        QFETCH(QString, name);
        const fs::path program = m_folder->path() / "program950";
        const CompletedProcess built =
            build(programs / "gfx950" / name.toStdString(), program, {"--offload-arch=gfx950:sramecc+:xnack-"});
        QVERIFY2(built.ok(), built.error.c_str());
        QCOMPARE(built.error, std::string());
        for (const char* order : {"forward", "reversed"}) {
            const CompletedProcess run = execute(program, order);
            QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
            QVERIFY(run.output.ends_with("ALL PASS\n"));
        }
    }

    // What gfx950 has no longer, what LLVM 19 cannot read of it, and what is too much for it as well.
    void refusedAsGfx950() {
        const fs::path source = programs / "errors/gfx950.hip";
        const CompletedProcess built = build(source, m_folder->path() / "refused", {"--offload-arch=gfx950"});
        QCOMPARE(built.exit.status, std::optional<int>(1));
        for (const char* message :
             {"gfx950.hip:8: llvm.amdgcn.mfma.f32.16x16x8.xf32 is not supported on the cpu target (used by xf32(",
              "gfx950.hip:12: ", "assembler says: ", "; of what gfx950 adds use the builtins"}) {
            QVERIFY2(built.error.find(message) != std::string::npos, built.error.c_str());
        }
        const CompletedProcess large =
            build(programs / "errors/lds_overflow.hip", m_folder->path() / "refused", {"--offload-arch=gfx950"});
        QVERIFY2(large.ok(), large.error.c_str()); // 80000 bytes
        const CompletedProcess tooLarge = build(programs / "errors/lds_overflow.hip", m_folder->path() / "refused",
                                                {"--offload-arch=gfx950", "-DGREATER=3"});
        QVERIFY2(tooLarge.error.find("local memory (240000) exceeds limit (163840) in 'k(int*)'") != std::string::npos,
                 tooLarge.error.c_str());
        // On gfx942 there is nothing of the kind, by whatever name.
        const CompletedProcess older = build(programs / "errors/gfx950_label.hip", m_folder->path() / "refused");
        QVERIFY2(older.error.find("gfx950_label.hip:8: llvm.amdgcn.mfma.f32.16x16x32.f16 is not supported on the cpu "
                                  "target (used by k(") != std::string::npos,
                 older.error.c_str());
    }

    void deviceOutput() {
        const fs::path program = m_folder->path() / "output";
        QVERIFY(build(programs / "device_output.hip", program).ok());
        const CompletedProcess run = execute(program, "forward");
        QCOMPARE(run.output, std::string("device says 42 1.500 hello x 1099511627776, 3 of 64\nALL PASS\n"));
    }

    void refused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        QTest::newRow("inline assembly") << "inline_assembly.hip"
                                         << "inline_assembly.hip:9: s_setreg_imm32_b32 in inline assembly is not "
                                            "supported on the cpu target: \"v_add_u32";
        QTest::newRow("LDS") << "lds_overflow.hip" << "local memory (80000) exceeds limit (65536) in 'k(int*)'";
        QTest::newRow("builtin") << "unsupported_builtin.hip"
                                 << "unsupported_builtin.hip:4: llvm.amdgcn.ds.gws.init is not supported on the cpu "
                                    "target (used by k(int*))";
        QTest::newRow("operand of a builtin")
            << "builtin_operand.hip"
            << "builtin_operand.hip:8: llvm.amdgcn.global.atomic.fadd is called in a form that it does not have: "
               "<2 x half> (ptr addrspace(1), %struct.Pair)";
        QTest::newRow("host function") << "host_call.hip"
                                       << "host_call.hip:5:40: error: no matching function for call to 'onlyOnHost'";
        QTest::newRow("unknown host function")
            << "missing_function.hip" << "hipNoSuchFunction is not available on the cpu target";
    }
    void refused() {
        QFETCH(QString, name);
        QFETCH(QString, message);
        const CompletedProcess built = build(programs / "errors" / name.toStdString(), m_folder->path() / "refused");
        QCOMPARE(built.exit.status, std::optional<int>(1));
        QVERIFY2(built.error.find(message.toStdString()) != std::string::npos, built.error.c_str());
    }

    void crashes_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("message");
        QTest::newRow("out of bounds") << "out_of_bounds.hip" << "bytes past the end of a 40000-byte hipMalloc buffer";
        QTest::newRow("indirect call") << "indirect_call.hip"
                                       << "an indirect call leads to no device function of the kernel; kernel "
                                          "_Z18callsWhatItIsGivenPFivEPi block (0,0,0)";
        QTest::newRow("barrier of a grid in another launch")
            << "grid_sync.hip"
            << "grid.sync() in a launch that is not cooperative: launch the kernel with hipLaunchCooperativeKernel; "
               "kernel _Z5waitsv block (";
        QTest::newRow("block that others wait for")
            << "grid_block_ends.hip"
            << "a block of the grid has ended while others wait for it in grid.sync(); kernel _Z8someWaitv block (";
        QTest::newRow("lanes that assembly leaves off")
            << "lanes_left_off.hip"
            << "inline assembly has left a lane switched off (exec) that was on before; kernel _Z10leavesSomePi block "
               "(0,0,0)";
        QTest::newRow("assertion") << "assertion.hip" << "n < 5 && \"n too large\"";
    }
    void crashes() {
        QFETCH(QString, name);
        QFETCH(QString, message);
        const fs::path program = m_folder->path() / "crashing";
        const CompletedProcess built = build(programs / "errors" / name.toStdString(), program);
        QVERIFY2(built.ok(), built.error.c_str());
        const CompletedProcess run = execute(program, "forward");
        QVERIFY(!run.ok());
        const std::string printed = run.output + run.error;
        QVERIFY2(printed.find(message.toStdString()) != std::string::npos, printed.c_str());
    }

    // The wrong values appear in one of the two orders.
    void missingBarrierIsFoundByReversedOrder() {
        const fs::path program = m_folder->path() / "race";
        QVERIFY(build(programs / "errors/missing_barrier.hip", program).ok());
        QVERIFY(execute(program, "forward").ok());
        QVERIFY(!execute(program, "reversed").ok());
    }

    void spinningThreadIsEndedByTheTimeout() {
        const fs::path program = m_folder->path() / "spin";
        QVERIFY(build(programs / "errors/spin.hip", program).ok());
        const CompletedProcess run = execute(program, "forward", std::chrono::seconds(1));
        QVERIFY(run.timedOut);
    }

    void moreBlocksThanMayWaitIsSaid() {
        const fs::path program = m_folder->path() / "wait";
        QVERIFY(build(programs / "errors/too_many_wait.hip", program).ok());
        const CompletedProcess run = execute(program, "forward");
        QVERIFY2(run.ok(), run.error.c_str());
        const std::string expected = "hipcpu: warning: no block has ended for 10 s, and of kernel meetAll(";
        QVERIFY2(run.error.find(expected) == 0 && run.error.find("blocks wait: ") != std::string::npos,
                 run.error.c_str());
    }

    void loadedModules() {
        const fs::path object = m_folder->path() / "kernels.co", program = m_folder->path() / "loads";
        const CompletedProcess built = build(programs / "modules/loads.hip", program);
        QVERIFY2(built.ok(), built.error.c_str());
        for (const bool isChecked : {false, true}) {
            std::vector<std::string> flags = {"--genco", "--offload-arch=gfx942"};
            if (isChecked) {
                flags.emplace_back("--checked");
            }
            const CompletedProcess code = build(programs / "modules/kernels.hip", object, flags);
            QVERIFY2(code.ok(), code.error.c_str());
            const fs::path bare = m_folder->path() / "bare.co";
            const CompletedProcess ownCode = build(programs / "modules/bare.hip", bare, flags);
            QVERIFY2(ownCode.ok(), ownCode.error.c_str());
            for (const char* order : {"forward", "reversed"}) {
                const CompletedProcess run =
                    execute(program, order, std::chrono::minutes(2), "0", {object.string(), bare.string()});
                QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
                QVERIFY(run.output.ends_with("ALL PASS\n"));
                QCOMPARE(run.error, std::string("hipcpu: the code object is refused: it is none for the cpu target. "
                                                "Build it with kernel-scientist-hipcc --genco\n"));
            }
        }
    }

    void whatHipRtcLacks() {
        const fs::path program = m_folder->path() / "bitcode";
        const CompletedProcess built = build(programs / "modules/bitcode.hip", program, {"-lhiprtc"});
        QVERIFY2(built.ok(), built.error.c_str());
        const CompletedProcess run = execute(program, "forward");
        QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
        for (const char* named : {"hipcpu: hiprtcGetBitcodeSize is not supported", "hipcpu: hiprtcGetBitcode is not",
                                  "hipcpu: hiprtcLink... is not supported"}) {
            QVERIFY2(run.error.find(named) != std::string::npos, run.error.c_str());
        }
    }

    void sharedObjectHasNoUndefinedNames() {
        const fs::path object = m_folder->path() / "module.so";
        const CompletedProcess built = build(programs / "symbols.hip", object, {"-shared"});
        QVERIFY2(built.ok(), built.error.c_str());
        QVERIFY(fs::file_size(object) > 0);
    }

    // One cache, several language modes: each has precompiled headers of its own. The line is one that people have.
    void optionsOfBuildLinesAreTaken() {
        const fs::path source = m_folder->path() / "mode.hip";
        QVERIFY(writeFileAtomically(source, "#include <hip/hip_runtime.h>\n"
                                            "#if __cplusplus >= 202002L\n"
                                            "template<class T> requires(sizeof(T) == 4)\n"
                                            "#else\n"
                                            "template<class T>\n"
                                            "#endif\n"
                                            "__global__ void k(T* p) { *p = LINE; }\n"
                                            "int main() { k<int><<<1, 1>>>(nullptr); }\n")
                    .has_value());
        const auto objects = m_folder->path() / "mode.o";
        const CompletedProcess modern =
            build(source, objects,
                  {"-c", "-std=c++20", "-Ofast", "-w", "-g3", "-x", "hip", "-pthread", "-munsafe-fp-atomics",
                   "--offload-arch=gfx942:sramecc+:xnack-", "-U__HIP_NO_HALF_OPERATORS__", "-D__HIP_PLATFORM_AMD__=1",
                   "-DLINE=3", "-mllvm", "-amdgpu-early-inline-all=true", "-Rpass=inline", "--save-temps"});
        QVERIFY2(modern.ok(), modern.error.c_str());
        const CompletedProcess linked = build(objects, m_folder->path() / "mode");
        QVERIFY2(linked.ok(), linked.error.c_str());
        const CompletedProcess plain =
            build(source, m_folder->path() / "mode", {"-std=c++17", "-DLINE=4", "-munsafe-fp-atomics"});
        QVERIFY2(plain.ok(), plain.error.c_str());
        QCOMPARE(plain.error, std::string()); // no word about an option that one side has no use for
    }

    // No stream is the thread's own one then, by functions of other names.
    void streamsOfThreads() {
        for (const char* name : {"vector_add.hip", "host_calls.hip", "pools_and_volumes.hip", "graph_nodes.hip"}) {
            const fs::path program = m_folder->path() / "own_stream";
            const CompletedProcess built = build(programs / name, program, {"-fgpu-default-stream=per-thread"});
            QVERIFY2(built.ok(), built.error.c_str());
            const CompletedProcess run = execute(program, "forward");
            QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
        }
    }

    // As it is handed in, with the options of its build line. It reads over the end of an input: that is named where
    // reads are checked, and harmless in either case.
    void publicKernel() {
        const fs::path program = m_folder->path() / "public";
        const CompletedProcess built = build(
            programs / "public/fp8_block_gemm.hip", program,
            {"-DTORCH_EXTENSION_NAME=fp8", "-D__HIP_PLATFORM_AMD__=1", "-DUSE_ROCM=1", "-D__HIP_NO_HALF_OPERATORS__=1",
             "-U__HIP_NO_HALF_OPERATORS__", "-fPIC", "-fno-gpu-rdc", "--offload-arch=gfx942", "-std=c++20", "-O3",
             "-Ofast", "-w", "-munsafe-fp-atomics", "-mllvm", "-amdgpu-early-inline-all=true", "--save-temps"});
        QVERIFY2(built.ok(), built.error.c_str());
        for (const char* order : {"forward", "reversed"}) {
            for (const char* checks : {"0", "1"}) {
                const CompletedProcess run = execute(program, order, std::chrono::minutes(2), checks);
                QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
                const bool isNamed =
                    run.error.find(" past the end of a 24576-byte hipMalloc buffer; kernel") != std::string::npos;
                QCOMPARE(isNamed, *checks == '1');
            }
        }
    }

    // In the manner of what is handed in to competitions for the MI300. None reads or writes outside its buffers.
    void inTheMannerOfPublicKernels_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"buffer_gemm", "dpp_softmax", "expert_routing", "lds_copies", "persistent_split_k"}) {
            QTest::newRow(name) << name;
        }
    }
    void inTheMannerOfPublicKernels() {
        QFETCH(QString, name);
        const fs::path program = m_folder->path() / "manner";
        const CompletedProcess built = build(programs / "public" / (name.toStdString() + ".hip"), program,
                                             {"-std=c++20", "-O3", "-ffast-math", "--offload-arch=gfx942"});
        QVERIFY2(built.ok(), built.error.c_str());
        for (const char* order : {"forward", "reversed"}) {
            const CompletedProcess run = execute(program, order, std::chrono::minutes(2), "1");
            QVERIFY2(run.ok(), (run.exit.text() + "\n" + run.output + run.error).c_str());
            QCOMPARE(run.error, std::string());
        }
    }

    // Uses of the names of ROCm 6.4.3's headers, as its own compiler takes them too.
    void namesOfRocmAreThere_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bf16", "cooperative_groups", "fp16", "fp8"}) {
            QTest::newRow(name) << name;
        }
    }
    void namesOfRocmAreThere() {
        QFETCH(QString, name);
        const fs::path source = programs / "names" / (name.toStdString() + ".hip");
        // With an -include nothing is precompiled, and headers are read in the order of the source.
        for (const std::vector<std::string>& first : {std::vector<std::string>(), {"-include", "cstddef"}}) {
            std::vector<std::string> flags = {"-c", "-Wno-unused"};
            flags.insert(flags.end(), first.begin(), first.end());
            const CompletedProcess built = build(source, m_folder->path() / "names.o", flags);
            QVERIFY2(built.ok(), built.error.c_str());
        }
    }

    void aMissingHeaderNamesItsPackage() {
        const fs::path source = m_folder->path() / "wmma.hip";
        QVERIFY(writeFileAtomically(source, "#include <rocwmma/rocwmma.hpp>\nint main() {}\n").has_value());
        const CompletedProcess built = build(source, m_folder->path() / "wmma", {}, {{"ROCM_PATH", "/nowhere"}});
        QVERIFY(!built.ok());
        QVERIFY2(built.error.find("note: Install rocwmma-dev from AMD's ROCm") != std::string::npos,
                 built.error.c_str());
    }

    // An installed ROCm, here one that takes the distribution's headers under its own name, goes before the others.
    void rocmGoesBeforeTheDistribution() {
        const fs::path rocm = m_folder->path() / "rocm", source = m_folder->path() / "rocm.hip";
        const auto write = [&](const char* name, const std::string& text) {
            return makeDirectories((rocm / "include/hip" / name).parent_path()).has_value() &&
                   writeFileAtomically(rocm / "include/hip" / name, text).has_value();
        };
        QVERIFY(write("hip_version.h", "#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 4\n"
                                       "#include_next <hip/hip_version.h>\n"));
        QVERIFY(write("hip_runtime.h", "#define RUNTIME_OF_ROCM\n#include_next <hip/hip_runtime.h>\n"));
        QVERIFY(write("hip_fp8.h", "#define FP8_OF_ROCM\n"));
        QVERIFY(write("../rocwmma/rocwmma.hpp", "#define ROCWMMA\n"));
        QVERIFY(writeFileAtomically(source, "#include <hip/hip_runtime.h>\n#include <hip/hip_fp8.h>\n"
                                            "#include <rocwmma/rocwmma.hpp>\n"
                                            "#if !defined(RUNTIME_OF_ROCM) || !defined(FP8_OF_ROCM)\n"
                                            "#error these are not ROCm's headers\n#endif\n"
                                            "int main() {}\n")
                    .has_value());
        const CompletedProcess built =
            build(source, m_folder->path() / "rocm-program", {}, {{"ROCM_PATH", rocm.string()}});
        QVERIFY2(built.ok(), built.error.c_str());
    }

    // What stands first in the sources is precompiled; a file made for other options must not be an error of theirs.
    void anUnfitPrecompiledHeaderIsNoError() {
        const fs::path headers = m_folder->path() / "cache/hip-headers";
        QVERIFY(build(programs / "device_output.hip", m_folder->path() / "unfit").ok());
        for (const auto& entry : fs::directory_iterator(headers)) {
            QVERIFY(writeFileAtomically(entry.path(), "no precompiled header").has_value());
        }
        const CompletedProcess built = build(programs / "device_output.hip", m_folder->path() / "unfit");
        QVERIFY2(built.ok(), built.error.c_str());
        fs::remove_all(headers);
    }

private:
    CompletedProcess build(const fs::path& source, const fs::path& output, const std::vector<std::string>& options = {},
                           const std::vector<std::pair<std::string, std::string>>& environment = {}) {
        Command command;
        if (!environment.empty()) {
            command.environment = environment;
            command.environment->emplace_back("PATH", "/usr/bin:/bin");
        }
        command.arguments = {std::string(GKS_BINARY_DIR "/bin/kernel-scientist-hipcc"),
                             "--cache",
                             (m_folder->path() / "cache").string(),
                             source.string(),
                             "-o",
                             output.string()};
        command.arguments.insert(command.arguments.end(), options.begin(), options.end());
        return test::completed(command);
    }

    CompletedProcess execute(const fs::path& program, const char* order,
                             std::chrono::milliseconds timeout = std::chrono::minutes(2), const char* checksReads = "0",
                             const std::vector<std::string>& arguments = {}) {
        Command command;
        command.arguments = {program.string()};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        command.environment = {{"HIPCPU_ORDER", order},
                               {"HIPCPU_CHECK_READS", checksReads},
                               {"GKS_CACHE", (m_folder->path() / "cache").string()}, // of hipRTC's compiler
                               {"PATH", "/usr/bin:/bin"}};
        if constexpr (isSanitized) { // of the runtime that such a program is linked with
            command.environment->emplace_back("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0");
        }
        command.limits.addressSpaceBytes = std::size_t{16} << 30;
        return test::completed(command, {.timeout = timeout});
    }

    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(HipcpuPrograms)
#include "hipcpu_programs.moc"
