// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/problem/data.h"

#include <QTest>
#include <bit>
#include <cmath>
#include <fmt/format.h>

using namespace gks;

namespace {

// One input of every element type, so that every part of the header is generated.
ProblemPack everyType() {
    ProblemPack pack;
    pack.name = "every-type";
    pack.title = "Every \\ type";
    pack.dims = {"rows", "cols"};
    for (int i = 0; i <= static_cast<int>(ElementType::i64); ++i) {
        const auto type = static_cast<ElementType>(i);
        pack.tensors.push_back({fmt::format("x{}", i), type, {"rows", "cols"}, TensorRole::input, Fill::normal});
    }
    pack.tensors.push_back({"y", ElementType::f32, {"rows"}, TensorRole::output, Fill::normal});
    return pack;
}

// Uses every type of the header in a kernel.
constexpr const char* kernel = R"(#include "problem.h"

__global__ void use(Problem p) {
    const int i = threadIdx.x;
    p.y[i] = to_float(p.x0[i]) + to_float(p.x1[i]) + to_float(p.x2[i]) + to_float(p.x3[i]) + p.x4[i] + to_float(to_bf16(p.x4[i]));
}

// As people write it.
__global__ void write(Problem p) {
    __shared__ bf16_t staged[64];
    const int i = threadIdx.x;
    const float x = i < 60 ? p.x0[i] : 0.f; // fp8
    staged[i] = x * float(p.x3[i]);
    bf16_t sum = (bf16_t)(staged[i] + float(p.x1[i]));
    sum = i > 8 ? sum : bf16_t{0};
    p.y[i] = __bfloat162float(sum) * static_cast<float>(bf16_t(p.x2[i])) + bf16_t(p.x4[i] * 2.0);
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    use<<<1, 64, 0, stream>>>(p);
    return hipGetLastError();
}

)";

// Prints what each code means on the host.
constexpr const char* table = R"(#include "problem.h"
#include <cstdio>

int main() {
    for (unsigned code = 0; code < 256; ++code) {
        std::printf("%a %a\n", to_float(fp8_t{(unsigned char)code}), to_float(bf8_t{(unsigned char)code}));
    }
    for (unsigned code = 0; code < 65536; ++code) {
        std::printf("%a\n", to_float(bf16_t{uint16_t(code)}));
        for (unsigned low : {0x7fffu, 0x8000u, 0x8001u}) { // just below a tie, a tie, just above
            std::printf("%x\n", unsigned(to_bf16(float_from_bits(code << 16 | low)).bits));
        }
    }
    std::printf("%u %u %a\n", unsigned(((bf16_t)1.5f).bits), unsigned(bf16_t(-2.0).bits), float(bf16_t{uint16_t(0x3fc0)}));
    std::printf("%zu %zu\n", sizeof(Problem), offsetof(Problem, rows));
}
)";

Result<CompletedProcess> compile(const std::filesystem::path& folder, const std::vector<std::string>& options) {
    Command command;
    command.arguments = {"clang++-19",
                         "-x",
                         "hip",
                         "--offload-arch=gfx942",
                         "--hip-path=/usr",
                         "-nogpulib",
                         "-Wall",
                         "-Wextra",
                         "-Werror",
                         "-Wno-unused-result",
                         "-Wno-unused-command-line-argument",
                         "-O1"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    command.arguments.push_back((folder / "program.hip").string());
    return runProcess(command);
}

} // namespace

class ProblemHeader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void compilesForTheDevice_data();
    void compilesForTheDevice();
    void meansTheSameAsTheJudge_data();
    void meansTheSameAsTheJudge();
    void everySeedCompilesForTheDevice();
    void holdsOnlyWhatThePackUses();

private:
    std::optional<TemporaryDirectory> m_folder;
};

void ProblemHeader::init() {
    auto folder = TemporaryDirectory::create("gks-header");
    QVERIFY(folder.has_value());
    m_folder.emplace(std::move(*folder));
    QVERIFY(writeFileAtomically(m_folder->path() / "problem.h", generateProblemHeader(everyType())).has_value());
    QVERIFY(writeFileAtomically(m_folder->path() / "program.hip", kernel).has_value());
}

void ProblemHeader::compilesForTheDevice_data() {
    QTest::addColumn<QString>("define");
    QTest::addColumn<QString>("language");
    QTest::newRow("fnuz") << "-DGKS_FNUZ" << "-std=c++17";
    QTest::newRow("ocp") << "-DGKS_FP8_OCP" << "-std=c++17";
    QTest::newRow("fnuz, C++20") << "-DGKS_FNUZ" << "-std=c++20";
}

void ProblemHeader::compilesForTheDevice() {
    QFETCH(QString, define);
    QFETCH(QString, language);
    const std::string assembly = m_folder->path() / "program.s";
    const auto run = compile(m_folder->path(), {"--cuda-device-only", "-S", "--no-gpu-bundle-output",
                                                define.toStdString(), language.toStdString(), "-o", assembly});
    QVERIFY(run.has_value());
    QVERIFY2(run->ok(), run->error.c_str());
    const auto text = readFile(assembly);
    QVERIFY(text.has_value());
    QCOMPARE(text->find("v_cvt_f32_fp8") != std::string::npos, define == QStringLiteral("-DGKS_FNUZ"));
}

void ProblemHeader::meansTheSameAsTheJudge_data() {
    compilesForTheDevice_data();
}

// The host side of the header, run: every code of fp8 and bf16 against the tables of the judge.
void ProblemHeader::meansTheSameAsTheJudge() {
    QFETCH(QString, define);
    QFETCH(QString, language);
    QVERIFY(writeFileAtomically(m_folder->path() / "program.hip", table).has_value());
    const std::string object = m_folder->path() / "program.o";
    const std::string binary = m_folder->path() / "program";
    const auto run = compile(m_folder->path(),
                             {"--cuda-host-only", "-c", define.toStdString(), language.toStdString(), "-o", object});
    QVERIFY(run.has_value());
    QVERIFY2(run->ok(), run->error.c_str());
    Command link;
    link.arguments = {"clang++-19", object, "-o", binary};
    const auto linked = runProcess(link);
    QVERIFY2(linked.has_value() && linked->ok(), linked ? linked->error.c_str() : "");
    Command execute;
    execute.arguments = {binary};
    RunOptions options;
    options.outputLimitBytes = std::size_t{8} << 20;
    const auto output = runProcess(execute, options);
    QVERIFY(output.has_value());
    QVERIFY2(output->ok(), output->exit.text().c_str());

    const auto encoding = define == QStringLiteral("-DGKS_FP8_OCP") ? Fp8Encoding::ocp : Fp8Encoding::fnuz;
    const char* at = output->output.c_str();
    const auto next = [&] {
        char* end = nullptr;
        const double value = std::strtod(at, &end);
        at = end;
        return value;
    };
    const auto same = [](double a, double b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
    };
    for (unsigned code = 0; code < 256; ++code) {
        const auto byte = std::byte(code);
        QVERIFY2(same(next(), decodeElement(ElementType::fp8E4m3, encoding, &byte)), std::to_string(code).c_str());
        QVERIFY2(same(next(), decodeElement(ElementType::fp8E5m2, encoding, &byte)), std::to_string(code).c_str());
    }
    for (unsigned code = 0; code < 65536; ++code) {
        const auto bits = std::uint16_t(code);
        const double value = decodeElement(ElementType::bf16, encoding, reinterpret_cast<const std::byte*>(&bits));
        QVERIFY2(same(next(), value), std::to_string(code).c_str());
        for (const std::uint32_t low : {0x7fffU, 0x8000U, 0x8001U}) {
            char* end = nullptr;
            const auto rounded = std::uint16_t(std::strtoul(at, &end, 16));
            at = end;
            const float between = std::bit_cast<float>(code << 16 | low);
            std::uint16_t wanted = 0;
            encodeElement(ElementType::bf16, encoding, double(between), reinterpret_cast<std::byte*>(&wanted));
            if (std::isnan(between)) {
                QVERIFY(std::isnan(
                    decodeElement(ElementType::bf16, encoding, reinterpret_cast<const std::byte*>(&rounded))));
            } else {
                QCOMPARE(rounded, wanted);
            }
        }
    }
    // In C++20 an aggregate would have taken 1.5f for its bits.
    QCOMPARE(next(), double(0x3fc0));
    QCOMPARE(next(), double(0xc000));
    QCOMPARE(next(), 1.5);
    // As problem.h of this project promises: pointers, then ints, padded to 8.
    QCOMPARE(next(), 8.0 * 11 + 8);
    QCOMPARE(next(), 8.0 * 11);
}

void ProblemHeader::everySeedCompilesForTheDevice() {
    const auto packs = builtinProblems();
    QVERIFY(packs.has_value());
    for (const ProblemPack& pack : *packs) {
        QVERIFY(writeFileAtomically(m_folder->path() / "problem.h", generateProblemHeader(pack)).has_value());
        for (const SeedKernel& seed : pack.seeds) {
            QVERIFY(writeFileAtomically(m_folder->path() / "program.hip", seed.source).has_value());
            const auto run = compile(m_folder->path(), {"--cuda-device-only", "-S", "--no-gpu-bundle-output",
                                                        "-std=c++17", "-o", "/dev/null"});
            QVERIFY(run.has_value());
            QVERIFY2(run->ok(), run->error.c_str());
        }
    }
}

void ProblemHeader::holdsOnlyWhatThePackUses() {
    ProblemPack pack = everyType();
    pack.tensors.erase(pack.tensors.begin(), pack.tensors.begin() + 4);
    const std::string header = generateProblemHeader(pack);
    QVERIFY(header.find("fp8") == std::string::npos && header.find("bf16") == std::string::npos);
    QVERIFY(header.find('@') == std::string::npos);
    QVERIFY(generateProblemHeader(everyType()).find('@') == std::string::npos);
}

QTEST_APPLESS_MAIN(ProblemHeader)
#include "problem_header.moc"
