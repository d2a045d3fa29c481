// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/import/cuda_task_import.h"
#include "core/problem/problem.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <fmt/format.h>

using namespace gks;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        qFatal("no %s", from.c_str());
    }
    return text.replace(at, from.size(), to);
}

const std::string cudaTask = R"(lang: "cu"
description: |
  Half of the sum.
tests:
  - {"seed": 1, "m": 32, "n": 16}
  - {"seed": 2, "m": 64, "n": 48}
benchmarks:
  - {"seed": 3, "m": 512, "n": 256}
)";

const std::string cudaTypes = R"(#ifndef TASK_H
#define TASK_H
#include <array>
#include <vector>
using vec = std::vector<float>; // one of them
using input_t = std::tuple<vec, vec, int>;
using output_t = vec;
constexpr std::array<const char*, 3> ArgumentNames = {"seed", "m", "n"};
#endif
)";

const std::string cudaReference = R"(#pragma once
#include <cmath>
#include <random>
#include "task.h"
#include "utils.h"

static input_t generate_input(int seed, int rows, int cols) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<float> dist(0, 1);
    std::normal_distribution<float> wide;
    std::vector<float> a(rows * cols), b(rows * cols);
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            a[i * cols + j] = dist(rng);
        }
    }
    for (auto& x : b) {
        x = wide(rng);
    }
    return {a, std::move(b), rows};
}

// The reference.
static output_t ref_kernel(input_t data) {
    const auto& [a, b, rows] = data;
    const int count = a.size();
    output_t out(count);
    for (int i = 0; i < count; ++i) {
        out[i] = 0.5f * (a[i] + std::fabs(b[i]));
    }
    return out;
}

static void check_implementation(TestReporter& reporter, const input_t& data, output_t out, float epsilon = 1e-4) {
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

Result<ImportedProblem> imported(const std::string& reference, const std::string& types = cudaTypes,
                                 const std::string& yaml = cudaTask) {
    const CppText::Read files = [&](const std::string& name) -> Result<std::string> {
        if (name == "reference.cuh" || name == "task.h") {
            return name == "task.h" ? types : reference;
        }
        return usageError("is not there", name);
    };
    return problemFromCudaTask(yaml, files, "half_sum", "t");
}

ProblemPack packOf(const ImportedProblem& problem) {
    const auto folder = TemporaryDirectory::create("gks-import-cuda").value();
    const auto written = writeProblem(problem, folder.path() / "pack");
    if (!written) {
        qFatal("%s", written.error().message().c_str());
    }
    return loadProblemPack((folder.path() / "pack").string()).value();
}

std::string refusalOf(const Result<ImportedProblem>& problem) {
    return problem ? "accepted" : problem.error().message();
}

} // namespace

class ImportCudaTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTaskBecomesAPack();
    void whatHasNoFirstKernelIsAPackAsWell();
    void theCostOfASumIsThatOfTheWholeSum();
    void usualFormsAreRead_data();
    void usualFormsAreRead();
    void tolerancesAreRead_data();
    void tolerancesAreRead();
    void whatItCannotSayIsRefused_data();
    void whatItCannotSayIsRefused();
    void hostileCodeIsRefused_data();
    void hostileCodeIsRefused();
    void brokenCodeIsReadOrRefused();
};

void ImportCudaTask::aTaskBecomesAPack() {
    const auto problem = imported(cudaReference);
    QVERIFY2(problem.has_value(), refusalOf(problem).c_str());
    const ProblemPack pack = packOf(*problem);
    QCOMPARE(pack.name, std::string("half-sum"));
    QCOMPARE(pack.title, std::string("Half of the sum."));
    // Arguments are called as ArgumentNames has them, whatever the parameters are.
    QVERIFY(pack.dims == std::vector<std::string>({"m", "n"}));
    QVERIFY(pack.shapesOf(ShapeSet::test) == std::vector<Shape>({{32, 16}, {64, 48}}));
    QVERIFY(pack.shapesOf(ShapeSet::benchmark) == std::vector<Shape>({{512, 256}}));
    QVERIFY(pack.isFree == std::vector<bool>(2, false));
    QCOMPARE(pack.tensors.size(), 3u); // the number is none
    QVERIFY(pack.tensors[0].name == "a" && pack.tensors[0].fill == Fill::uniform);
    QVERIFY(pack.tensors[1].name == "b" && pack.tensors[1].fill == Fill::normal);
    QVERIFY(pack.tensors[2].role == TensorRole::output && pack.tensors[2].type == ElementType::f32);
    for (const TensorSpec& tensor : pack.tensors) {
        QVERIFY(tensor.extents == std::vector<std::string>({"m", "n"}));
    }
    QVERIFY(pack.tolerance == (Tolerance{1e-5, 1e-4, 0}));
    QVERIFY(has(problem->files.at("seeds/naive.hip"), "p.output[i] = 0.5f * (p.a[i] + fabsf(p.b[i]));"));
    // What the harness alone needs is not compiled; the task's own files are kept.
    const std::string& reference = problem->files.at("reference.cpp");
    QVERIFY(has(reference, "#line 24 \"reference.cuh\"\nstatic output_t ref_kernel"));
    QVERIFY(!has(reference, "TestReporter") && !has(reference, "mt19937") && !has(reference, "The reference."));
    QVERIFY(problem->files.at("reference.cuh") == cudaReference && problem->files.at("task.h") == cudaTypes);
    QVERIFY(!problem->files.contains("utils.h"));
}

void ImportCudaTask::whatHasNoFirstKernelIsAPackAsWell() {
    const auto problem = imported(replaced(cudaReference, "std::fabs(b[i])", "b[count - 1 - i]"));
    QVERIFY2(problem.has_value(), refusalOf(problem).c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.seeds.empty());
    QCOMPARE(*pack.bytes({32, 16}), 4.0 * 32 * 16); // what it reads nobody knows
    QVERIFY(std::ranges::any_of(problem->notes, [](const std::string& note) { return has(note, "No first kernel"); }));
}

void ImportCudaTask::theCostOfASumIsThatOfTheWholeSum() {
    for (const bool hasKernel : {true, false}) {
        std::string reference =
            replaced(cudaReference, "a(rows * cols), b(rows * cols);", "a(rows - cols), b(rows - cols);");
        reference = replaced(reference, "int i = 0; i < rows; ++i", "int i = 0; i < rows - cols; ++i");
        reference = replaced(reference, "for (int j = 0; j < cols; ++j) ", "");
        reference = replaced(reference, "a[i * cols + j]", "a[i]");
        const auto problem =
            imported(hasKernel ? reference : replaced(reference, "fabs(b[i])", "fabs(b[count - 1 - i])"));
        QVERIFY2(problem.has_value(), refusalOf(problem).c_str());
        const ProblemPack pack = packOf(*problem);
        QCOMPARE(pack.seeds.empty(), !hasKernel);
        QCOMPARE(*pack.bytes({32, 16}), (hasKernel ? 12.0 : 4.0) * 16);
        QCOMPARE(*pack.flops({32, 16}), 16.0);
    }
}

void ImportCudaTask::usualFormsAreRead_data() {
    QTest::addColumn<std::string>("types");
    QTest::addColumn<std::string>("generate");
    QTest::addColumn<std::string>("kernel");
    QTest::addColumn<std::string>("tensors"); // as "name type[extents]fill", the last is the output
    const auto row = [](const char* name, const std::string& types, const std::string& generate,
                        const std::string& kernel,
                        const std::string& tensors) { QTest::newRow(name) << types << generate << kernel << tensors; };
    const std::string one = "using input_t = std::vector<float>; using output_t = input_t;";
    const std::string drawn =
        "std::mt19937 rng{std::random_device{}()}; std::normal_distribution<float> d(0.0f, 1.f); ";
    row("identity", one, "input_t data; data.resize(size); for (int j = 0; j < size; j++) data[j] = 1.0f; return data;",
        "return (output_t) data;", "data f32[size]ones output f32[size]");
    row("zeros that nobody writes", one, "return_(size)", "return data;", "");
    row("length and value", "typedef std::vector<double> input_t; typedef double output_t;",
        "input_t data(size + 1, 1.0); return data;", "double s = 0; for (auto x : data) s += x; return s;",
        "data f64[size+1]ones output f64[1]");
    row("a constant", "#define TAPS 3\nconstexpr int N = 2;\n" + one,
        drawn + "const size_t total = static_cast<size_t>(size) * TAPS * N; input_t data(total);"
                " std::generate(data.begin(), data.end(), [&]() { return d(rng); }); return data;",
        "output_t out; out.resize(data.size()); return out;", "data f32[size*3*2]normal output f32[size*3*2]");
    row("a constant twice", "namespace { constexpr int N = 2; } struct C { static constexpr int N = 2; };\n" + one,
        "input_t data(size * N, 1); return data;", "return data;", "data f32[size*2]ones output f32[size*2]");
    row("a distribution twice", one,
        drawn + "input_t data(size); { std::normal_distribution<float> d(0, 1); for (auto& x : data) x = d(rng); }"
                " return data;",
        "return data;", "data f32[size]normal output f32[size]");
    row("rand", one,
        "srand(seed); input_t data(size); for (int i = 0; i < data.size(); ++i) { data[i] = (float)rand() / RAND_MAX; }"
        " return data;",
        "return data;", "data f32[size]uniform output f32[size]");
    row("bounds", one,
        "std::mt19937 rng(seed); std::uniform_real_distribution<float> d(-2.0f, 2.0f); input_t data(size);"
        " for (auto& x : data) x = d(rng); return data;",
        "return data;", "data f32[size]uniform*4-2 output f32[size]");
    row("multiplied and moved", one,
        drawn + "input_t data(size); for (auto& x : data) x = 1.5f - 0.5f * d(rng); return data;", "return data;",
        "data f32[size]normal*-0.5+1.5 output f32[size]");
    row("quotients", "#define PARTS 2\n" + one,
        drawn + "input_t data((size + 3) / 4); for (auto& x : data) x = d(rng); return data;",
        "output_t out(data.size() / PARTS); return out;",
        "data f32[floor((size+3)/4)]normal output f32[floor((floor((size+3)/4))/2)]");
    row("pair", "using input_t = std::pair<std::vector<float>, std::vector<int>>; using output_t = std::vector<float>;",
        drawn + "input_t data; data.first.resize(size); data.second.resize(4 * size);"
                " for (auto& x : data.first) x = d(rng); return data;",
        "return data.first;", "input0 f32[size]normal input1 i32[4*size]zeros output f32[size]");
    row("aliases", "using input_t = std::tuple<std::vector<float>, std::vector<float>>; using output_t = input_t;",
        "input_t data; auto& [x, y] = data; x.resize(size); y.resize((size + 2) * size); return data;",
        "auto& second = std::get<1>(data); int n = second.size(); output_t out; std::get<0>(out).resize(n);"
        " std::get<1>(out).resize(std::get<0>(data).size()); return out;",
        "x f32[size]zeros y f32[(size+2)*size]zeros output0 f32[(size+2)*size] output1 f32[size]");
    row("array", "using input_t = std::array<std::vector<float>, 2>; using output_t = std::vector<float>;",
        drawn + "input_t data; data[0].resize(size); data[1].resize(size);"
                " for (int i = 0; i < size; ++i) { data[0][i] = d(rng); data[1][i] = 0; } return data;",
        "std::vector<float> out(data[0].size()); return out;", "");
}

void ImportCudaTask::usualFormsAreRead() {
    QFETCH(const std::string, types);
    QFETCH(const std::string, generate);
    QFETCH(const std::string, kernel);
    QFETCH(const std::string, tensors);
    const std::string header =
        "#include <array>\n" + types + "\nconst std::array<const char*, 2> ArgumentNames = {{\"seed\", \"size\"}};\n";
    const std::string reference = "#include \"task.h\"\nstatic input_t generate_input(int seed, int size) { " +
                                  generate + " }\nstatic output_t ref_kernel(input_t data) { " + kernel + " }\n";
    const auto problem =
        imported(reference, header,
                 "tests:\n  - {size: 8, seed: 1}\n  - {size: 24, seed: 1}\nbenchmarks:\n  - {size: 64, seed: 1}\n");
    if (tensors.empty()) {
        QVERIFY2(!problem, "accepted");
        QVERIFY2(has(refusalOf(problem), "t/reference.cuh:"), refusalOf(problem).c_str());
        return;
    }
    QVERIFY2(problem.has_value(), refusalOf(problem).c_str());
    std::string found;
    for (const TensorSpec& tensor : packOf(*problem).tensors) {
        static constexpr std::array fills = {"normal", "uniform", "zeros", "ones"};
        std::string extents;
        for (const std::string& extent : tensor.extents) {
            extents += (extents.empty() ? "" : "*") + extent;
        }
        found += (found.empty() ? "" : " ") + tensor.name + " " + std::string(name(tensor.type)) + "[" + extents + "]" +
                 (tensor.role == TensorRole::input ? fills[static_cast<std::size_t>(tensor.fill)] : "") +
                 (tensor.scale == 1 && tensor.offset == 0 ? "" : fmt::format("*{}{:+}", tensor.scale, tensor.offset));
    }
    QCOMPARE(found, tensors);
}

void ImportCudaTask::tolerancesAreRead_data() {
    QTest::addColumn<std::string>("condition");
    QTest::addColumn<double>("absolute");
    QTest::addColumn<double>("relative");
    QTest::newRow("default") << std::string("std::fabs(ref[j] - out[j]) > epsilon") << 1e-4 << 1e-5;
    QTest::newRow("number") << std::string("std::abs(ref[j] - out[j]) > 2e-3f") << 2e-3 << 1e-5;
    QTest::newRow("both") << std::string("fabs(ref[j] - out[j]) > 1e-3 + 1e-2 * std::fabs(ref[j])") << 1e-3 << 1e-2;
    QTest::newRow("relative") << std::string("fabs(ref[j] - out[j]) > epsilon * std::fabs(ref[j])") << 0.0 << 1e-4;
    QTest::newRow("the other way round") << std::string("std::fabs(out[j] - ref[j]) >= epsilon") << 1e-4 << 1e-5;
    QTest::newRow("with casts") << std::string("std::fabs((double)ref[j] - static_cast<double>(out[j])) > epsilon")
                                << 1e-4 << 1e-5;
    QTest::newRow("by names")
        << std::string("out.size() != ref.size()) { reporter.fail() << \"size\"; return; } const float x = ref[j]; "
                       "float diff = std::fabs(x - out[j]); if (diff > epsilon")
        << 1e-4 << 1e-5;
    // Another comparison is not taken over, and what stands there then is a guess.
    QTest::newRow("equal") << std::string("ref[j] != out[j]") << 1e-6 << 1e-4;
    const auto guessed = [](const char* name, const char* condition) {
        QTest::newRow(name) << std::string(condition) << 1e-6 << 1e-4;
    };
    guessed("either", "std::fabs(ref[j] - out[j]) > 0.5f || std::fabs(ref[j] - out[j]) > 1e-4f * std::fabs(ref[j])");
    guessed("both at once", "std::fabs(ref[j] - out[j]) > 1e-6f && ref[j] > 0");
    guessed("of a quotient", "std::fabs(out[j] / ref[j] - 1.0f) > 1e-4f");
    guessed("of logarithms", "std::fabs(std::log(ref[j]) - std::log(out[j])) > epsilon");
    guessed("of other elements", "std::fabs(ref[j] - out[j + 1]) > epsilon");
    guessed("of the same", "std::fabs(ref[j] - ref[j]) > epsilon");
    guessed("of a third", "std::fabs(ref[j] - out[j] - 1) > epsilon");
    guessed("a multiple", "0.01f * std::fabs(ref[j] - out[j]) > epsilon");
    guessed("cut to whole numbers", "std::fabs((int)ref[j] - (int)out[j]) > epsilon");
    guessed("a multiple of the element", "fabs(ref[j] - out[j]) > epsilon * std::fabs(ref[j]) * 5");
    guessed("relative to something else", "fabs(ref[j] - out[j]) > epsilon * std::fabs(std::log(ref[j]))");
    guessed("another first", "ref[j] / out[j] > 2) { reporter.fail(); } if (std::fabs(ref[j] - out[j]) > epsilon");
    guessed("of some", "true) { if (ref[j] > 1) continue; } if (std::fabs(ref[j] - out[j]) > epsilon");
    guessed("changed before", "(out[j] = std::log(out[j])) == 0) {} if (std::fabs(ref[j] - out[j]) > epsilon");
    guessed("of no difference", "std::fabs(ref[j]) > 0.5f");
    guessed("of a name that changes", "(epsilon = 1, std::fabs(ref[j] - out[j])) > epsilon");
    guessed("turned round", "!(std::fabs(ref[j] - out[j]) > epsilon)");
    QTest::newRow("scaled") << std::string("std::fabs(ref[j] - out[j]) > epsilon * ref.size()") << 1e-6 << 1e-4;
}

void ImportCudaTask::tolerancesAreRead() {
    QFETCH(const std::string, condition);
    QFETCH(const double, absolute);
    QFETCH(const double, relative);
    const auto problem = imported(replaced(cudaReference, "std::fabs(ref[j] - out[j]) > epsilon", condition));
    QVERIFY2(problem.has_value(), refusalOf(problem).c_str());
    const Tolerance read = packOf(*problem).tolerance;
    QCOMPARE(read.absolute, absolute);
    QCOMPARE(read.relative, relative);
    const bool isTaken = absolute != 1e-6;
    QVERIFY(has(problem->files.at("notes.md"), "Another comparison is not taken over") != isTaken);
}

void ImportCudaTask::whatItCannotSayIsRefused_data() {
    QTest::addColumn<std::string>("reference");
    QTest::addColumn<std::string>("types");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const std::string& from, const std::string& to, const std::string& said) {
        QTest::newRow(name) << replaced(cudaReference, from, to) << cudaTypes << said;
    };
    const auto typeRow = [](const char* name, const std::string& from, const std::string& to, const std::string& said) {
        QTest::newRow(name) << cudaReference << replaced(cudaTypes, from, to) << said;
    };
    row("no reference", "output_t ref_kernel(", "output_t other(", "no function called ref_kernel");
    row("twice", "// The reference.", "static output_t ref_kernel(input_t data) { return {}; }", "more than once");
    row("bounds", "dist(0, 1)", "dist(1, 1)", "t/reference.cuh:9: generate_input draws from uniform_real");
    row("bounds that are no numbers", "dist(0, 1)", "dist(0, seed)", "no plain numbers");
    row("whole numbers", "uniform_real_distribution<float>", "uniform_int_distribution<int>", "uniform_int");
    row("two lengths", "for (auto& x : b) {", "b.resize(rows);\n    for (auto& x : b) {", "gives b a second length");
    row("dead code", "for (auto& x : b) {", "#if 0\n    b.resize(3);\n#endif\n    for (auto& x : b) {",
        "has a condition of the preprocessor that is no guard");
    row("one of two constants", "// The reference.", "#ifdef WIDE\nconstexpr int pad = 4;\n#endif",
        "has a condition of the preprocessor that is no guard");
    row("length with a rest", "a(rows * cols)", "a(rows / cols)", "divides a length by something else than a number");
    row("length over nothing", "a(rows * cols)", "a(rows / 0)", "divides a length");
    row("length of elsewhere", "a(rows * cols)", "a(depth)", "with depth, which does not follow");
    row("half of it", "j < cols;", "j < rows;", "in other steps");
    row("backwards", "for (int i = 0; i < rows; ++i) {\n        for", "for (int i = rows; i > 0; --i) {\n        for",
        "does not begin at 0");
    row("values computed", "= dist(rng)", "= dist(rng) * i", "gives a the values dist ( rng ) * i");
    row("a distribution of two blocks", "for (auto& x : b) {",
        "{ std::normal_distribution<float> dist(0, 500); }\n    for (auto& x : b) {",
        "t/reference.cuh:17: generate_input defines dist more than once");
    row("two distributions at once", "dist(0, 1);", "dist(0, 1), wide(0, 500);", "a distribution that cannot be read");
    row("a vector of two blocks", "for (auto& x : b) {", "{ auto& a = b; }\n    for (auto& x : b) {",
        "t/reference.cuh:17: generate_input defines a more than once");
    const auto padded = [&](const char* name, const std::string& code, const std::string& length,
                            const std::string& said) {
        QTest::newRow(name) << replaced(
                                   replaced(cudaReference, "#include \"utils.h\"", "#include \"utils.h\"\n" + code),
                                   "a(rows * cols)", "a(" + length + ")")
                            << cudaTypes << said;
    };
    const std::string ofAClass = "struct Config { static constexpr int TILE = 8; };";
    padded("a constant of two scopes", "constexpr int TILE = 4; " + ofAClass, "rows / TILE",
           "t/reference.cuh:12: divides a length by TILE, which is defined more than once");
    padded("one of them unread", ofAClass + " constexpr int TILE = 2 * 2;", "rows * TILE",
           "t/reference.cuh:12: computes a length with TILE, which is defined more than once");
    padded("of two namespaces", "namespace a { constexpr int TILE = 4; } namespace b { constexpr int TILE = 8; }",
           "rows * TILE", "with TILE, which is defined more than once");
    padded("a constant and a macro", "constexpr int TILE = 4;\n#define TILE 8", "rows * TILE",
           "with TILE, which is defined more than once");
    padded("a constant of a class alone", ofAClass, "rows * TILE", "with TILE, which does not follow");
    padded("two macros", "#define TILE 4\n#define TILE 8", "rows * TILE",
           "t/reference.cuh:7: defines the macro TILE more than once");
    row("a cast to whole numbers", "= dist(rng)", "= static_cast<int>(dist(rng))",
        "t/reference.cuh:14: generate_input gives a the values static_cast < int > ( dist ( rng ) )");
    row("a cast of a factor", "= dist(rng)", "= 2 * (int)dist(rng)", "t/reference.cuh:14: generate_input gives a the");
    row("a cast of rand", "= dist(rng)", "= (int)(float)rand() / RAND_MAX", "t/reference.cuh:14: generate_input gives");
    row("a cast of a number", "= dist(rng)", "= (int)1.5f * dist(rng)", "t/reference.cuh:14: generate_input gives");
    row("condition", "std::vector<float> a(", "if (seed) rows = 3;\n    std::vector<float> a(", "uses if");
    row("another value", "std::vector<float> a(", "rows = 3;\n    std::vector<float> a(", "gives rows another value");
    row("function", "std::vector<float> a(", "prepare(rng);\n    std::vector<float> a(", "cannot be read: prepare");
    row("another number", "std::move(b), rows}", "std::move(b), seed}", "the argument seed, which is no part");
    row("length of the output", "const int count = a.size();", "int count = a.size(); count -= 1;", "cannot be read");
    row("parameters", "ref_kernel(input_t data)", "ref_kernel(input_t data, int n)", "another number of parameters");
    typeRow("class", "using output_t = vec;", "struct output_t { float x; };", "makes output_t a class");
    typeRow("type", "std::vector<float>;", "std::vector<half>;", "has the type half");
    typeRow("whole output", "using output_t = vec;", "using output_t = std::vector<int>;", "no output can be");
    typeRow("vector of vectors", "std::vector<float>;", "std::vector<std::vector<float>>;", "something else than");
    typeRow(
        "depth", "std::vector<float>;",
        [] {
            std::string deep;
            for (int i = 0; i < 5000; ++i) {
                deep += "std::vector<";
            }
            return deep + "float" + std::string(5000, '>') + ";";
        }(),
        "is too deep");
    typeRow("itself", "using vec = std::vector<float>;", "using vec = vec;", "is too deep");
    typeRow("no names", "ArgumentNames", "Names", "what the arguments are called");
    typeRow("fewer names", "{\"seed\", \"m\", \"n\"}", "{\"seed\", \"m\"}", "3 parameters where ArgumentNames has 2");
    typeRow("other names", "\"n\"", "\"k\"", "\"tests\" in which k is no extent");
}

void ImportCudaTask::whatItCannotSayIsRefused() {
    QFETCH(const std::string, reference);
    QFETCH(const std::string, types);
    QFETCH(const std::string, said);
    const auto problem = imported(reference, types);
    QVERIFY2(has(refusalOf(problem), said), refusalOf(problem).c_str());
    QVERIFY(problem || problem.error().kind == ErrorKind::usage);
}

void ImportCudaTask::hostileCodeIsRefused_data() {
    QTest::addColumn<std::string>("code"); // in the place of the comment before ref_kernel, line 23
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const std::string& code, const std::string& said) {
        QTest::newRow(name) << code << said;
    };
    row("file of the system", "#include \"/etc/passwd\"", "t/reference.cuh:23: includes \"/etc/passwd\"");
    row("folder above", "#include \"../x.h\"", "includes \"../x.h\"");
    row("hidden", "#include \".x.h\"", "includes \".x.h\"");
    row("what a pack is made of", "#include \"notes.md\"", "includes \"notes.md\"");
    row("what is not there", "#include \"x.h\"", "x.h: is not there");
    row("header of elsewhere", "#include <sys/ptrace.h>", "includes <sys/ptrace.h>");
    row("by macro", "#include NAME", "only a compiler could say");
    row("behind a comment", "/* */ # /* */ include \"/etc/passwd\"", "includes \"/etc/passwd\"");
    row("digraph", "%:include \"/etc/passwd\"", "has a character");
    row("continued", "#inc\\\nlude \"/etc/passwd\"", "includes \"/etc/passwd\"");
    row("embedded", "const unsigned char secret[] = {\n#embed \"/etc/shadow\"\n};",
        "t/reference.cuh:24: has the directive #embed");
    row("next", "#include_next <vector>", "has the directive #include_next");
    row("line", "#line 1 \"/etc/passwd\"", "has the directive #line");
    row("asked", "#if __has_include(\"/etc/passwd\")\n#endif", "uses __has_include");
    row("constructor", "__attribute__((constructor)) static void first() {}", "uses __attribute__");
    row("assembly", "asm(\".incbin \\\"/etc/passwd\\\"\");", "uses asm");
    row("pragma", "_Pragma(\"once\") int x;", "uses _Pragma");
    row("device", "__global__ void k(float* x) {}", "uses __global__, which is code for a device");
    row("launch", "void run() { k<<<1, 1>>>(0); }", "uses <<<");
    row("runtime", "void run() { void* p; cudaMalloc(&p, 4); }", "uses cudaMalloc");
    row("runtime by macro", "#define RUN hipMalloc", "uses hipMalloc in a directive");
    row("raw text", "const char* s = R\"(\n#include \"x\"\n)\";", "has a raw text");
    row("open text", "const char* s = \"abc;", "does not end on its line");
    row("open comment", "/* ", "a comment that never ends");
    row("open bracket", "void f() { (((", "bracket");
    row("bytes", "// \xff\xfe", "is no text");
    row("nothing", std::string("// \0", 4), "is no text");
    row("length", "// " + std::string(200000, 'x'), "KiB");
    row("tokens", std::string(100000, ';'), "is too long");
    row("depth", "int x = " + std::string(30000, '(') + ";", "bracket");
}

void ImportCudaTask::hostileCodeIsRefused() {
    QFETCH(const std::string, code);
    QFETCH(const std::string, said);
    const auto problem = imported(replaced(cudaReference, "// The reference.", code));
    QVERIFY2(has(refusalOf(problem), said), refusalOf(problem).substr(0, 300).c_str());
    QVERIFY(problem || problem.error().kind == ErrorKind::usage);
    // Lengths are bounded as well.
    const auto sums = imported(replaced(cudaReference, "a(rows * cols)",
                                        "a(" + std::string(5000, '(') + "rows" + std::string(5000, ')') + ")"));
    QVERIFY2(has(refusalOf(sums), "cannot be read"), refusalOf(sums).substr(0, 300).c_str());
}

// Cut at every byte, and without each of its words: an answer comes of all.
void ImportCudaTask::brokenCodeIsReadOrRefused() {
    int taken = 0;
    for (std::size_t end = 0; end < cudaReference.size(); ++end) {
        taken += imported(cudaReference.substr(0, end)) ? 1 : 0;
    }
    const std::size_t check = cudaReference.find("static void check_implementation");
    QVERIFY(taken > 0 && static_cast<std::size_t>(taken) < cudaReference.size() - check + 3);
    for (std::size_t begin = 0; begin < cudaReference.size();) {
        const std::size_t end = std::min(cudaReference.find_first_of(" \n(;", begin + 1), cudaReference.size());
        const auto problem = imported(cudaReference.substr(0, begin) + cudaReference.substr(end));
        QVERIFY(problem || problem.error().kind == ErrorKind::usage);
        begin = end;
    }
}

QTEST_APPLESS_MAIN(ImportCudaTask)
#include "import_cuda_task.moc"
