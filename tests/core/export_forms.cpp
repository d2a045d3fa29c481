// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_forms.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/export/c_interface.h"
#include "core/export/flashinfer_solution.h"
#include "core/export/library_files.h"
#include "core/export/solved_definition.h"
#include "core/export/source_parts.h"
#include "core/report/bundle.h"
#include "tests/support/completed.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace gks;
using namespace gks::test;

namespace {

ShapeClaim claim(Shape shape, double ratio) {
    return {std::move(shape), 100, 100 * ratio, ratio, {ratio * 0.99, ratio * 1.01}, ratio > 1.02};
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> paths(const BundleFiles& files) {
    std::vector<std::string> names;
    for (const auto& [path, content] : files) {
        names.push_back(path);
    }
    return names;
}

constexpr const char* hostile = "\"\"\" */ \\\n#error evil\n@NAME@ `rm`";

std::string sumDefinition(const std::string& reference) {
    return R"({"name": "sum_n", "axes": {"n": {"type": "var"}, "one": {"type": "const", "value": 1}},
               "inputs": {"x": {"shape": ["n"], "dtype": "float32"}},
               "outputs": {"y": {"shape": ["one"], "dtype": "float32"}}, "reference": ")" +
           reference + "\"}";
}

// A campaign of the sum, whose text is hostile wherever a model wrote it.
struct Sample {
    TemporaryDirectory folder = TemporaryDirectory::create("gks-export-test").value();
    std::unique_ptr<CampaignStore> store;

    Sample() {
        makeEvidenceCampaign(folder.path() / "c.gks", hostile);
        store = CampaignStore::open(folder.path() / "c.gks", CampaignStore::Access::read).value();
    }
    ExportedKernel kernel(KernelId id = 3) const { return readExportedKernel(*store, id).value(); }
};

} // namespace

class ExportForms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreIdentifiers();
    void extentsThatBothLanguagesRead();
    void includesStandBeforeTheNamespace();
    void foreignIncludesAreRefused();
    void shapesThatWereWonGoToTheKernel();
    void rangesLeaveOutWhatWasLost();
    void rangesAskForTheStepsOfThePack();
    void extentsAreTakenAsTheyWereVerified();
    void theClaimIsTheConfirmation();
    void whatCannotBeExportedIsRefused();
    void evidenceHashIsThatOfTheBundle();
    void everyFormHasItsFiles();
    void heldOutShapesAreInNoTest();
    void hostileTextEndsNoComment();
    void pythonIsPython();
    void solutionsNameTheirDefinition();
    void cardsAreKnownByWholeWords();
    void otherDefinitionsAreRefused();
    void referencesAreCompared();
    void patchesLeaveTheTreeAlone();
    void foldersAreNewOrEmpty();
};

void ExportForms::namesAreIdentifiers() {
    QCOMPARE(exportName("row-softmax", 12), std::string("row_softmax_k00012"));
    QCOMPARE(exportName("9 lives/../x", 1), std::string("p9_lives____x_k00001"));
    QCOMPARE(exportName("", 1), std::string("p_k00001"));
    QVERIFY(exportName(std::string(500, 'a'), 1).size() < 64);
}

void ExportForms::extentsThatBothLanguagesRead() {
    const std::vector<std::string> dims = {"k", "n"};
    QCOMPARE(portableExtent("ceil(n/128)*2", dims).value(), std::string("ceil(n/128.0)*2.0"));
    QVERIFY(!portableExtent("k^2", dims));
    QVERIFY(!portableExtent("sin(k)", dims));
    QVERIFY(!portableExtent("k); system(\"x\"", dims));
}

void ExportForms::includesStandBeforeTheNamespace() {
    const auto parts = splitSource("// #include <never>\n"
                                   "#include \"problem.h\"\n"
                                   "#define WIDE 1\n"
                                   "#if WIDE /* so */\n"
                                   "#include <hip/hip_bf16.h>\n"
                                   "#endif\n"
                                   "const char* text = R\"(\n#include <not/this>\n)\";\n"
                                   "#define LONG(a) \\\n    (a)\n"
                                   "#ifdef LATE\n#endif\n",
                                   "k")
                           .value();
    QCOMPARE(parts.prelude, std::string("#define WIDE 1\n#if WIDE         \n#include <hip/hip_bf16.h>\n#endif\n"));
    QVERIFY(!has(parts.body, "problem.h\"") && !has(parts.body, "<hip/"));
    QVERIFY(has(parts.body, "#include <not/this>") && has(parts.body, "// #include <never>"));
    QVERIFY(parts.macros == std::vector<std::string>({"LONG", "WIDE"}));
    QCOMPARE(std::ranges::count(parts.body, '\n'), 13);
    QVERIFY(splitSource("#include \"problem.h\"\n#define A 1\n", "k").value().prelude.empty());
}

void ExportForms::foreignIncludesAreRefused() {
    const auto refused = splitSource("#include \"../../etc/passwd\"\n", "kernel 00002");
    QVERIFY(!refused && has(refused.error().message(), "kernel 00002"));
}

void ExportForms::shapesThatWereWonGoToTheKernel() {
    const Sample sample;
    ExportedKernel kernel = sample.kernel();
    kernel.shapes = {claim({1000}, 2), claim({2000}, 0.5), claim({3000}, 3)};
    kernel.between = rangesBetween(kernel.pack, kernel.shapes);
    const std::string source = interfaceSource(kernel, {}).value();
    const std::string table = source.substr(source.find("const Dims won[]"), 200);
    QVERIFY(has(table, "{1000},") && has(table, "{3000},") && !has(table, "{2000}"));
    QVERIFY(!has(source, "struct Range"));
    kernel.shapes[1].won = true;
    kernel.between = rangesBetween(kernel.pack, kernel.shapes);
    QVERIFY(has(interfaceSource(kernel, {.between = true}).value(), "{{1000}, {3000}},"));
    QVERIFY(!has(interfaceSource(kernel, {}).value(), "struct Range"));
}

void ExportForms::rangesLeaveOutWhatWasLost() {
    ProblemPack pack = loadProblemPack("row-softmax").value();
    const auto all = rangesBetween(pack, {claim({64, 100}, 2), claim({128, 300}, 2)});
    QCOMPARE(all.size(), 1u);
    QVERIFY(contains(all[0], {100, 200}) && !contains(all[0], {129, 200}) && !contains(all[0], {100, 301}));
    QVERIFY(rangesBetween(pack, {claim({64, 100}, 2), claim({128, 300}, 2), claim({100, 200}, 0.9)}).empty());
    QVERIFY(rangesBetween(pack, {claim({64, 100}, 2)}).empty()); // one shape is no range
    pack.isFree = {true, false};
    QVERIFY(rangesBetween(pack, {claim({64, 100}, 2), claim({128, 300}, 2)}).empty());
    QCOMPARE(rangesBetween(pack, {claim({64, 100}, 2), claim({128, 100}, 2)}).size(), 1u);
}

void ExportForms::rangesAskForTheStepsOfThePack() {
    const ProblemPack pack = loadProblemPack("fp8-gemm").value();
    QCOMPARE(extentStep(pack, 0), 32);
    QCOMPARE(extentStep(pack, 2), 128);
    const auto ranges = rangesBetween(pack, {claim({64, 64, 128}, 2), claim({128, 128, 512}, 2)});
    QVERIFY(contains(ranges.at(0), {96, 96, 256}) && !contains(ranges.at(0), {96, 96, 200}));
}

// In every form, since each is made of the same source.
void ExportForms::extentsAreTakenAsTheyWereVerified() {
    const Sample sample;
    ExportedKernel kernel = sample.kernel();
    const auto rows = [](const std::string& source) {
        const std::size_t begin = source.find("const Dims verified[] = {\n");
        return begin == std::string::npos ? std::string() : source.substr(begin, source.find("};", begin) - begin);
    };
    QCOMPARE(rows(interfaceSource(kernel, {}).value()), std::string("const Dims verified[] = {\n    {0},\n"));
    kernel.pack.isFree = {false};
    for (const ExportForm form : {ExportForm::header, ExportForm::library, ExportForm::torch, ExportForm::hfKernel}) {
        const auto files = exportFiles(kernel, {.form = form}).value();
        const auto source = std::ranges::find_if(files, [&](const auto& file) { return !rows(file.second).empty(); });
        QVERIFY2(source != files.end(), std::string(name(form)).c_str());
        const std::string taken = rows(source->second);
        QVERIFY(has(files.at("EVIDENCE.md"), "Of n the extents have to be those"));
        QVERIFY(has(taken, "    {65},\n") && has(taken, "    {67108864},\n") && !has(taken, "    {66},\n"));
        for (const Shape& secret : kernel.pack.shapesOf(ShapeSet::heldOut)) {
            QVERIFY(!has(taken, "{" + std::to_string(secret[0]) + "}"));
        }
    }
    // the extents of two dims together, and not each by itself
    kernel.pack = loadProblemPack("row-softmax").value();
    kernel.pack.isFree = {false, false};
    kernel.pack.shapes = {{ShapeSet::test, {{32, 64}, {64, 96}}}, {ShapeSet::heldOut, {{1, 2}}}};
    kernel.shapes = {claim({128, 64}, 2)};
    QVERIFY(verifiedExtents(kernel) == std::vector<Shape>({{32, 64}, {64, 96}, {128, 64}}));
    kernel.pack.isFree = {true, false};
    QVERIFY(verifiedExtents(kernel) == std::vector<Shape>({{0, 64}, {0, 96}}));
}

void ExportForms::theClaimIsTheConfirmation() {
    const Sample sample;
    const ExportedKernel kernel = sample.kernel();
    QVERIFY(kernel.isConfirmed && kernel.fallback == 1);
    QVERIFY2(has(kernel.claim, "vs kernel 00001") && has(kernel.claim, "faster"), kernel.claim.c_str());
    QVERIFY(std::ranges::all_of(kernel.shapes, &ShapeClaim::won));
    QVERIFY(!sample.kernel(2).isConfirmed);
}

void ExportForms::whatCannotBeExportedIsRefused() {
    const Sample sample;
    const auto baseline = readExportedKernel(*sample.store, 1);
    QVERIFY(!baseline && has(baseline.error().message(), "is the baseline"));
    const auto wrong = readExportedKernel(*sample.store, 4);
    QVERIFY(!wrong && has(wrong.error().message(), "is wrong"));
    QVERIFY(!readExportedKernel(*sample.store, 99));
}

void ExportForms::evidenceHashIsThatOfTheBundle() {
    const Sample sample;
    const auto evidence = readEvidence(*sample.store, 3).value();
    const auto bundle = writeBundle(evidence, sample.folder.path() / "bundle").value();
    QCOMPARE(sample.kernel().evidenceSha256, bundle.root);
    QVERIFY(has(exportFiles(sample.kernel(), {}).value().at("EVIDENCE.md"), bundle.root));
}

void ExportForms::everyFormHasItsFiles() {
    const Sample sample;
    const ExportedKernel kernel = sample.kernel();
    const std::string name = "sum_reduction_k00003";
    const auto holds = [&](ExportForm form, const std::vector<std::string>& wanted) {
        const auto files = exportFiles(kernel, {.form = form});
        if (!files) {
            qWarning("%s", files.error().message().c_str());
            return false;
        }
        const auto names = paths(*files);
        return std::ranges::all_of(wanted,
                                   [&](const auto& one) { return std::ranges::find(names, one) != names.end(); }) &&
               files->contains("EVIDENCE.md") && files->contains("LICENSE.md") && files->contains("README.md");
    };
    QVERIFY(holds(ExportForm::header, {name + ".h", name + ".hip", "CMakeLists.txt", "cuda/hip/hip_runtime.h"}));
    QVERIFY(holds(ExportForm::library,
                  {name + ".h", name + ".hip", "CMakeLists.txt", "test/test_" + name + ".hip", "test/reference.cpp"}));
    QVERIFY(holds(ExportForm::torch, {"setup.py", "load_inline.py", "csrc/" + name + ".cu",
                                      "csrc/" + name + "_torch.cpp", name + "/__init__.py", "test_" + name + ".py"}));
    QVERIFY(holds(ExportForm::hfKernel, {"build.toml", "flake.nix", "torch-ext/torch_binding.cpp",
                                         "torch-ext/" + name + "/__init__.py", "src/" + name + ".cu"}));
    const std::string header = interfaceHeader(kernel);
    QVERIFY(has(header, "int sum_reduction_k00003(const float* x, float* y, int64_t n, void* workspace, size_t "
                        "workspace_size, void* stream);"));
    QVERIFY(has(exportFiles(kernel, {}).value().at("EVIDENCE.md"), "times are of a CPU"));
    ExportedKernel titled = kernel;
    for (const char* title : {"y is the sum of x", "y is the sum of x."}) {
        titled.pack.title = title;
        const std::string readme = exportFiles(titled, {}).value().at("README.md");
        QVERIFY2(has(readme, ": y is the sum of x.\n"), readme.c_str());
    }
}

void ExportForms::heldOutShapesAreInNoTest() {
    const Sample sample;
    const ExportedKernel kernel = sample.kernel();
    const auto tried = triedShapes(kernel).value();
    const auto& secret = kernel.pack.shapesOf(ShapeSet::heldOut);
    QVERIFY(std::ranges::any_of(tried, &TriedShape::isMeasured));
    QVERIFY(std::ranges::any_of(tried, [](const TriedShape& one) { return !one.isMeasured; }));
    for (const TriedShape& one : tried) {
        QVERIFY(std::ranges::find(secret, one.shape) == secret.end());
    }
}

// Titles come from models: no line of theirs begins a line of code.
void ExportForms::hostileTextEndsNoComment() {
    const Sample sample;
    ExportedKernel kernel = sample.kernel();
    kernel.pack.title = hostile;
    for (const ExportForm form : {ExportForm::header, ExportForm::library, ExportForm::torch, ExportForm::hfKernel}) {
        const auto files = exportFiles(kernel, {.form = form}).value();
        for (const auto& [path, content] : files) {
            const bool holdsTheKernel = path.ends_with(".hip") || path.ends_with(".cu");
            QVERIFY2(holdsTheKernel || !has(content, "\n#error evil"), path.c_str());
            QVERIFY2(holdsTheKernel || path.ends_with(".md") || !has(content, "*/ "), path.c_str());
            QVERIFY(isBundlePath(path));
        }
    }
    QCOMPARE(commentText("a*/b\\\nc"), std::string("a* /b/ c"));
    QCOMPARE(filled("@A@ @B@ x@y.z", {{"A", "@B@"}, {"B", "b"}}), std::string("@B@ b x@y.z"));
}

void ExportForms::pythonIsPython() {
    const auto python = findProgram("python3");
    if (!python) {
        QSKIP("no python3 here");
    }
    const Sample sample;
    for (const ExportForm form : {ExportForm::torch, ExportForm::hfKernel}) {
        const auto folder = sample.folder.path() / std::string(name(form));
        const auto files = exportFiles(sample.kernel(), {.form = form}).value();
        QVERIFY(writeExport(files, folder).has_value());
        for (const auto& [path, content] : files) {
            if (path.ends_with(".py")) {
                Command command;
                command.arguments = {python->string(), "-m", "py_compile", (folder / path).string()};
                const auto run = completed(command);
                QVERIFY2(run.ok(), run.error.c_str());
            }
        }
    }
}

void ExportForms::solutionsNameTheirDefinition() {
    const Sample sample;
    ExportedKernel kernel = sample.kernel();
    const ExportOptions options = {.form = ExportForm::flashinfer};
    const auto onCpu = exportFiles(kernel, options);
    QVERIFY(!onCpu && has(onCpu.error().message(), "NVIDIA card") && has(onCpu.error().message(), "--hardware"));
    kernel.target = TargetKind::nvidia;
    kernel.device = "NVIDIA H200";
    const auto without = exportFiles(kernel, options);
    QVERIFY(!without && has(without.error().message(), "no Definition"));
    const auto file = sample.folder.path() / "definition.json";
    const std::string good = sumDefinition("");
    QVERIFY(writeFileAtomically(file, good).has_value());
    const ExportOptions named = {.form = ExportForm::flashinfer, .definition = file};
    const auto files = exportFiles(kernel, named).value();
    const Json solution = parseJson(files.at("sum_reduction_k00003.json"), "solution").value();
    QVERIFY(solution["definition"] == "sum_n" && solution["spec"]["language"] == "cuda");
    QVERIFY(solution["spec"]["target_hardware"] == Json({"NVIDIA_H200"}));
    QVERIFY(!has(solution["description"].get<std::string>(), "never on"));
    QVERIFY(has(solution["description"].get<std::string>(), "Nobody has compared the reference"));
    // for a card that has not measured it
    kernel.target = TargetKind::cpu;
    kernel.device = "Some CPU";
    const auto meant =
        exportFiles(kernel, {.form = ExportForm::flashinfer, .definition = file, .hardware = "NVIDIA_H100"});
    QVERIFY2(meant.has_value(), meant ? "" : meant.error().message().c_str());
    const Json forH100 = parseJson(meant->at("sum_reduction_k00003.json"), "solution").value();
    QVERIFY(forH100["spec"]["target_hardware"] == Json({"NVIDIA_H100"}));
    QVERIFY2(
        has(forH100["description"].get<std::string>(), "Some CPU), never on NVIDIA_H100: the times are CPU timings"),
        forH100["description"].get<std::string>().c_str());
    QVERIFY(!exportFiles(kernel, {.form = ExportForm::flashinfer, .definition = file, .hardware = "a \"b"}));
    kernel.target = TargetKind::nvidia;
    kernel.device = "NVIDIA H200";
    const std::string entry = solution["spec"]["entry_point"];
    const auto& sources = solution["sources"];
    QVERIFY(std::ranges::any_of(
        sources, [&](const Json& one) { return entry.starts_with(one["path"].get<std::string>() + "::"); }));
    QVERIFY(writeFileAtomically(file, replaceAll(good, "float32\"}},", "float16\"}},")).has_value());
    QVERIFY(!exportFiles(kernel, named));
    QVERIFY(writeFileAtomically(file, "[1]").has_value());
    QVERIFY(!exportFiles(kernel, named));
}

void ExportForms::cardsAreKnownByWholeWords() {
    const Sample sample;
    ExportedKernel kernel = sample.kernel();
    kernel.target = TargetKind::nvidia;
    const auto file = sample.folder.path() / "definition.json";
    QVERIFY(writeFileAtomically(file, sumDefinition("")).has_value());
    const auto hardware = [&](const char* device) {
        kernel.device = device;
        const auto files = exportFiles(kernel, {.form = ExportForm::flashinfer, .definition = file});
        if (!files) {
            return has(files.error().message(), "--hardware") ? std::string() : files.error().message();
        }
        const Json solution = parseJson(files->at("sum_reduction_k00003.json"), "solution").value();
        return solution["spec"]["target_hardware"][0].get<std::string>();
    };
    QCOMPARE(hardware("NVIDIA A100-SXM4-80GB"), std::string("NVIDIA_A100"));
    QCOMPARE(hardware("NVIDIA H100 80GB HBM3"), std::string("NVIDIA_H100"));
    QCOMPARE(hardware("NVIDIA H100 PCIe"), std::string("NVIDIA_H100"));
    QCOMPARE(hardware("NVIDIA L40S"), std::string("NVIDIA_L40S"));
    QCOMPARE(hardware("NVIDIA GeForce RTX 4090"), std::string("NVIDIA_RTX_4090"));
    for (const char* other : {"NVIDIA RTX A1000 Laptop GPU", "NVIDIA GH200 480GB", "NVIDIA A10G", "NVIDIA A100X",
                              "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 D", "NVIDIA GB200",
                              "NVIDIA A100-SXM4-40GB MIG 1g.5gb"}) {
        QCOMPARE(hardware(other), std::string());
    }
}

void ExportForms::otherDefinitionsAreRefused() {
    const auto folder = TemporaryDirectory::create("gks-export-definitions").value();
    const auto file = folder.path() / "given.json";
    const auto why = [&](const ProblemPack& pack, const std::string& text) {
        const auto solved = writeFileAtomically(file, text).and_then([&] { return solvedDefinition(pack, file); });
        return solved ? std::string() : solved.error().message();
    };
    const ProblemPack sum = loadProblemPack("sum-reduction").value();
    const std::string good = sumDefinition("");
    QCOMPARE(why(sum, good), std::string());
    const auto with = [&](std::string_view from, std::string_view to) {
        const std::string text = replaceAll(good, from, to);
        return why(sum, text == good ? "[1]" : text);
    };
    QVERIFY(has(with(R"({"type": "var"})", R"({"type": "const", "value": 65})"),
                "the constant 65 where the problem has n"));
    QVERIFY(has(with(R"("value": 1})", R"("value": 2})"), "the constant 2 where the problem has 1"));
    QVERIFY(has(with(R"(["one"])", R"(["n"])"), "lets an axis vary"));
    QVERIFY(has(with(R"(["one"])", R"(["other"])"), "does not describe"));
    QCOMPARE(with(R"(["one"])", R"(["1"])"), std::string());
    const ProblemPack rows = loadProblemPack("row-softmax").value();
    const std::string softmax =
        R"({"name": "s", "axes": {"r": {"type": "var"}, "c": {"type": "var"}, "d": {"type": "var"}},
            "inputs": {"x": {"shape": ["r", "c"], "dtype": "float32"}},
            "outputs": {"y": {"shape": ["r", "c"], "dtype": "float32"}}})";
    QCOMPARE(why(rows, softmax), std::string());
    QVERIFY(has(why(rows, replaceAll(softmax, R"("y": {"shape": ["r", "c"])", R"("y": {"shape": ["r", "d"])")),
                "ties axes together in another way"));
    QVERIFY(has(why(rows, replaceAll(softmax, R"(["r", "c"])", R"(["r", "r"])")), "ties axes together in another way"));
}

// With that of the Definition that came with the pack.
void ExportForms::referencesAreCompared() {
    const auto folder = TemporaryDirectory::create("gks-export-definitions").value();
    const auto file = folder.path() / "given.json";
    ProblemPack pack = loadProblemPack("sum-reduction").value();
    pack.folder = folder.path() / "pack";
    QVERIFY(makeDirectories(pack.folder) &&
            writeFileAtomically(pack.folder / definitionFile, sumDefinition("return x.sum()")));
    const auto given = [&](const std::string& text) {
        return writeFileAtomically(file, text).and_then([&] { return solvedDefinition(pack, file); });
    };
    QVERIFY(solvedDefinition(pack, {}).value().isCompared && given(sumDefinition("return x.sum()")).value().isCompared);
    QVERIFY(!given(sumDefinition("")).value().isCompared);
    const auto other = given(sumDefinition("return x.abs().sum()"));
    QVERIFY(!other && has(other.error().message(), "has another reference than the Definition"));
    const auto axes = given(replaceAll(sumDefinition("return x.sum()"), R"({"type": "var"})", R"({"type": "expr"})"));
    QVERIFY(!axes && has(axes.error().message(), "has other axes than the Definition"));
}

void ExportForms::patchesLeaveTheTreeAlone() {
    const Sample sample;
    const auto tree = sample.folder.path() / "tree";
    QVERIFY(makeDirectories(tree / "src").has_value());
    QVERIFY(writeFileAtomically(tree / "src/main.c", "int main(void) { return 0; }\n").has_value());
    const auto git = [&](std::vector<std::string> words, const std::string& input = {}) {
        Command command;
        words.insert(words.begin(), {"git", "-c", "user.name=a", "-c", "user.email=a@b"});
        command.arguments = std::move(words);
        command.folder = tree;
        return completed(command, {.input = input});
    };
    QVERIFY(git({"init", "-q"}).ok() && git({"add", "."}).ok() && git({"commit", "-qm", "one"}).ok());
    const ExportOptions options = {.form = ExportForm::patch, .into = tree, .path = "src/kernels"};
    const auto files = exportFiles(sample.kernel(), options);
    QVERIFY2(files.has_value(), files ? "" : files.error().message().c_str());
    QVERIFY(git({"status", "--porcelain"}).output.empty());
    const std::string& patch = files->at("sum_reduction_k00003.patch");
    QVERIFY(has(patch, "+++ b/src/kernels/sum_reduction_k00003.hip"));
    const auto applied = git({"apply", "-"}, patch);
    QVERIFY2(applied.ok(), applied.error.c_str());
    QCOMPARE(readFile(tree / "src/kernels/sum_reduction_k00003.h").value(), interfaceHeader(sample.kernel()));
    const auto twice = exportFiles(sample.kernel(), options);
    QVERIFY(!twice && has(twice.error().message(), "there already"));
    for (const char* path : {"../x", "/tmp/x", "", "a/../../b", ".git/hooks"}) {
        QVERIFY2(!exportFiles(sample.kernel(), {.form = ExportForm::patch, .into = tree, .path = path}), path);
    }
}

void ExportForms::foldersAreNewOrEmpty() {
    const Sample sample;
    const auto folder = sample.folder.path() / "out";
    QVERIFY(writeExport({{"a/b.txt", "x"}}, folder).has_value());
    QCOMPARE(readFile(folder / "a/b.txt").value(), std::string("x"));
    QVERIFY(!writeExport({{"a/b.txt", "x"}}, folder));
    QVERIFY(!writeExport({{"../b.txt", "x"}}, sample.folder.path() / "other"));
}

QTEST_APPLESS_MAIN(ExportForms)
#include "export_forms.moc"
