// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/import/definition_import.h"
#include "core/import/python_text.h"
#include "core/problem/problem.h"

#include <QTest>
#include <algorithm>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// Two axes, x[m][n] and y[m][n]; the reference is the body of run(x).
std::string definitionOf(const std::string& reference,
                         const Json& outputs = {{"y", {{"shape", {"M", "N"}}, {"dtype", "float32"}}}}) {
    const Json json = {{"name", "Sample_n256"},
                       {"op_type", "sample"},
                       {"axes",
                        {{"M", {{"type", "var"}}},
                         {"N", {{"type", "const"}, {"value", 256}}},
                         {"one", {{"type", "const"}, {"value", 1}}}}},
                       {"inputs", {{"x", {{"shape", {"M", "N"}}, {"dtype", "float32"}}}}},
                       {"outputs", outputs},
                       {"reference", reference}};
    return json.dump();
}

std::string inBody(const std::string& body) {
    return "import torch\n\ndef run(x):\n" + body + "\n";
}

std::string refusalOf(const std::string& reference) {
    const auto problem = problemFromDefinition(definitionOf(reference), "d.json");
    return problem ? std::string("accepted") : problem.error().message();
}

} // namespace

class ImportDefinition : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pythonIsParsedWithItsPlaces();
    void whatItCannotSayIsRefused_data();
    void whatItCannotSayIsRefused();
    void typesOfTensorsAreFloating();
    void wholeNumbersAreNotComputedWith();
    void softmaxBecomesAPack();
    void productsAndRowsAreLoops();
    void scalarOutputsAreTensorsOfOne();
    void axesAreExpressionsOverOthers();
    void workloadsGiveShapesNumbersAndTolerance();
    void whatAWorkloadCannotSayIsRefused_data();
    void whatAWorkloadCannotSayIsRefused();
    void aFailedImportLeavesNothing();
    void hostileDefinitionsAreRefused_data();
    void hostileDefinitionsAreRefused();
};

void ImportDefinition::pythonIsParsedWithItsPlaces() {
    const auto parsed = parsePythonFunction(
        "import torch\n\n@torch.no_grad()\ndef run(a, b: torch.Tensor):\n    '''text\n    more'''\n"
        "    c = (a +\n         b) ** 2 # note\n    M, K = a.shape\n    return c[..., None], -1e-6\n",
        "run", "d");
    QVERIFY2(parsed.has_value(), parsed ? "" : parsed.error().message().c_str());
    const PythonFunction& function = *parsed;
    QVERIFY(function.parameters == std::vector<std::string>({"a", "b"}));
    QCOMPARE(function.body.size(), 3u);
    QCOMPARE(function.body[0].value.word, std::string("**"));
    QCOMPARE(function.body[0].place.line, 7);
    QVERIFY(function.body[1].targets == std::vector<std::string>({"M", "K"}));
    QVERIFY(function.body[2].targets.empty() && function.body[2].value.kind == PythonExpression::Kind::tuple);
}

void ImportDefinition::whatItCannotSayIsRefused_data() {
    QTest::addColumn<std::string>("reference");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const std::string& reference, const std::string& said) {
        QTest::newRow(name) << reference << said;
    };
    row("loop", inBody("    for i in range(3):\n        x = x + 1\n    return x"), "line 4 column 5: uses for");
    row("call", inBody("    return torch.fft(x)"), "line 4 column 21: calls fft");
    row("slice", inBody("    return x[1:2]"), "slice with bounds");
    row("index", inBody("    return x[0]"), "by an index");
    row("mask", inBody("    return x * (x > 0)"), "line 4");
    row("condition", inBody("    return x if x else x"), "uses \"if\"");
    row("lambda", inBody("    f = lambda a: a\n    return x"), "uses lambda");
    row("reshape", inBody("    return x.view(-1)"), "calls view");
    row("two functions", "def helper(a):\n    return a\n\ndef run(x):\n    return helper(x)\n", "defines helper");
    row("no run", "def go(x):\n    return x\n", "go");
    row("other shape", inBody("    return x.sum(dim=-1)"), "with the extents [m], not [m, n]");
    row("wrong axes", inBody("    return x @ x"), "combines an axis");
    row("axis", inBody("    return x.sum(dim=7, keepdim=True)"), "names an axis");
    row("execution", "import os\nos.system('x')\ndef run(x):\n    return x\n", "line 2 column 1");
    row("unknown", inBody("    return q"), "uses q");
    row("string", inBody("    return 'abc"), "without an end");
    row("tabs", "def run(x):\n\treturn x\n", "tabs");
    row("default", "def run(x, y=3):\n    return x\n", "default");
    std::string products, parts, sums;
    for (int i = 0; i < 40; ++i) {
        products += "    x = x @ x.T @ x\n";
    }
    for (int i = 0; i < 9000; ++i) {
        parts += ".T";
        sums += " + x";
    }
    row("doubling", inBody(products + "    return x"), "too long as code");
    row("parts in a row", inBody("    return x" + parts), "too many parts");
    row("operators in a row", inBody("    return x" + sums), "too many operators");
    row("changed elsewhere", inBody("    y = torch.relu(x, inplace=True)\n    return x + y"), "gives inplace=");
    row("put elsewhere", inBody("    y = torch.exp(x, out=x)\n    return x"), "gives out=");
    row("another name", inBody("    y = x\n    y += 1\n    return x * 1"), "changes y in place");
    row("a view", inBody("    a = x * 2\n    y = a.T\n    a += 1\n    return y.T"), "changes a in place");
    row("an input", inBody("    x += 1\n    return x"), "changes x in place");
    row("whole sums", inBody("    return x * torch.sum(x, dim=1, keepdim=True, dtype=torch.int32)"),
        "calls sum with what is no type");
    row("decorated", "import torch\n\n@scaled(5)\ndef run(x):\n    return x\n", "decorates the function");
    row("one name", inBody("    y, = x\n    return x"), "takes something apart into 1 name");
    row("whole numbers", inBody("    return x.to(torch.int32)"), "no type of floating point");
    row("whole part", inBody("    return x + int(2.7)"), "calls int");
    row("type by a call", inBody("    return x.to(dtype=open('/etc/passwd'))"), "no type of floating point");
    row("depth", inBody("    return " + std::string(500, '(') + "x" + std::string(500, ')')), "too deeply");
    row("minuses", inBody("    return " + std::string(500, '-') + "x"), "too deeply");
    row("length", inBody("    return x" + std::string(70000, ' ')), "KiB");
    row("both names", inBody("    return x.cumsum(1, dim=0)"), "gives dim twice");
    row("both names of a sum", inBody("    return x * x.sum(dim=1, axis=1, keepdim=True)"), "gives dim twice");
    row("both bounds", inBody("    return x.clamp(0, min=1)"), "gives min twice");
    row("no bound", inBody("    return x.clamp()"), "without a bound");
    row("three bounds", inBody("    return x.clamp(0, 1, 2)"), "too many");
    for (const char* number : {"010", "0_1", "1__0", "1_", "1_.0"}) {
        row(number, inBody(std::string("    return x + ") + number), "number that cannot be read");
    }
    std::string doubled = "    a = x\n";
    for (int i = 0; i < 3000; ++i) {
        doubled += "    a = a + a\n";
    }
    row("nodes", inBody(doubled + "    return a"), "too l");
}

void ImportDefinition::whatItCannotSayIsRefused() {
    QFETCH(const std::string, reference);
    QFETCH(const std::string, said);
    const std::string refusal = refusalOf(reference);
    QVERIFY2(has(refusal, said), refusal.c_str());
}

void ImportDefinition::typesOfTensorsAreFloating() {
    QVERIFY(problemFromDefinition(definitionOf(inBody("    s = x.sum(dim=-1, keepdim=True, dtype=torch.float32)\n"
                                                      "    y = x * 2\n    y += s\n    return y")),
                                  "d.json")
                .has_value());
    Json definition = Json::parse(definitionOf(inBody("    return (x * 2).to(torch.float32).to(x.dtype)")));
    QVERIFY(problemFromDefinition(definition.dump(), "d.json").has_value());
    // A conversion to whole numbers would round.
    definition["inputs"]["x"]["dtype"] = "int32";
    definition["reference"] = inBody("    return (x / 2).to(x.dtype)");
    const auto whole = problemFromDefinition(definition.dump(), "d.json");
    QVERIFY(!whole && whole.error().message().find("no type of floating point") != std::string::npos);
}

// They wrap round in the type of their tensor; what PyTorch makes real numbers of them first, does not.
void ImportDefinition::wholeNumbersAreNotComputedWith() {
    Json definition = Json::parse(definitionOf(""));
    const auto said = [&](const std::string& value, const char* type) {
        definition["inputs"] = {{"x", {{"shape", {"M", "N"}}, {"dtype", "float32"}}},
                                {"q", {{"shape", {"M", "N"}}, {"dtype", type}}}};
        definition["reference"] = "import torch\n\ndef run(q, x):\n    return " + value + "\n";
        const auto problem = problemFromDefinition(definition.dump(), "d.json");
        return problem ? std::string("accepted") : problem.error().message();
    };
    for (const char* wraps :
         {"(q * 64).float() * x", "(q @ q.T).float() @ x", "q * 100000 * 100000 + x", "2 ** q * x", "x + q ** 2",
          "x * -q", "x * torch.abs(q)", "x + torch.square(q)", "x + (q - q.sum(dim=1, keepdim=True))",
          "x + q.amax(dim=1, keepdim=True) * q", "x + q * int(2.0)", "x + torch.clamp(q, min=0) * 2",
          "torch.relu(q) * 3 + x", "x * (q.unsqueeze(0) * 2).squeeze(0)", "x + torch.softmax(q, dim=1)"}) {
        for (const char* type : {"int8", "int32", "int64"}) {
            QVERIFY2(has(said(wraps, type), "wrap round in the type of their tensor"), said(wraps, type).c_str());
        }
    }
    for (const char* isReal :
         {"q.float() * 64 + x", "q / 2 + x", "q * 0.5 + x", "q * x", "x + q.sum(dim=1, keepdim=True)",
          "x + q.amax(dim=1, keepdim=True)", "q.to(torch.float32) ** 2 + x", "q.type_as(x) * 3 * x", "x * q * 64",
          "x + q * float(2)", "x * q.sum(dim=1, keepdim=True, dtype=torch.float32) * q", "x + q.clamp(0.5)",
          "x + torch.exp(q)", "x.shape[0] * 2 * x", "x + q * torch.tensor(2.0)", "x + q.to(dtype=x.dtype) * 2",
          "x + torch.softmax(q, dim=1, dtype=torch.float32)"}) {
        QCOMPARE(said(isReal, "int8"), std::string("accepted"));
    }
    for (const char* isOutside : {"x + q.clamp(max=200)", "x + torch.clamp(q, -5, 300)", "x + q.clamp(min=-129)"}) {
        QVERIFY2(has(said(isOutside, "int8"), "a bound that their type may not hold"), said(isOutside, "int8").c_str());
    }
    QCOMPARE(said("x + q.clamp(-128, max=127)", "int8"), std::string("accepted"));
    QVERIFY(has(said("x + q.mean(dim=1, keepdim=True)", "int8"), "mean of whole numbers"));
    QVERIFY(has(said("x + q.to(x.device) * 2", "int8"), "wrap round")); // no type
}

void ImportDefinition::softmaxBecomesAPack() {
    const auto problem =
        problemFromDefinition(definitionOf(inBody("    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)\n"
                                                  "    return {'y': e / e.sum(dim=-1, keepdim=True)}")),
                              "d.json");
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const auto folder = TemporaryDirectory::create("gks-import").value();
    const auto written = writeProblem(*problem, folder.path() / "pack");
    QVERIFY2(written.has_value(), written ? "" : written.error().message().c_str());
    const ProblemPack pack = loadProblemPack((folder.path() / "pack").string()).value();
    QCOMPARE(pack.name, std::string("sample-n256"));
    QVERIFY(pack.dims == std::vector<std::string>({"m", "n"}) && pack.isFree == std::vector<bool>({true, false}));
    QVERIFY(pack.tolerance.ofMagnitude > 0);
    for (const Shape& shape : pack.shapesOf(ShapeSet::test)) {
        QCOMPARE(shape[1], 256);
    }
    QVERIFY(pack.flops({10, 256}).value() >= 2 * 2560); // two reductions
    QCOMPARE(pack.bytes({10, 256}).value(), 8.0 * 2560);
    QVERIFY(!writeProblem(*problem, folder.path() / "pack")); // not empty
    QVERIFY(problem->files.contains("definition.json"));
}

// What belongs to a row is computed outside of the loop over its elements.
void ImportDefinition::productsAndRowsAreLoops() {
    const auto problem =
        problemFromDefinition(definitionOf(inBody("    return torch.softmax(x, dim=1)")), "d.json").value();
    const std::string& reference = problem.files.at("reference.cpp");
    const std::size_t values = reference.find("void values0");
    const std::size_t elements = reference.find("for (; at < stop; ++at)", values);
    const std::size_t end = reference.find("expected[at - begin]", elements);
    const std::string inner = reference.substr(elements, end - elements);
    QVERIFY2(!has(inner, "for (std::int64_t r"), inner.c_str());
    QVERIFY(has(reference.substr(values, elements - values), "for (std::int64_t r"));
    QVERIFY(has(problem.files.at("seeds/naive.hip"), "extern \"C\" hipError_t solve("));
    // So it is in the first kernel: a thread goes through its row three times, not once more for each element.
    const std::string& naive = problem.files.at("seeds/naive.hip");
    const std::size_t ofRow = naive.find("for (int i1 = 0;");
    QVERIFY2(ofRow != std::string::npos && !has(naive.substr(ofRow), "for (int r"), naive.c_str());
    // The weights of an attention are those of a row: no element sums them again.
    const auto weights =
        problemFromDefinition(definitionOf(inBody("    return torch.softmax(x @ x.T, dim=-1) @ x")), "d.json").value();
    const std::string& attention = weights.files.at("reference.cpp");
    for (const char* function : {"void values0", "void bounds0"}) {
        const std::size_t begin = attention.find("for (; at < stop; ++at)", attention.find(function));
        const std::string body = attention.substr(begin, attention.find("expected[at - begin]", begin) - begin);
        const std::size_t loop = body.find("for (std::int64_t r");
        QVERIFY2(loop != std::string::npos, attention.c_str());
        for (std::size_t next = loop; next != std::string::npos; next = body.find("for (std::int64_t r", next + 1)) {
            const std::size_t close = body.find("\n            }", next); // none within another
            QVERIFY2(body.find("for (std::int64_t r", next + 1) > close, body.c_str());
        }
    }
    const auto plain = problemFromDefinition(definitionOf(inBody("    return x * 2")), "d.json").value();
    QVERIFY(!has(plain.files.at("seeds/naive.hip"), "for ("));
}

void ImportDefinition::scalarOutputsAreTensorsOfOne() {
    const auto problem = problemFromDefinition(
        definitionOf(inBody("    return x.sum()"), {{"y", {{"shape", Json::array()}, {"dtype", "float32"}}}}),
        "d.json");
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const auto folder = TemporaryDirectory::create("gks-import").value();
    QVERIFY(writeProblem(*problem, folder.path() / "pack"));
    const ProblemPack pack = loadProblemPack((folder.path() / "pack").string()).value();
    QVERIFY(pack.tensors.back().extents == std::vector<std::string>({"1"}));
}

namespace {

// The dialect of SOL-ExecBench: rows are batches of sequences, and a head is a share of the hidden size.
Json dialect() {
    return {{"name", "scaled_rows"},
            {"op_type", nullptr},
            {"axes",
             {{"batch", {{"type", "var"}, {"description", nullptr}}},
              {"seq_len", {{"type", "var"}}},
              {"hidden", {{"type", "const"}, {"value", 96}}},
              {"heads", {{"type", "const"}, {"value", 4}}},
              {"head_dim", {{"type", "expr"}, {"expression", "hidden // heads"}}},
              {"rows", {{"type", "expr"}, {"expression", "batch * seq_len"}}}}},
            {"custom_inputs_entrypoint", nullptr},
            {"inputs",
             {{"x", {{"shape", {"rows", "head_dim"}}, {"dtype", "bfloat16"}}},
              {"eps", {{"shape", nullptr}, {"dtype", "float32"}}},
              {"scale", {{"shape", {"3", "1"}}, {"dtype", "float32"}}}}},
            {"outputs", {{"y", {{"shape", {"rows", "head_dim"}}, {"dtype", "bfloat16"}}}}},
            {"reference", "import torch\n\n@torch.no_grad()\ndef run(eps, scale, x):\n    s = scale.sum()\n"
                          "    return (torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * x * s).to(x.dtype)\n"},
            {"constraints", Json::array()}};
}

std::string workload(int batch, int seqLen, const Json& inputs, const Json& tolerance = {}) {
    Json json = {{"uuid", "u"}, {"axes", {{"batch", batch}, {"seq_len", seqLen}}}, {"inputs", inputs}};
    if (!tolerance.is_null()) {
        json["tolerance"] = tolerance;
    }
    return json.dump() + "\n";
}

const Json drawn = {
    {"x", {{"type", "random"}}}, {"scale", {{"type", "random"}}}, {"eps", {{"type", "scalar"}, {"value", 0.25}}}};

ProblemPack packOf(const ImportedProblem& problem) {
    const auto folder = TemporaryDirectory::create("gks-import").value();
    const auto written = writeProblem(problem, folder.path() / "pack");
    if (!written) {
        qFatal("%s", written.error().message().c_str());
    }
    return loadProblemPack((folder.path() / "pack").string()).value();
}

bool hasNote(const ImportedProblem& problem, std::string_view part) {
    return std::ranges::any_of(problem.notes, [&](const std::string& note) { return has(note, part); });
}

} // namespace

void ImportDefinition::axesAreExpressionsOverOthers() {
    const auto problem = problemFromDefinition(dialect().dump(), "d.json");
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.dims == std::vector<std::string>({"head_dim", "rows", "extent3"}));
    // Rows come from two axes that are in no shape, so any number of them may be.
    QVERIFY(pack.combinesExtents && pack.isFree == std::vector<bool>({false, true, false}));
    for (const Shape& shape : pack.shapesOf(ShapeSet::test)) {
        QVERIFY(shape[0] == 24 && shape[2] == 3);
    }
    // Where one of them is in a shape too, not every two extents go together.
    Json related = dialect();
    related["inputs"]["scale"]["shape"] = {"batch", "1"};
    const ProblemPack tied = packOf(problemFromDefinition(related.dump(), "d.json").value());
    QVERIFY(!tied.combinesExtents);
    for (const auto& [set, shapes] : tied.shapes) {
        for (const Shape& shape : shapes) {
            QVERIFY(tied.dims[0] == "batch" && shape[2] % shape[0] == 0);
        }
    }
    for (const auto& [expression, said] :
         {std::pair("batch * nothing", "computed from nothing"), std::pair("rows + 1", "computed from rows"),
          std::pair("hidden / 7", "no whole number"), std::pair("hidden // 0", "no whole number"),
          std::pair("hidden ** 99", "no whole number"), std::pair("f(hidden)", "computed from f"),
          std::pair("hidden hidden", "behind the expression")}) {
        Json bad = dialect();
        bad["axes"]["head_dim"]["expression"] = expression;
        const auto refused = problemFromDefinition(bad.dump(), "d.json");
        QVERIFY2(!refused && has(refused.error().message(), said) && has(refused.error().message(), "axis head_dim"),
                 refused ? expression : refused.error().message().c_str());
    }
}

void ImportDefinition::workloadsGiveShapesNumbersAndTolerance() {
    const Json loose = {{"max_atol", 0.5}, {"max_rtol", 0.25}};
    const Json strict = {{"max_atol", 0.02}, {"max_rtol", 0.04}, {"required_matched_ratio", 1.0}};
    const auto workloads =
        readWorkloads(workload(2, 100, drawn, loose) + "\n" + workload(1, 7, drawn, strict), "w.jsonl");
    QVERIFY2(workloads.has_value(), workloads ? "" : workloads.error().message().c_str());
    const auto problem = problemFromDefinition(dialect().dump(), "d.json", *workloads);
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.shapesOf(ShapeSet::benchmark) == std::vector<Shape>({{24, 200, 3}, {24, 7, 3}}));
    QVERIFY(pack.tolerance == (Tolerance{0.04, 0.02, 0}));
    QCOMPARE(pack.tensors.size(), 3u); // eps is a number
    QVERIFY(has(problem->files.at("reference.cpp"), "0.25") && hasNote(*problem, "eps is 0.25"));
    // Numbers that differ stay a tensor, and one that a file holds is drawn.
    Json other = drawn;
    other["eps"]["value"] = 0.5;
    other["x"]["type"] = "safetensors";
    const Json ratio = {{"max_atol", 0.02}, {"max_rtol", 0.04}, {"required_matched_ratio", 0.9}};
    const auto second =
        readWorkloads(workload(2, 100, drawn, loose) + workload(2, 100, other, ratio), "w.jsonl").value();
    const auto varied = problemFromDefinition(dialect().dump(), "d.json", second).value();
    QCOMPARE(packOf(varied).tensors.size(), 4u);
    QVERIFY(packOf(varied).tolerance.ofMagnitude > 0);
    QVERIFY(hasNote(varied, "comes from a file") && hasNote(varied, "content with 0.9"));
    // A Trace has the workload one level further in.
    const std::string trace = Json{{"definition", "d"}, {"workload", Json::parse(workload(3, 3, drawn))}}.dump();
    QCOMPARE(readWorkloads(trace, "w.jsonl")->axes.front().at("seq_len"), std::int64_t{3});
}

void ImportDefinition::whatAWorkloadCannotSayIsRefused_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const std::string& text, const char* said) {
        QTest::newRow(name) << text << std::string(said);
    };
    row("empty", "\n\n", "no workload");
    row("no JSON", "{\n", "w.jsonl:1");
    row("second line", workload(1, 1, drawn) + "[1]\n", "w.jsonl:2");
    row("extent", workload(1, -1, drawn), "no extent");
    row("no number", workload(1, 1, {{"eps", {{"type", "scalar"}, {"value", "big"}}}}), "eps without a number");
    row("type", workload(1, 1, {{"x", {{"type", "telepathy"}}}}), "\"telepathy\"");
    row("inputs", workload(1, 1, Json::array({1})), "no object");
    row("long", std::string((1 << 20) + 1, ' '), "KiB");
    row("made", workload(1, 1, {{"x", {{"type", "custom"}}}}), "\"custom\"");
    row("indices in a file", workload(1, 1, {{"ids", {{"type", "safetensors"}}}}), "ids is a \"safetensors\"");
    row("code", "", "get_inputs");
}

void ImportDefinition::whatAWorkloadCannotSayIsRefused() {
    QFETCH(const std::string, text);
    QFETCH(const std::string, said);
    Json definition = dialect();
    definition["inputs"]["ids"] = {{"shape", {"rows"}}, {"dtype", "int64"}};
    std::optional<Workloads> workloads;
    std::string refusal;
    if (text.empty()) {
        definition["custom_inputs_entrypoint"] = "get_inputs";
    } else if (auto read = readWorkloads(text, "w.jsonl")) {
        workloads = *read;
    } else {
        refusal = read.error().message();
    }
    if (refusal.empty()) {
        const auto problem = problemFromDefinition(definition.dump(), "d.json", workloads);
        refusal = problem ? "accepted" : problem.error().message();
    }
    QVERIFY2(has(refusal, said), refusal.c_str());
}

void ImportDefinition::aFailedImportLeavesNothing() {
    auto problem = problemFromDefinition(definitionOf(inBody("    return x")), "d.json").value();
    problem.files["notes.md"] = " \n"; // the last thing that is looked at
    const auto folder = TemporaryDirectory::create("gks-import").value();
    QVERIFY(!writeProblem(problem, folder.path() / "pack"));
    QVERIFY(std::filesystem::is_empty(folder.path()));
}

void ImportDefinition::hostileDefinitionsAreRefused_data() {
    QTest::addColumn<std::string>("text");
    const Json good = parseJson(definitionOf(inBody("    return x")), "good").value();
    const auto row = [&](const char* name, const std::function<void(Json&)>& change) {
        Json json = good;
        change(json);
        QTest::newRow(name) << json.dump();
    };
    QTest::newRow("no JSON") << std::string("{");
    QTest::newRow("array") << std::string("[]");
    QTest::newRow("deep") << std::string(100000, '[');
    QTest::newRow("long") << std::string(300000, ' ');
    row("no name", [](Json& json) { json.erase("name"); });
    row("name of another type", [](Json& json) { json["name"] = {1}; });
    row("no axes", [](Json& json) { json["axes"] = Json::object(); });
    row("axis of no type", [](Json& json) { json["axes"]["M"] = 3; });
    row("huge axis", [](Json& json) { json["axes"]["N"]["value"] = 1e18; });
    row("negative axis", [](Json& json) { json["axes"]["N"]["value"] = -5; });
    row("unknown axis", [](Json& json) { json["inputs"]["x"]["shape"] = {"M", "Q"}; });
    row("shape of numbers", [](Json& json) { json["inputs"]["x"]["shape"] = {1, 2}; });
    row("unknown type", [](Json& json) { json["inputs"]["x"]["dtype"] = "float4_e2m1"; });
    row("output of whole numbers", [](Json& json) { json["outputs"]["y"]["dtype"] = "int32"; });
    row("name that is code",
        [](Json& json) { json["inputs"] = {{"9x; system()", {{"shape", {"M", "N"}}, {"dtype", "float32"}}}}; });
    row("constraint", [](Json& json) { json["constraints"] = {"M == 2 * N"}; });
    row("reference of another type", [](Json& json) { json["reference"] = 7; });
    row("further input", [](Json& json) { json["inputs"]["z"] = json["inputs"]["x"]; });
}

void ImportDefinition::hostileDefinitionsAreRefused() {
    QFETCH(const std::string, text);
    const auto problem = problemFromDefinition(text, "d.json");
    QVERIFY(!problem && problem.error().kind == ErrorKind::usage);
    QVERIFY2(has(problem.error().message(), "d.json"), problem.error().message().c_str());
}

QTEST_APPLESS_MAIN(ImportDefinition)
#include "import_definition.moc"
