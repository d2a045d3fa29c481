// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/target/disassembly.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <QTest>
#include <charconv>
#include <nlohmann/json.hpp>
#include <random>

using namespace gks;

namespace {

std::string printed(const std::vector<std::string>& arguments, bool error = false) {
    Command command;
    command.arguments = arguments;
    RunOptions options;
    options.outputLimitBytes = std::size_t{32} << 20;
    const auto run = runProcess(command, options);
    if (!run || !run->ok()) {
        qFatal("%s", run ? run->error.c_str() : run.error().message().c_str());
    }
    return error ? run->error : run->output;
}

struct Compiled {
    std::string notes;
    std::string disassembly;
    std::string remarks;
};

// The test kernels through the compiler that reports use.
const Compiled& compiled() {
    static const Compiled result = [] {
        const auto folder = TemporaryDirectory::create("gks-report");
        const auto compiler = deviceCompiler("gfx942");
        if (!folder || !compiler) {
            qFatal("%s", compiler ? "no folder" : compiler.error().message().c_str());
        }
        const std::string object = (folder->path() / "kernel.co").string();
        std::vector<std::string> arguments = {compiler->program.string()};
        arguments.insert(arguments.end(), compiler->flags.begin(), compiler->flags.end());
        for (const std::string argument :
             {"-Rpass-analysis=kernel-resource-usage", "-c", GKS_SOURCE_DIR "/tests/data/report_kernels.hip", "-o"}) {
            arguments.push_back(argument);
        }
        arguments.push_back(object);
        Compiled all;
        all.remarks = printed(arguments, true);
        all.notes = printed({toolchain().readelf->string(), "--notes", object});
        all.disassembly = printed(
            {toolchain().objdump->string(), "-d", "--no-leading-addr", "--no-show-raw-insn", "--mcpu=gfx942", object});
        return all;
    }();
    return result;
}

KernelResources kernel(const StaticReport& report, std::string_view name) {
    for (const KernelResources& candidate : report.kernels) {
        if (candidate.name.find(name) != std::string::npos) {
            return candidate;
        }
    }
    qFatal("no kernel %s", std::string(name).c_str());
    return {};
}

StaticReport report() {
    const auto read = readStaticReport("gfx942", compiled().notes, compiled().disassembly);
    if (!read) {
        qFatal("%s", read.error().message().c_str());
    }
    return *read;
}

int remark(std::string_view remarks, const char* key) {
    const std::string value = valueAfter(remarks, key);
    int number = -1;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
}

} // namespace

class TargetStaticReportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knownKernelsHaveKnownResources() {
        const StaticReport all = report();
        QCOMPARE(all.kernels.size(), std::size_t{5});
        QCOMPARE(kernel(all, "add(").name, std::string("add(float const*, float const*, float*, int)"));
        QCOMPARE(kernel(all, "add(").maxWorkgroupSize, 256);
        QCOMPARE(kernel(all, "add(").ldsBytes, 0);
        QCOMPARE(kernel(all, "add(").instructions["vmem_load"], 2);
        QCOMPARE(kernel(all, "add(").instructions["vmem_store"], 1);
        QCOMPARE(kernel(all, "transpose<64>").ldsBytes, 64 * 64 * 4);
        QVERIFY(kernel(all, "transpose<64>").instructions["lds"] > 0);
        QCOMPARE(kernel(all, "transpose<64>").instructions["barrier"], 1);
        QCOMPARE(kernel(all, "multiply").instructions["mfma"], 4);
        QVERIFY(kernel(all, "accumulate").instructions["atomic"] > 0);
        QVERIFY(kernel(all, "accumulate").instructions["branch"] > 0);
    }

    void spillsAreSeen() {
        const KernelResources spilled = kernel(report(), "spill");
        QVERIFY(spilled.vgprSpills > 0);
        QVERIFY(spilled.scratchBytes > 0);
        QVERIFY(spilled.instructions.at("scratch_store") > 0);
        QCOMPARE(kernel(report(), "add(").vgprSpills, 0);
    }

    // The compiler prints the same facts in another way: both must agree, occupancy included.
    void agreesWithTheCompilersRemarks() {
        const StaticReport all = report();
        std::string_view rest = compiled().remarks;
        int compared = 0;
        for (std::size_t at = rest.find("Function Name: "); at != std::string_view::npos;
             at = rest.find("Function Name: ", 1)) {
            rest.remove_prefix(at);
            const std::string symbol = valueAfter(rest, "Function Name: ");
            for (const char* name : {"add", "transpose", "multiply", "spill", "accumulate"}) {
                if (symbol.find(name) == std::string::npos) {
                    continue;
                }
                const KernelResources here = kernel(all, name);
                QCOMPARE(here.vgprs, remark(rest, " VGPRs: "));
                QCOMPARE(here.agprs, remark(rest, " AGPRs: "));
                QCOMPARE(here.scratchBytes, remark(rest, "ScratchSize [bytes/lane]: "));
                QCOMPARE(here.ldsBytes, remark(rest, "LDS Size [bytes/block]: "));
                QCOMPARE(here.vgprSpills, remark(rest, "VGPRs Spill: "));
                QCOMPARE(here.occupancyWavesPerSimd, remark(rest, "Occupancy [waves/SIMD]: "));
                ++compared;
            }
        }
        QCOMPARE(compared, 5);
    }

    void codeEndsBeforeItsPadding() {
        for (const KernelResources& each : report().kernels) {
            int instructions = 0;
            for (const auto& [className, count] : each.instructions) {
                instructions += count;
                QVERIFY2(className != "other", each.name.c_str());
            }
            QVERIFY(each.codeBytes >= 4 * instructions);
            QVERIFY(each.codeBytes <= 12 * instructions);
        }
    }

    void occupancyFollowsTheTable_data() {
        QTest::addColumn<int>("vgprs");
        QTest::addColumn<int>("agprs");
        QTest::addColumn<int>("lds");
        QTest::addColumn<int>("workgroup");
        QTest::addColumn<int>("waves");
        const int table[][5] = {
            {64, 0, 0, 256, 8},      {65, 0, 0, 256, 7},     {72, 0, 0, 256, 7},     {80, 0, 0, 256, 6},
            {96, 0, 0, 256, 5},      {128, 0, 0, 256, 4},    {168, 0, 0, 256, 3},    {256, 0, 0, 256, 2},
            {256, 256, 0, 256, 1},   {0, 0, 0, 1, 8},        {30, 32, 0, 256, 8},    {33, 32, 0, 256, 7},
            {10, 0, 65536, 256, 1},  {10, 0, 32768, 256, 2}, {10, 0, 32769, 256, 1}, {10, 0, 65537, 256, 0},
            {10, 0, 48000, 1024, 4}, {100000, 0, 0, 256, 1}, {-5, -5, -5, -5, 8}};
        for (const auto& row : table) {
            QTest::addRow("%d+%d vgprs, %d bytes, %d threads", row[0], row[1], row[2], row[3])
                << row[0] << row[1] << row[2] << row[3] << row[4];
        }
    }
    void occupancyFollowsTheTable() {
        QFETCH(int, vgprs);
        QFETCH(int, agprs);
        QFETCH(int, lds);
        QFETCH(int, workgroup);
        QFETCH(int, waves);
        QCOMPARE(occupancyWavesPerSimd("gfx942", vgprs, agprs, lds, workgroup), waves);
    }

    void unknownArchitectureHasNoOccupancy() {
        QCOMPARE(occupancyWavesPerSimd("gfx1", 10, 0, 0, 64), 0);
        QCOMPARE(occupancyWavesPerSimd("../devices/gfx942", 10, 0, 0, 64), 0);
    }

    // Pairs of pairs: three times as many and the name would have terabytes.
    void namesThatDoubleStayMangled() {
        const std::string symbol =
            "_Z1k1PIS_IS_IS_IS_IS_IS_IS_IS_IS_IS_IS_IS_IS_IiiES0_ES1_ES2_ES3_ES4_ES5_ES6_ES7_ES8_"
            "ES9_ESA_ESB_ESC_E";
        const auto read = readStaticReport("gfx942", "amdhsa.kernels:\n  - .name: " + symbol + "\n", "");
        QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
        QCOMPARE(read->kernels.at(0).name, symbol);
    }

    void instructionClasses() {
        QCOMPARE(instructionClass("v_smfmac_f32_16x16x64_fp8_fp8"), std::string_view("mfma"));
        QCOMPARE(instructionClass("v_accvgpr_read_b32"), std::string_view("accvgpr"));
        QCOMPARE(instructionClass("global_atomic_add_f32"), std::string_view("atomic"));
        QCOMPARE(instructionClass("s_cbranch_scc0"), std::string_view("branch"));
        QCOMPARE(instructionClass("buffer_load_dwordx4"), std::string_view("vmem_load"));
        QCOMPARE(instructionClass("buffer_inv"), std::string_view("cache"));
        QCOMPARE(instructionClass("ds_read_b128"), std::string_view("lds"));
        QCOMPARE(instructionClass("s_load_dwordx4"), std::string_view("smem"));
        QCOMPARE(instructionClass("s_waitcnt"), std::string_view("waitcnt"));
        QCOMPARE(instructionClass("nonsense"), std::string_view("other"));
    }

    void jsonRoundTrip() {
        StaticReport all = report();
        all.codeObjectBytes = 12345;
        const std::string text = toJson(all).dump();
        const auto parsed = parseJson(text, "test");
        QVERIFY(parsed.has_value());
        const auto back = staticReportFromJson(*parsed);
        QVERIFY(back.has_value());
        QCOMPARE(toJson(*back).dump(), text);
        QCOMPARE(back->codeObjectBytes, std::size_t{12345});
    }

    void brokenJsonIsRefused_data() {
        QTest::addColumn<QByteArray>("json");
        for (const char* json :
             {"[]", "{}", R"({"kernels": 3})", R"({"kernels": [3]})", R"({"kernels": [{"name": 3}]})",
              R"({"kernels": [{"name": "k", "vgprs": -1}]})", R"({"kernels": [{"name": "k", "vgprs": 1.5}]})",
              R"({"kernels": [{"name": "k", "vgprs": 99999999999999999999}]})",
              R"({"kernels": [{"name": "k", "instructions": {"valu": "many"}}]})"}) {
            QTest::newRow(json) << QByteArray(json);
        }
    }
    void brokenJsonIsRefused() {
        QFETCH(QByteArray, json);
        const auto parsed = parseJson(json.toStdString(), "test");
        QVERIFY(parsed.has_value());
        QVERIFY(!staticReportFromJson(*parsed).has_value());
    }

    void brokenNotesAreRefused_data() {
        QTest::addColumn<QByteArray>("notes");
        const QByteArray head = "amdhsa.kernels:\n";
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no metadata") << QByteArray("Displaying notes found in: .note\n");
        QTest::newRow("no name") << head + "  - .vgpr_count: 3\n";
        QTest::newRow("no entry") << head + "    .vgpr_count: 3\n";
        QTest::newRow("negative") << head + "  - .name: k\n    .vgpr_count: -3\n";
        QTest::newRow("text for a number") << head + "  - .name: k\n    .sgpr_count: lots\n";
        QTest::newRow("huge number") << head + "  - .name: k\n    .sgpr_count: 99999999999999999999\n";
        QTest::newRow("no colon") << head + "  - .name: k\n    .sgpr_count 3\n";
        QTest::newRow("endless value") << head + "  - .name: " + QByteArray(5000, 'k') + "\n";
        QTest::newRow("too many kernels") << head + QByteArray("  - .name: k\n").repeated(5000);
        QByteArray manyKeys = head + "  - .name: k\n";
        for (int i = 0; i < 100; ++i) {
            manyKeys += "    .key" + QByteArray::number(i) + ": 1\n";
        }
        QTest::newRow("too many keys") << manyKeys;
    }
    void brokenNotesAreRefused() {
        QFETCH(QByteArray, notes);
        QVERIFY(!readStaticReport("gfx942", notes.toStdString(), "").has_value());
    }

    // What LLVM writes into the notes, and the symbol as it stands in the disassembly.
    void everyNameFindsItsCode_data() {
        QTest::addColumn<QByteArray>("scalar");
        QTest::addColumn<QByteArray>("symbol");
        QTest::newRow("looks like a truth value") << QByteArray("!str no") << QByteArray("no");
        QTest::newRow("looks like a number") << QByteArray("!str '0x10'") << QByteArray("0x10");
        QTest::newRow("quotes") << QByteArray("'k''x'''") << QByteArray("k'x'");
        QTest::newRow("colon") << QByteArray("'a: b # c'") << QByteArray("a: b # c");
        QTest::newRow("double quotes") << QByteArray("'k\"x\"'") << QByteArray("k\"x\"");
        QTest::newRow("escapes") << QByteArray("\"a\\tb\\\\\\\"\\x7F\"") << QByteArray("a\tb\\\"\x7f");
        QTest::newRow("quotes of its own") << QByteArray("\"'k'\"") << QByteArray("'k'");
    }
    void everyNameFindsItsCode() {
        QFETCH(QByteArray, scalar);
        QFETCH(QByteArray, symbol);
        const std::string notes = "amdhsa.kernels:\n  - .name: " + scalar.toStdString() + "\n";
        const std::string code = "<" + symbol.toStdString() +
                                 ">:\n\tv_mfma_f32_32x32x8_f16 a, b // 000000002300: C00202C0 0000002C\n"
                                 "\ts_endpgm // 000000002308: C00202C0\n";
        const auto read = readStaticReport("gfx942", notes, code);
        QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
        QCOMPARE(read->kernels.front().codeBytes, 12);
        QCOMPARE(read->kernels.front().instructions.at("mfma"), 1);
        QCOMPARE(read->kernels.front().name, terminalLine(symbol.toStdString()));
    }

    // No code is not the same as code that nobody found.
    void aKernelWithoutItsCodeIsNoReport() {
        const auto read = readStaticReport("gfx942", "amdhsa.kernels:\n  - .name: k\n", "<a>:\n\ts_endpgm\n");
        QVERIFY(!read);
        QCOMPARE(read.error().what, std::string("there is no code of the kernel k"));
    }

    void endlessDisassemblyIsRefused() {
        std::string text;
        for (int i = 0; i < 5000; ++i) {
            text += "<f" + std::to_string(i) + ">:\n\ts_endpgm\n";
        }
        QVERIFY(!readStaticReport("gfx942", "amdhsa.kernels:\n  - .name: f1\n", text).has_value());
    }

    // The name of a kernel is whatever an asm label of the source says.
    void hostileNamesAreShownHarmlessly() {
        const std::string name = "_Z" + std::string(3000, 'P') + "\xff\x01";
        const auto read = readStaticReport("gfx942", "amdhsa.kernels:\n  - .name: " + name + "\n", "");
        QVERIFY(read.has_value());
        QVERIFY(read->kernels.front().name.size() < 450);
        QCOMPARE(sanitizedUtf8(read->kernels.front().name), read->kernels.front().name);
    }

    // Whatever is cut or changed: an answer, no crash, no exception.
    void mutilatedTextsAreSurvived() {
        std::mt19937 random(7);
        for (int i = 0; i < 300; ++i) {
            std::string notes = compiled().notes;
            std::string code = compiled().disassembly;
            for (std::string* text : {&notes, &code}) {
                for (int change = 0; change < 20; ++change) {
                    (*text)[random() % text->size()] = static_cast<char>(random());
                }
                text->resize(random() % (text->size() + 1));
            }
            const auto read = readStaticReport("gfx942", notes, code);
            if (read) {
                QVERIFY(toJson(*read).dump(-1, ' ', false, OrderedJson::error_handler_t::strict).size() > 2);
            }
        }
    }

    void noKernelsIsAnEmptyReport() {
        const auto read = readStaticReport("gfx942", "amdhsa.kernels:  []\namdhsa.version:\n  - 1\n  - 2\n", "");
        QVERIFY(read.has_value());
        QVERIFY(read->kernels.empty());
    }
};

QTEST_APPLESS_MAIN(TargetStaticReportTest)
#include "target_static_report.moc"
