// SPDX-License-Identifier: GPL-3.0-or-later
// The reference of a problem pack, asked in a process of its own behind the wall: what it answers, and what a hostile
// or broken one can and cannot do.
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/evaluator/refusal.h"
#include "core/judge/evaluator/trial/reference.h"
#include "tests/support/problem_inputs.h"

#include <QTest>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <future>

using namespace gks;
using namespace gks::test;

namespace {

namespace fs = std::filesystem;

Reference::Options options(double answerSeconds = 60) {
    return {availableSandbox().level, false, std::chrono::duration<double>(answerSeconds)};
}

ProblemPack packOf(const char* name) {
    auto pack = loadProblemPack(name);
    if (!pack) {
        qFatal("%s", pack.error().message().c_str());
    }
    return std::move(*pack);
}

// Bodies of a reference of row-softmax; `prelude` stands before the function.
struct Written {
    TemporaryDirectory folder;
    ProblemPack pack;
};
Written softmaxWith(const std::string& prelude, const std::string& body) {
    auto folder = TemporaryDirectory::create("gks-oracle-test");
    ProblemPack pack = packOf("row-softmax");
    pack.referencePath = folder->path() / "reference.cpp";
    const std::string source = fmt::format(
        "#include <cerrno>\n#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include "
        "<fcntl.h>\n#include <sys/mman.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"
        "// {}\n{}\nextern \"C\" void reference(const void* const* tensors, const int64_t* dims, int output, int64_t "
        "begin,"
        " int64_t end, double* expected) {{\n  (void)tensors; (void)dims; (void)output; (void)begin; (void)end;"
        " (void)expected;\n{}\n}}\n",
        folder->path().string(), prelude, body); // the folder: nothing of an earlier run in the cache of references
    if (!writeFileAtomically(pack.referencePath, source)) {
        qFatal("cannot write");
    }
    return {std::move(*folder), std::move(pack)};
}

const Shape smallShape = {4, 8};

Result<std::vector<double>> expectedOf(const Reference& reference, const Shape& dims, const Inputs& inputs,
                                       std::size_t tensorIndex, std::int64_t begin, std::int64_t end) {
    GKS_TRY_ASSIGN(const auto outputs, reference.prepare(dims, inputs.spans, Fp8Encoding::fnuz));
    return outputs->range(tensorIndex, begin, end);
}

Result<std::vector<double>> answers(const ProblemPack& pack, const Reference::Options& how) {
    const Inputs inputs = makeInputs(pack, smallShape, Distribution::asDeclared);
    GKS_TRY_ASSIGN(const auto reference, Reference::load(pack, how));
    return expectedOf(*reference, smallShape, inputs, 1, 0, 32);
}

} // namespace

class JudgeOracle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (availableSandbox().level == SandboxLevel::none) {
            QSKIP("no sandbox works here, and a reference runs in one");
        }
    }
    void referenceAgreesWithATripleLoop_data();
    void referenceAgreesWithATripleLoop();
    void magnitudesAreOfTheTerms();
    void whoHasNoMagnitudeSaysSo();
    void referenceRefusesWrongRequests();
    void slicesAreTheWhole();
    void inputsAreReplaced();
    void newInputsAreAnnounced();
    void severalThreadsAsk();
    void oneProcessServesAllOfAPack();
    void hostileReferenceReachesNothing();
    void hostileSourceReadsNothing();
    void inputsCannotBeChanged();
    void brokenReferenceIsAnErrorOfThePack_data();
    void brokenReferenceIsAnErrorOfThePack();
    void cancelEndsAnAnswerInFlight();
};

void JudgeOracle::referenceAgreesWithATripleLoop_data() {
    QTest::addColumn<std::vector<qint64>>("shape");
    QTest::addColumn<int>("distribution");
    for (const Distribution distribution : {Distribution::asDeclared, Distribution::wideRange,
                                            Distribution::structuredZeros, Distribution::extremeScales}) {
        QTest::newRow(std::string(name(distribution)).c_str())
            << std::vector<qint64>{32, 192, 384} << int(distribution);
    }
}

void JudgeOracle::referenceAgreesWithATripleLoop() {
    QFETCH(std::vector<qint64>, shape);
    QFETCH(int, distribution);
    const ProblemPack pack = fp8Gemm();
    const auto reference = Reference::load(pack, options());
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().message().c_str());
    const Shape dims(shape.begin(), shape.end());
    const Inputs inputs = makeInputs(pack, dims, Distribution(distribution));
    const auto m = std::size_t(dims[0]), n = std::size_t(dims[1]), k = std::size_t(dims[2]),
               scaleColumns = (n + 127) / 128;
    const auto expected = expectedOf(**reference, dims, inputs, 4, 0, dims[0] * dims[1]);
    QVERIFY(expected.has_value());
    const auto element = [&](std::size_t tensor, std::size_t index) {
        const ElementType type = pack.tensors[tensor].type;
        return decodeElement(type, Fp8Encoding::fnuz, inputs.spans[tensor].data() + index * sizeBytes(type));
    };
    for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            double sum = 0;
            double magnitude = 0;
            for (std::size_t i = 0; i < k; ++i) {
                const double term = element(0, i * m + row) * element(1, i * n + column) *
                                    element(2, i / 128 * m + row) * element(3, i / 128 * scaleColumns + column / 128);
                sum += term;
                magnitude += std::abs(term);
            }
            QVERIFY(std::abs((*expected)[row * n + column] - sum) <= 1e-6 * magnitude);
        }
    }
    const auto outputs = (*reference)->prepare(dims, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY(outputs.has_value());
    const std::vector<std::int64_t> indices = {0, 191, 192, 200, 6143};
    const auto samples = (*outputs)->at(4, indices);
    QVERIFY(samples.has_value());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        QVERIFY(std::abs((*samples)[i] - (*expected)[std::size_t(indices[i])]) <=
                1e-5 * std::abs((*samples)[i]) + 1e-5);
    }
}

void JudgeOracle::magnitudesAreOfTheTerms() {
    const ProblemPack pack = packOf("fp8-gemm-native");
    QCOMPARE(pack.tolerance.ofMagnitude, 1.0 / 2048);
    const auto reference = Reference::load(pack, options());
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().message().c_str());
    const Shape dims = {32, 96, 128};
    const Inputs inputs = makeInputs(pack, dims, Distribution::asDeclared);
    const auto outputs = (*reference)->prepare(dims, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY(outputs.has_value());
    using Asked = ExpectedOutputs::Asked;
    const auto values = (*outputs)->range(4, 0, dims[0] * dims[1]);
    const auto magnitudes = (*outputs)->range(4, 0, dims[0] * dims[1], Asked::magnitudes);
    const auto one = (*outputs)->at(4, std::vector<std::int64_t>{700}, Asked::magnitudes);
    QVERIFY(values.has_value() && magnitudes.has_value() && one.has_value());
    QCOMPARE(one->front(), magnitudes->at(700));
    const auto decoded = [&](std::size_t tensor, std::int64_t at) {
        return decodeElement(pack.tensors[tensor].type, Fp8Encoding::fnuz,
                             inputs.spans[tensor].data() + std::size_t(at) * sizeBytes(pack.tensors[tensor].type));
    };
    bool cancels = false;
    for (std::int64_t i = 0; i < dims[0] * dims[1]; i += 37) {
        const std::int64_t row = i / dims[1], column = i % dims[1];
        double sum = 0;
        for (std::int64_t k = 0; k < dims[2]; ++k) {
            sum += std::abs(decoded(0, k * dims[0] + row) * decoded(1, k * dims[1] + column));
        }
        const double wanted = sum * std::abs(decoded(2, row) * decoded(3, column / 128));
        QVERIFY(std::abs(magnitudes->at(std::size_t(i)) - wanted) <= 1e-5 * wanted);
        cancels = cancels || std::abs(values->at(std::size_t(i))) < 0.5 * wanted;
    }
    QVERIFY(cancels); // else it would say nothing
}

void JudgeOracle::whoHasNoMagnitudeSaysSo() {
    const Written written = softmaxWith("", "  for (int64_t i = begin; i < end; ++i) { expected[i - begin] = 0; }");
    const Inputs inputs = makeInputs(written.pack, smallShape, Distribution::asDeclared);
    const auto reference = Reference::load(written.pack, options());
    QVERIFY(reference.has_value());
    const auto outputs = (*reference)->prepare(smallShape, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY(outputs.has_value());
    const auto asked = (*outputs)->range(1, 0, 32, ExpectedOutputs::Asked::magnitudes);
    QVERIFY(!asked.has_value());
    QVERIFY2(asked.error().message().find("magnitude(...)") != std::string::npos, asked.error().message().c_str());
}

void JudgeOracle::referenceRefusesWrongRequests() {
    const ProblemPack pack = fp8Gemm();
    const auto reference = Reference::load(pack, options());
    QVERIFY(reference.has_value());
    const Shape shape = {64, 64, 128};
    const Inputs inputs = makeInputs(pack, shape, Distribution::asDeclared);
    QVERIFY(expectedOf(**reference, shape, inputs, 4, 4090, 4096).has_value());
    QVERIFY(!expectedOf(**reference, shape, inputs, 4, 4090, 4097));
    QVERIFY(!expectedOf(**reference, shape, inputs, 0, 0, 1));
    QVERIFY(!expectedOf(**reference, {64, 64, 256}, inputs, 4, 0, 1));
    QVERIFY(!expectedOf(**reference, {64, 64}, inputs, 4, 0, 1));
    ProblemPack empty = pack;
    empty.referencePath = pack.folder / "notes.md";
    const auto broken = Reference::load(empty, options());
    QVERIFY(!broken);
    QCOMPARE(broken.error().kind, ErrorKind::usage);
}

void JudgeOracle::slicesAreTheWhole() {
    const ProblemPack pack = packOf("row-softmax");
    const Shape wide = {300, 257};
    const Inputs inputs = makeInputs(pack, wide, Distribution::asDeclared);
    const auto reference = Reference::load(pack, options());
    QVERIFY(reference.has_value());
    const auto outputs = (*reference)->prepare(wide, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY2(outputs.has_value(), outputs ? "" : outputs.error().message().c_str());
    const auto whole = (*outputs)->range(1, 0, 300 * 257);
    QVERIFY(whole.has_value());
    std::vector<std::int64_t> all; // more than one request has room for
    for (std::int64_t i = 300 * 257 - 1; i >= 0; --i) {
        all.push_back(i);
    }
    QVERIFY(all.size() > oracle::sliceLimit);
    const auto singles = (*outputs)->at(1, all);
    QVERIFY(singles.has_value());
    QVERIFY(std::equal(whole->begin(), whole->end(), singles->rbegin()));
    const std::int64_t last = 300 * 257 - 1;
    QCOMPARE((*outputs)->at(1, std::span(&last, 1))->front(), whole->back());
    QCOMPARE((*outputs)->range(1, 5, 5)->size(), std::size_t{0});
    std::vector<std::int64_t> runs; // of 16, with gaps between them
    for (std::int64_t i = 0; i < 300 * 257; i += i % 16 == 15 ? 8 : 1) {
        runs.push_back(i);
    }
    const auto inRuns = (*outputs)->at(1, runs);
    QVERIFY(inRuns.has_value());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        QCOMPARE((*inRuns)[i], (*whole)[static_cast<std::size_t>(runs[i])]);
    }
}

void JudgeOracle::inputsAreReplaced() {
    const ProblemPack pack = packOf("fp8-gemm");
    const Shape dims = {8, 8, 128};
    const Inputs first = makeInputs(pack, dims, Distribution::asDeclared);
    const Inputs second = makeInputs(pack, dims, Distribution::wideRange);
    const auto reference = Reference::load(pack, options());
    QVERIFY(reference.has_value());
    const auto outputs = (*reference)->prepare(dims, first.spans, Fp8Encoding::fnuz);
    const auto ofFirst = (*outputs)->range(4, 0, 64);
    QVERIFY((*outputs)->replaceInputs(second.spans).has_value());
    const auto ofSecond = (*outputs)->range(4, 0, 64);
    QVERIFY(ofFirst && ofSecond && *ofFirst != *ofSecond);
    QCOMPARE(*ofSecond, *expectedOf(**reference, dims, second, 4, 0, 64));
    QVERIFY(!(*outputs)->replaceInputs({second.spans[0]}).has_value());
}

// A reference that computes whole outputs may keep them for as long as nothing can have changed: one request.
void JudgeOracle::newInputsAreAnnounced() {
    const Written written = softmaxWith("int told = 0;\nextern \"C\" void new_inputs() { ++told; }\n",
                                        "for (int64_t i = begin; i < end; ++i) expected[i - begin] = told;");
    const Inputs inputs = makeInputs(written.pack, smallShape, Distribution::asDeclared);
    const auto reference = Reference::load(written.pack, options());
    QVERIFY2(reference.has_value(), reference ? "" : reference.error().message().c_str());
    const auto outputs = (*reference)->prepare(smallShape, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY2(outputs.has_value(), outputs ? "" : outputs.error().message().c_str());
    QVERIFY((*outputs)->range(1, 0, 32).value() == std::vector<double>(32, 1)); // several slices of one request
    QVERIFY((*outputs)->replaceInputs(inputs.spans).has_value());
    const std::vector<std::int64_t> places = {3, 9, 30};
    QVERIFY((*outputs)->at(1, places).value() == std::vector<double>(3, 2));
}

void JudgeOracle::severalThreadsAsk() {
    const ProblemPack pack = packOf("row-softmax");
    const auto reference = Reference::load(pack, options());
    QVERIFY(reference.has_value());
    std::vector<std::future<bool>> asked;
    for (int rows = 1; rows <= 6; ++rows) {
        asked.push_back(std::async(std::launch::async, [&pack, &reference, rows] {
            const Shape own = {rows, 64};
            const Inputs inputs = makeInputs(pack, own, Distribution::asDeclared);
            for (int i = 0; i < 20; ++i) {
                const auto got = expectedOf(**reference, own, inputs, 1, 0, rows * 64);
                double sum = 0;
                for (const double value : got.value_or(std::vector<double>())) {
                    sum += value;
                }
                if (std::abs(sum - rows) > 1e-9) { // every row of a softmax sums to one
                    return false;
                }
            }
            return true;
        }));
    }
    for (auto& one : asked) {
        QVERIFY(one.get());
    }
}

void JudgeOracle::oneProcessServesAllOfAPack() {
    const Written written =
        softmaxWith("", "expected[0] = getppid() * 0 + getpid(); static int calls; expected[1] = ++calls;");
    const auto first = Reference::load(written.pack, options());
    QVERIFY2(first.has_value(), first ? "" : first.error().message().c_str());
    const Inputs inputs = makeInputs(written.pack, smallShape, Distribution::asDeclared);
    const auto ask = [&](const auto& reference) {
        return expectedOf(**reference, smallShape, inputs, 1, 0, 32).value_or(std::vector<double>(2));
    };
    QCOMPARE(ask(first)[1], 1.0);
    const auto second = Reference::load(written.pack, options(), *first);
    QCOMPARE(ask(second)[1], 2.0);
    (*second)->interrupt(); // what was cancelled is not asked again
    const auto third = Reference::load(written.pack, options(), *second);
    QCOMPARE(ask(third)[1], 1.0);
}

// Everything is tried when it is loaded and again when it is called; the answers say what went well.
void JudgeOracle::hostileReferenceReachesNothing() {
    const auto outside = TemporaryDirectory::create("gks-oracle-outside");
    QVERIFY(outside.has_value());
    QVERIFY(writeFileAtomically(outside->path() / "private", "x").has_value());
    qputenv("GKS_TEST_SECRET", "a key");
    const std::string prelude = fmt::format(
        "static double done[6];\n"
        "static int attempt = [] {{\n"
        "  FILE* file = fopen(\"{0}/written\", \"w\"); done[0] += file != nullptr; if (file) fclose(file);\n"
        "  done[1] += open(\"{0}/private\", O_RDONLY) >= 0;\n"
        "  done[2] += getenv(\"GKS_TEST_SECRET\") != nullptr || getenv(\"HOME\") != nullptr;\n"
        "  done[3] += socket(AF_INET, SOCK_STREAM, 0) >= 0;\n"
        "  done[4] += open(\"/etc/passwd\", O_RDONLY) >= 0;\n"
        "  const pid_t child = fork(); if (child == 0) _exit(0); done[5] += child > 0;\n"
        "  return 0; }}();\n",
        outside->path().string());
    const Written written =
        softmaxWith(prelude, "for (int i = 0; i < 6; ++i) expected[i] = done[i] + attempt; expected[6] = 7;");
    const auto said = answers(written.pack, options());
    qunsetenv("GKS_TEST_SECRET");
    QVERIFY2(!fs::exists(outside->path() / "written"), "the reference wrote a file outside of the sandbox");
    QVERIFY2(said.has_value(), said ? "" : said.error().message().c_str());
    QCOMPARE((*said)[6], 7.0);
    for (std::size_t i = 0; i < 6; ++i) {
        QVERIFY2((*said)[i] == 0, fmt::format("attempt {} went well", i).c_str());
    }
}

// The compiler reads what the source tells it to.
void JudgeOracle::hostileSourceReadsNothing() {
    const auto outside = TemporaryDirectory::create("gks-oracle-outside");
    QVERIFY(outside.has_value());
    QVERIFY(writeFileAtomically(outside->path() / "private", "x").has_value());
    const Written written = softmaxWith(fmt::format("asm(\".incbin \\\"{}/private\\\"\");\n", outside->path().string()),
                                        "expected[0] = 1;");
    const auto said = answers(written.pack, options());
    QVERIFY(!said.has_value());
    QVERIFY2(said.error().message().find("does not compile") != std::string::npos, said.error().message().c_str());
}

void JudgeOracle::inputsCannotBeChanged() {
    const Written written = softmaxWith(
        "",
        "auto* at = (char*)((uintptr_t)tensors[0] & ~(uintptr_t)4095); expected[0] = mprotect(at, 4096, PROT_READ | "
        "PROT_WRITE) == 0;");
    const auto said = answers(written.pack, options());
    QVERIFY2(said.has_value(), said ? "" : said.error().message().c_str());
    QCOMPARE(said->front(), 0.0);
}

void JudgeOracle::brokenReferenceIsAnErrorOfThePack_data() {
    QTest::addColumn<QString>("prelude");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* prelude, const char* body, const char* says) {
        QTest::newRow(name) << QString::fromLatin1(prelude) << QString::fromLatin1(body) << QString::fromLatin1(says);
    };
    row("crash", "", "*(volatile int*)8 = 0;", "crashed: killed by signal 11");
    row("crash when loaded", "static int broken = *(volatile int*)8;", "expected[0] = broken;",
        "crashed: killed by signal 11");
    row("exception", "", "throw 1;", "killed by signal 6");
    row("exit", "", "_exit(0);", "crashed: exit status 0");
    // Nothing that it prints, and no status of its own, says that the wall has failed.
    row("speaks as the sandbox", "",
        "fputs(\"bwrap: setting up uid map: Permission denied\\n\", stderr); fflush(stderr); _exit(1);",
        "crashed: exit status 1, and its last words are \"bwrap: setting up uid map: Permission denied\"");
    row("ends as the sandbox", "", "_exit(126);", "crashed: exit status 125");
    row("hang", "", "for (volatile int i = 0;; i = i + 1) {}", "did not answer within 2 s");
    row("prints for ever", "", "for (int i = 0; i < 1000000; ++i) printf(\"%d\\n\", i); _exit(3);", "exit status 3");
    row("garbage", "", "send(3, \"done\", 4, 0);", "wrote to the judge's channel");
    row("a reply of its own", "", "char reply[280] = {}; send(3, reply, sizeof reply, 0);",
        "wrote to the judge's channel");
    row("fewer values", "",
        "struct { uint64_t sequence; uint32_t failure, reserved; uint64_t answered; char text[256]; } reply = {3, 0, "
        "0, 5, {}};"
        " send(3, &reply, sizeof reply, 0);",
        "answered 5 of 32 values");
    row("more values", "",
        "struct { uint64_t sequence; uint32_t failure, reserved; uint64_t answered; char text[256]; } reply = {3, 0, "
        "0, 33, {}};"
        " send(3, &reply, sizeof reply, 0);",
        "answered 33 of 32 values");
    row("unknown failure", "",
        "struct { uint64_t sequence; uint32_t failure, reserved; uint64_t answered; char text[256]; } reply = {3, 77, "
        "0, 32, {}};"
        " send(3, &reply, sizeof reply, 0);",
        "makes no sense");
    row("does not compile", "this is no C++", "", "does not compile");
    row("undefined symbol", "void nowhere();", "nowhere();", "cannot be loaded");
}

void JudgeOracle::brokenReferenceIsAnErrorOfThePack() {
    QFETCH(QString, prelude);
    QFETCH(QString, body);
    QFETCH(QString, says);
    const Written written = softmaxWith(prelude.toStdString(), body.toStdString());
    const auto said = answers(written.pack, options(2));
    QVERIFY(!said.has_value());
    const std::string message = said.error().message();
    QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    QVERIFY2(message.find(written.pack.referencePath.string()) != std::string::npos, message.c_str());
    QVERIFY(refuse(said.error()).value().kind == VerdictKind::infrastructureFailed);
}

void JudgeOracle::cancelEndsAnAnswerInFlight() {
    const Written written = softmaxWith("", "for (volatile int i = 0;; i = i + 1) {}");
    const Inputs inputs = makeInputs(written.pack, smallShape, Distribution::asDeclared);
    const auto reference = Reference::load(written.pack, options(600));
    QVERIFY(reference.has_value());
    const auto outputs = (*reference)->prepare(smallShape, inputs.spans, Fp8Encoding::fnuz);
    QVERIFY(outputs.has_value());
    auto answer = std::async(std::launch::async, [&] { return (*outputs)->range(1, 0, 32); });
    (*reference)->interrupt();
    const auto said = answer.get();
    QVERIFY(!said.has_value());
    QVERIFY(said.error().kind == ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(JudgeOracle)
#include "judge_oracle.moc"
