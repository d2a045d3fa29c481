// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/import/task_import.h"
#include "core/import/yaml_text.h"
#include "core/problem/problem.h"

#include <QTest>
#include <nlohmann/json.hpp>

using namespace gks;

namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

const std::string task = R"(# name: scaled-product
files:
  - {"name": "submission.cu", "source": "@SUBMISSION@"}
  - {"name": "eval.cu", "source": "../eval.cu"}
lang: "cu"
description: |
  Multiply two matrices.
  Extents are multiples of 16.
tests:
  - {"m": 32, "n": 16, "k": 48, "seed": 1}
  - {"m": 64, "n": 32, "k": 16, "seed": 2}
benchmarks:
  - {"m": 4096, "n": 2048, "k": 1024, "seed": 3}
test_timeout: 180
ranking_by: geom
)";

// With an output buffer, as most of them have it.
const std::string product = R"(from utils import make_match_reference
import torch
from task import input_t, output_t

SCALE = 0.5


class Helper:
    def __enter__(self):
        return [x ^ 1 for x in range(3)]


def generate_input(m: int, n: int, k: int, seed: int) -> input_t:
    """Draws."""
    gen = torch.Generator(device='cuda')
    gen.manual_seed(seed)
    a = torch.empty(m, k, device='cuda', dtype=torch.float16)
    a.uniform_(0, 1, generator=gen)
    b = torch.randn((n, k), device="cuda", dtype=torch.float16, generator=gen).contiguous()
    c = torch.empty(m, n, device='cuda', dtype=torch.float32).random_(-2, 2)
    return (a, b, c)


def ref_kernel(data: input_t) -> output_t:
    a, b, c = data
    c[...] = SCALE * (a @ b.T)
    return c


check_implementation = make_match_reference(ref_kernel, rtol=2e-02, atol=1e-03)
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) {
        qFatal("no %s", from.c_str());
    }
    return text.replace(at, from.size(), to);
}

ProblemPack packOf(const ImportedProblem& problem) {
    const auto folder = TemporaryDirectory::create("gks-import-task").value();
    const auto written = writeProblem(problem, folder.path() / "pack");
    if (!written) {
        qFatal("%s", written.error().message().c_str());
    }
    return loadProblemPack((folder.path() / "pack").string()).value();
}

Result<ImportedProblem> imported(const std::string& reference, const std::string& yaml = task) {
    return problemFromTask(yaml, reference, "scaled_product", "t");
}

} // namespace

class ImportTask : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTaskBecomesAPack();
    void namesOfInputsAreNoneOfTheKernel();
    void extentsAreComputed();
    void valuesHaveBounds();
    void aNumberIsDrawnOnce();
    void weightsInARowAreNumbers();
    void convolutionsHaveWindows();
    void theTypeOfTheOutputFollows();
    void theBufferThatIsFilledSaysTheType();
    void optionsAreTakenByTheirNames();
    void sumsSoFarAreARow();
    void drawsOfOneSeedFollowFromEachOther();
    void whatItCannotSayIsRefused_data();
    void whatItCannotSayIsRefused();
    void yamlIsReadAsValues();
    void hostileYamlIsRefused_data();
    void hostileYamlIsRefused();
    void foldersAreKnownByTheirFiles();
};

void ImportTask::aTaskBecomesAPack() {
    const auto problem = imported(product);
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QCOMPARE(pack.name, std::string("scaled-product"));
    QCOMPARE(pack.title, std::string("Multiply two matrices."));
    QVERIFY(pack.dims == std::vector<std::string>({"m", "k", "n"}));
    QVERIFY(pack.shapesOf(ShapeSet::test) == std::vector<Shape>({{32, 48, 16}, {64, 16, 32}}));
    QVERIFY(pack.shapesOf(ShapeSet::benchmark) == std::vector<Shape>({{4096, 1024, 2048}}));
    QVERIFY(pack.shapesOf(ShapeSet::cpu) == pack.shapesOf(ShapeSet::test));
    // Nobody says that there are others: extents of two of them put together.
    QVERIFY(pack.shapesOf(ShapeSet::heldOut).front() == (Shape{64, 48, 16}));
    const auto one = imported(product, "tests: [{\"m\": 64, \"n\": 32, \"k\": 16, \"seed\": 2}]\n");
    QVERIFY(!one && has(one.error().message(), "too few shapes"));
    QVERIFY(pack.isFree == std::vector<bool>(3, false) && pack.combinesExtents);
    QCOMPARE(pack.tensors.size(), 3u);
    QVERIFY(pack.tensors[0].fill == Fill::uniform && pack.tensors[0].type == ElementType::f16);
    QVERIFY(pack.tensors[1].fill == Fill::normal);
    QVERIFY(pack.tensors[2].role == TensorRole::output && pack.tensors[2].type == ElementType::f32);
    QVERIFY(pack.tolerance == (Tolerance{2e-2, 1e-3, 0}));
    QVERIFY(problem->files.contains("task.yml") && problem->files.contains("reference.py"));
    const auto named = imported(replaced(product, "check_implementation = make_match_reference(ref_kernel, rtol=2e-02",
                                         "R = 2e-02\nRTOL = R\ncheck_implementation = "
                                         "make_match_reference(ref_kernel, rtol=RTOL"));
    QVERIFY2(named.has_value(), named ? "" : named.error().message().c_str());
    QVERIFY(packOf(*named).tolerance == (Tolerance{2e-2, 1e-3, 0}));
    // So is a type.
    const auto typed = imported(
        replaced(replaced(replaced(product, "n, k), device=\"cuda\", dtype=torch.float16, generator=gen).contiguous()",
                                   "n, k)).to(kind).to(DEVICE)"),
                          "    gen = torch", "    kind = HALF\n    gen = torch"),
                 "SCALE =", "HALF = torch.float16\nDEVICE = torch.device('cuda')\nSCALE ="));
    QVERIFY2(typed.has_value(), typed ? "" : typed.error().message().c_str());
    QCOMPARE(typed->files.at("problem.toml"), problem->files.at("problem.toml"));
    // What is only done where the file is run by itself changes nothing.
    const auto main = imported(replaced(product, "def ref_kernel",
                                        "@torch.no_grad()\n@torch.inference_mode()\n"
                                        "def ref_kernel") +
                               "\nif __name__ == \"__main__\":\n    ref_kernel = f\n    SCALE = 3\n");
    QVERIFY2(main.has_value(), main ? "" : main.error().message().c_str());
    QCOMPARE(main->files.at("problem.toml"), problem->files.at("problem.toml"));
    // How exactly the harness computes is no matter here, and most references are in such a block.
    const auto within =
        imported(replaced(product, "    a, b, c = data\n    c[...] = SCALE * (a @ b.T)\n    return c\n",
                          "    with DeterministicContext():\n        a, b, c = data\n"
                          "        with torch.no_grad():\n            p = (a @ b.T).float()\n        return "
                          "(SCALE * p).to(torch.float32)\n"));
    QVERIFY2(within.has_value(), within ? "" : within.error().message().c_str());
    QCOMPARE(within->files.at("problem.toml"), problem->files.at("problem.toml"));
}

// Drawn between bounds, or multiplied and moved: as the pack draws them.
void ImportTask::valuesHaveBounds() {
    const std::string bounded =
        replaced(replaced(product, "uniform_(0, 1", "uniform_(-5, 1"), ".contiguous()", " * 0.25 + 3");
    const auto problem = imported(bounded);
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.tensors[0].fill == Fill::uniform && pack.tensors[0].scale == 6 && pack.tensors[0].offset == -5);
    QVERIFY(pack.tensors[1].fill == Fill::normal && pack.tensors[1].scale == 0.25 && pack.tensors[1].offset == 3);
    // What is filled anew has nothing of what it had before.
    const ProblemPack zeroed = packOf(*imported(replaced(bounded, "    c = torch", "    b.zero_()\n    c = torch")));
    QVERIFY(zeroed.tensors[1].fill == Fill::zeros && zeroed.tensors[1].scale == 1 && zeroed.tensors[1].offset == 0);
    const ProblemPack again =
        packOf(*imported(replaced(bounded, "    c = torch", "    b.normal_(mean=SCALE, std=2)\n    c = torch")));
    QVERIFY(again.tensors[1].fill == Fill::normal && again.tensors[1].scale == 2 && again.tensors[1].offset == 0.5);
    // What no pack can have is refused by a name that is there to be seen.
    const auto folder = TemporaryDirectory::create("gks-import-task").value();
    const auto refused =
        writeProblem(*imported(replaced(bounded, "* 0.25 + 3", "* 0.25 + 1e9")), folder.path() / "pack");
    QVERIFY(!refused);
    QVERIFY2(refused.error().where.starts_with("what would be written: problem.toml:"),
             refused.error().message().c_str());
    const ProblemPack turned = packOf(*imported(replaced(product,
                                                         "torch.randn((n, k), device=\"cuda\", "
                                                         "dtype=torch.float16, generator=gen).contiguous()",
                                                         "1 - torch.rand((n, k)) / 4")));
    QVERIFY(turned.tensors[1].fill == Fill::uniform && turned.tensors[1].scale == -0.25 &&
            turned.tensors[1].offset == 1);
}

// A number that is drawn by itself is one of those that it may be, and said to be.
void ImportTask::aNumberIsDrawnOnce() {
    const auto problem = imported(R"(import torch
from task import input_t, output_t
from utils import make_match_reference

def ref_kernel(data: input_t) -> output_t:
    data, output = data
    output = data.to(torch.float64).sum().to(torch.float32)
    return output

def generate_input(size: int, seed: int) -> input_t:
    data = torch.randn(size, dtype=torch.float32).contiguous()
    offset_gen = torch.Generator()
    offset_gen.manual_seed(seed + 1)
    offset = (torch.rand(1, generator=offset_gen) * 200 - 100).item()
    scale = (torch.rand(1) * 9.5 + 0.5).item()
    values = (data * scale + offset).contiguous()
    total = torch.empty(1, dtype=torch.float32)
    return values, total

check_implementation = make_match_reference(ref_kernel)
)",
                                  "lang: \"py\"\ntests:\n  - {\"size\": 1023, \"seed\": 1}\n  - {\"size\": 2048, "
                                  "\"seed\": 2}\nbenchmarks:\n  - {\"size\": 65536, \"seed\": 3}\n");
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.tensors.size() == 2 && pack.tensors[0].scale == 10 && pack.tensors[0].offset == 100);
    QVERIFY(pack.tensors[1].role == TensorRole::output && pack.tensors[1].extents == std::vector<std::string>({"1"}));
    QVERIFY(std::ranges::any_of(problem->notes, [](const std::string& note) {
        return has(note, "offset is drawn from -100 to 100 for each seed there; here it is always 100");
    }));
}

// A name of generate_input is none of ref_kernel, where a value beside them may have it.
void ImportTask::namesOfInputsAreNoneOfTheKernel() {
    const auto problem =
        imported(replaced(replaced(product, "a, b, c = data", "x, y, c = data"), "SCALE * (a @ b.T)", "a * (x @ y.T)") +
                 "\na = 0.5\n");
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    QCOMPARE(problem->files.at("reference.cpp"), imported(product)->files.at("reference.cpp"));
}

void ImportTask::extentsAreComputed() {
    const std::string reference = R"(import torch
BLOCK = 16
def generate_input(m, k, seed):
    groups = k // BLOCK
    shape = (m, groups)
    torch.manual_seed(seed)
    a = torch.rand(shape, dtype=torch.float32)
    b = torch.ones(3, groups).cuda()
    return a, b
def ref_kernel(data):
    a, b = data
    return a * b.sum(dim=0)
)";
    const auto problem = imported(reference);
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.dims == std::vector<std::string>({"m", "computed1", "extent3"}));
    QVERIFY(pack.shapesOf(ShapeSet::test) == std::vector<Shape>({{32, 3, 3}, {64, 1, 3}}));
    QVERIFY(pack.tensors[1].fill == Fill::ones && pack.tolerance.ofMagnitude > 0);
    // What a name stands for further down is not what it stood for.
    const auto changed = imported(replaced(reference, "    a = ", "    groups = 5\n    a = "));
    QVERIFY2(!changed && has(changed.error().message(), "combines an axis"),
             changed ? "" : changed.error().message().c_str());
}

void ImportTask::weightsInARowAreNumbers() {
    const std::string reference = R"(import torch
def generate_input(m, n, k, seed):
    x = torch.rand(m, n, 3, dtype=torch.float32)
    y = torch.empty(m, n, dtype=torch.float32)
    return (x, y)
def ref_kernel(data):
    data, output = data
    weights = torch.tensor([0.25, 0.5, -0.125], device=data.device, dtype=data.dtype)
    output = torch.sum(data * weights, dim=-1)
    return output
)";
    const auto problem = imported(replaced(reference, "m, n, k, seed", "m, n, seed"));
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    QVERIFY(has(problem->files.at("reference.cpp"), "r0 == 0 ? 0.25 : r0 == 1 ? 0.5 : -0.125"));
    QVERIFY(has(problem->files.at("seeds/naive.hip"), "r0 == 0 ? 0.25f : r0 == 1 ? 0.5f : -0.125f"));
    const auto refusal = [&](const std::string& from, const std::string& to) {
        const auto refused = imported(replaced(replaced(reference, "m, n, k, seed", "m, n, seed"), from, to));
        return refused ? std::string("accepted") : refused.error().message();
    };
    QVERIFY(has(refusal("[0.25, 0.5, -0.125]", "[0.25, 0.5]"), "no axis is always as long"));
    QVERIFY(has(refusal("[0.25, 0.5, -0.125]", "[0.25, 0.5, m]"), "something else than numbers"));
    QVERIFY(has(refusal("[0.25, 0.5, -0.125], device=data.device, dtype=data.dtype", "[1, 2, 3]"), "whole numbers"));
    QVERIFY(has(refusal("dtype=data.dtype)\n    output", "dtype=torch.int32)\n    output"), "no type of floating"));
}

void ImportTask::convolutionsHaveWindows() {
    const std::string reference = R"(import torch
import torch.nn.functional as F
def generate_input(m, n, k, seed):
    x = torch.randn(2, n, m, m, dtype=torch.float32)
    w = torch.randn(n, n, k, k, dtype=torch.float32)
    y = torch.empty(2, n, m - k + 1, m - k + 1, dtype=torch.float32)
    return (x, w, y)
def ref_kernel(data):
    with DisableCuDNNTF32():
        x, w, y = data
        return F.conv2d(x, w, stride=1, padding=0)
)";
    const std::string yaml = "tests:\n  - {m: 32, n: 16, k: 5, seed: 1}\n  - {m: 24, n: 8, k: 4, seed: 1}\n"
                             "benchmarks:\n  - {m: 128, n: 64, k: 16, seed: 1}\n";
    const auto problem = imported(reference, yaml);
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.dims == std::vector<std::string>({"extent2", "n", "m", "k", "computed1"}));
    QVERIFY(pack.tensors.back().extents == std::vector<std::string>({"extent2", "n", "computed1", "computed1"}));
    QVERIFY(!pack.combinesExtents && pack.shapesOf(ShapeSet::test).front() == (Shape{2, 16, 32, 5, 28}));
    QVERIFY(has(problem->files.at("reference.cpp"), "* m + i2+r2) * m + i3+r4]"));
    // What is too dear to be computed is not for the cpu target, but no floor says so: there are ways with fewer
    // operations than the sums are written with.
    QVERIFY(pack.shapesOf(ShapeSet::cpu) == std::vector<Shape>({{2, 16, 32, 5, 28}}));
    QCOMPARE(*pack.flops({2, 16, 32, 5, 28}), 2.0 * 16 * 28 * 28);
    // Without a place for the output the extent is there as well.
    const auto without =
        imported(replaced(replaced(reference, "(x, w, y)\n", "(x, w)\n"), "x, w, y = data", "x, w = data"), yaml);
    QVERIFY2(without.has_value(), without ? "" : without.error().message().c_str());
    QVERIFY(packOf(*without).dims.size() == 5);
    const auto refusal = [&](const std::string& from, const std::string& to) {
        const auto refused = imported(replaced(reference, from, to), yaml);
        return refused ? std::string("accepted") : refused.error().message();
    };
    QVERIFY(has(refusal("stride=1", "stride=2"), "gives conv2d a stride"));
    QVERIFY(has(refusal("padding=0", "padding=1"), "gives conv2d a padding"));
    QVERIFY(has(refusal("padding=0", "groups=n"), "gives conv2d a groups"));
    QVERIFY(has(refusal("(x, w, stride", "(x, w, y, stride"), "in a way that"));
    QVERIFY(has(refusal("(x, w, stride", "(x, w.sum(0), stride"), "of four axes"));
}

void ImportTask::theTypeOfTheOutputFollows() {
    const auto typeOf = [](const std::string& drawn, const std::string& body) {
        const auto problem =
            imported("import torch\ndef generate_input(m, n, k, seed):\n    a = torch.randn(m, n" + drawn +
                     ")\n    s = torch.randn(k)\n    return (a, s)\ndef ref_kernel(data):\n"
                     "    a, s = data\n" +
                     body);
        return problem ? packOf(*problem).tensors.back().type == ElementType::f16   ? std::string("f16")
                         : packOf(*problem).tensors.back().type == ElementType::f64 ? std::string("f64")
                                                                                    : std::string("f32")
                       : problem.error().message();
    };
    QCOMPARE(typeOf(", dtype=torch.float16", "    return a + a\n"), std::string("f16"));
    QCOMPARE(typeOf("", "    b = a.to(torch.float64)\n    return b\n"), std::string("f64"));
    QCOMPARE(typeOf(", dtype=torch.float16", "    return (a + s.sum()).half()\n"), std::string("f16"));
    QCOMPARE(typeOf(").to(torch.float16", "    return a + a\n"), std::string("f16"));
    QVERIFY(has(typeOf(", dtype=torch.float16", "    return a + s.sum()\n"), "does not follow"));
    QVERIFY(has(typeOf(", dtype=torch.float16", "    b = a.float()\n    return b + 1\n"), "does not follow"));
}

// Not another tensor of the same extents that nobody reads.
void ImportTask::theBufferThatIsFilledSaysTheType() {
    const auto typeOf = [](const std::string& body, const std::string& values = "") {
        const auto problem = imported("import torch\n" + values +
                                      "def generate_input(m, n, seed):\n    a = torch.randn(m, n)\n"
                                      "    tmp = torch.empty(m, n, dtype=torch.float16)\n"
                                      "    out = torch.empty(m, n, dtype=torch.float64)\n    return a, tmp, out\n"
                                      "def ref_kernel(data):\n    a, tmp, out = data\n" +
                                      body);
        return problem ? std::string(name(packOf(*problem).tensors.back().type)) : problem.error().message();
    };
    const std::string f16(name(ElementType::f16));
    const std::string f32(name(ElementType::f32));
    const std::string f64(name(ElementType::f64));
    QCOMPARE(typeOf("    return a * 2\n"), f32);
    QCOMPARE(typeOf("    out[...] = a * 2\n    return out\n"), f64);
    QCOMPARE(typeOf("    tmp[...] = a * 2\n    return tmp\n"), f16);
    QCOMPARE(typeOf("    tmp[...] = a * 2\n    tmp += 1\n    b = tmp\n    return b\n"), f16);
    QCOMPARE(typeOf("    b = a * 2\n    out[...] = b\n    return b\n"), f32);
    QCOMPARE(typeOf("    tmp = a * 2\n    return tmp\n"), f32); // another tensor of that name
    QCOMPARE(typeOf("    b = a.to(torch.float32)\n    return b * 2\n"), f32);
    QVERIFY(has(typeOf("    b = a.to(tmp.dtype)\n    return b * 2\n"), "does not follow"));
    QVERIFY(has(typeOf("    return a * W\n", "W = torch.tensor(0.5, dtype=torch.float64)\n"), "does not follow"));
}

// keepdim=KEEP is what KEEP is.
void ImportTask::optionsAreTakenByTheirNames() {
    const auto filesOf = [](const std::string& values, const std::string& kernel) {
        const auto problem = imported("import torch\n" + values +
                                      "def generate_input(m, seed):\n    return torch.rand(m, m) + 1\n"
                                      "def ref_kernel(data):\n" +
                                      kernel);
        return problem ? problem->files.at("reference.cpp") : problem.error().message();
    };
    const std::string kept = filesOf("", "    return data / data.sum(1, keepdim=True)\n");
    const std::string gone = filesOf("", "    return data / data.sum(1)\n");
    QVERIFY(has(kept, "reference") && kept != gone);
    QCOMPARE(filesOf("KEEP = True\n", "    return data / data.sum(1, keepdim=KEEP)\n"), kept);
    QCOMPARE(filesOf("AXIS = 1\n", "    keep = True\n    return data / torch.sum(data, AXIS, keep)\n"), kept);
    QCOMPARE(filesOf("KEEP = False\n", "    return data / data.sum(1, keepdim=KEEP)\n"), gone);
    QCOMPARE(filesOf("K = True\n", "    return data / torch.amax(data, 1, K)\n"),
             filesOf("", "    return data / torch.max(data, dim=1, keepdim=True).values\n"));
    QCOMPARE(filesOf("K = True\n", "    return data / torch.max(data, dim=1, keepdim=K).values\n"),
             filesOf("", "    return data / torch.amax(data, dim=1, keepdim=True)\n"));
    QVERIFY(has(filesOf("", "    return data / data.sum(1, keepdim=KEEP)\n"), "line 5 column 39: uses KEEP"));
    QVERIFY(has(filesOf("KEEP = 1\n", "    return data / data.sum(1, keepdim=KEEP)\n"), "needs True or False"));
    QVERIFY(has(filesOf("KEEP = x > 1\n", "    return data / data.sum(1, keepdim=KEEP)\n"), "uses KEEP"));
    // A number of Python has no other names that see it change.
    QVERIFY(has(filesOf("F = 3\n", "    s = F\n    t = s\n    s += 2\n    return data * t + s\n"), "extern \"C\""));
    QVERIFY(has(filesOf("", "    return torch.softmax(data, 1, torch.float16)\n"), "gives softmax too much"));
}

void ImportTask::sumsSoFarAreARow() {
    const std::string reference = R"(import torch
def generate_input(m, n, seed):
    block = (m, n)
    rows, cols = block
    x = torch.randn(rows, cols, dtype=torch.float32)
    y = torch.empty(rows, cols, dtype=torch.float32)
    return (x, y)
def ref_kernel(data):
    x, y = data
    return torch.cumsum(x.to(torch.float64), dim=-1).to(torch.float64)
)";
    const auto problem = imported(reference);
    QVERIFY2(problem.has_value(), problem ? "" : problem.error().message().c_str());
    const ProblemPack pack = packOf(*problem);
    QVERIFY(pack.dims == std::vector<std::string>({"m", "n"}));
    // It is computed in double to be on the safe side; the place for it is float.
    QVERIFY(pack.tensors.back().role == TensorRole::output && pack.tensors.back().type == ElementType::f32);
    QCOMPARE(*pack.flops({32, 16}), 2.0 * 32 * 16);
    QVERIFY(has(problem->files.at("reference.cpp"), "] = a1s += "));
    const std::string& naive = problem->files.at("seeds/naive.hip");
    QVERIFY2(has(naive, "const long long row = ") && !has(naive, "< r"), naive.c_str());
    // What belongs to no element is kept from range to range; of two axes nothing does.
    QVERIFY(!has(problem->files.at("reference.cpp"), "new_inputs"));
    const auto line =
        imported(replaced(reference, "rows, cols, dtype=torch.float32)\n    y", "rows, dtype=torch.float32)\n    y"));
    QVERIFY2(line.has_value() && has(line->files.at("reference.cpp"), "extern \"C\" void new_inputs()"),
             line ? line->files.at("reference.cpp").c_str() : line.error().message().c_str());
    // Along another axis than the one that a thread goes along it is added up again.
    const auto along = imported(replaced(reference, "dim=-1", "dim=0"));
    QVERIFY2(along.has_value() && has(along->files.at("seeds/naive.hip"), "r0 < i0 + 1; ++r0"),
             along ? along->files.at("seeds/naive.hip").c_str() : along.error().message().c_str());
    // Without a place of that shape it stays what is returned.
    const auto other = imported(replaced(reference, "torch.empty(rows, cols", "torch.empty(cols, rows"));
    QVERIFY2(other.has_value(), other ? "" : other.error().message().c_str());
    QVERIFY(packOf(*other).tensors.back().type == ElementType::f64);
    const auto refusal = [&](const std::string& from, const std::string& to) {
        const auto refused = imported(replaced(reference, from, to));
        return refused ? std::string("accepted") : refused.error().message();
    };
    QVERIFY(has(refusal(", dim=-1", ""), "calls cumsum without an axis"));
    QVERIFY(has(refusal("dim=-1", "dim=2"), "names an axis"));
    QVERIFY(has(refusal("dim=-1", "dim=0, out=y"), "gives out="));
    QVERIFY(has(refusal("dim=-1", "dim=0, dtype=torch.int32"), "no type of floating point"));
    QVERIFY(has(refusal("rows, cols = block", "rows, cols, depth = block"), "no tuple of as many numbers"));
    QVERIFY(has(refusal("rows, cols = block", "m, n = block"), "gives m another value"));
}

void ImportTask::drawsOfOneSeedFollowFromEachOther() {
    const std::string reference = R"(import torch
def generate_input(m, n, seed):
    gen = torch.Generator(device='cuda')
    other = torch.Generator(device='cuda')
    gen.manual_seed(seed)
    other.manual_seed(seed + 1)
    a = torch.randn(m, n, dtype=torch.float32, generator=gen)
    b = torch.randn(m, n, dtype=torch.float32, generator=other)
    return (a, b)
def ref_kernel(data):
    a, b = data
    return a - b
)";
    const auto refusal = [&](const std::string& from, const std::string& to) {
        const auto refused = imported(replaced(reference, from, to));
        return refused ? std::string("accepted") : refused.error().message();
    };
    const std::string said = "draws b from the seed of a";
    QCOMPARE(refusal("seed + 1", "seed + 2"), std::string("accepted"));
    QCOMPARE(refusal("generator=other", "generator=gen"), std::string("accepted"));
    for (const char* same : {"seed + 0", "1 * seed", "int(seed)", "seed + 2 - 2"}) {
        QVERIFY2(has(refusal("seed + 1", same), said), same);
    }
    QVERIFY(has(refusal("seed + 1", "seed"), "line 8 column 20: generate_input " + said));
    QVERIFY(has(refusal("    other.manual_seed(seed + 1)\n", "    gen = other\n    gen.manual_seed(seed)\n"),
                "accepted")); // both draw from one
    QVERIFY(has(refusal("    b =", "    gen.manual_seed(seed)\n    other = gen\n    b ="), said));
    QVERIFY(has(refusal("    b =", "    s = seed\n    other.manual_seed(s)\n    b ="), said));
    QVERIFY(has(refusal("generator=other)", "generator=torch.Generator(\"cuda\").manual_seed(seed))"), said));
    QVERIFY(has(refusal("torch.randn(m, n, dtype=torch.float32, generator=other)",
                        "torch.empty(m, n, dtype=torch.float32).normal_(0, 2, generator=torch.manual_seed(seed))"),
                said));
    QVERIFY(has(refusal("    gen.manual_seed(seed)\n    other.manual_seed(seed + 1)\n", ""), said)); // both begin alike
    QVERIFY(has(refusal("generator=other", "generator=seeded"), "draws with seeded, which is no generator"));
    // A place for the output may be drawn from whatever there is.
    const std::string withPlace =
        replaced(replaced(reference, "return (a, b)", "return (a, b, a2)"), "a, b = data", "a, b, place = data");
    const std::string draw = "    a2 = torch.randn(m, n, dtype=torch.float32, generator=gen.manual_seed(seed))\n";
    QVERIFY(imported(replaced(withPlace, "    return (a", draw + "    return (a")).has_value());
}

void ImportTask::whatItCannotSayIsRefused_data() {
    QTest::addColumn<std::string>("reference");
    QTest::addColumn<std::string>("yaml");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const std::string& from, const std::string& to, const std::string& said) {
        QTest::newRow(name) << replaced(product, from, to) << task << said;
    };
    const auto yamlRow = [](const char* name, const std::string& from, const std::string& to, const std::string& said) {
        QTest::newRow(name) << product << replaced(task, from, to) << said;
    };
    row("no reference", "def ref_kernel", "def other", "defines no function called ref_kernel");
    row("no inputs", "def generate_input", "def other", "defines no function called generate_input");
    row("other draws", "torch.randn((n, k)", "torch.randint((n, k)", "t/reference.py, reference line 19 column");
    row("values computed", ".contiguous()", " ** 2", "computes with the values");
    row("nothing left", ".contiguous()", " * 0", "computes with the values");
    row("bounds", "uniform_(0, 1", "uniform_(1, 1", "calls uniform_");
    row("empty input", "    a.uniform_(0, 1, generator=gen)\n", "", "leaves an input empty");
    row("whole numbers", ".contiguous()", ".random_(-2, 2)", "calls random_");
    row("eight bits", "b = torch.randn((n, k), device=\"cuda\", dtype=torch.float16",
        "b = torch.randn((n, k), device=\"cuda\", dtype=torch.uint8", "type uint8");
    row("comparison", "    c[...] =", "    d = a < 0.5\n    c[...] =", "line 26 column 11: compares by \"<\" here");
    row("loop", "    c[...] =", "    for i in range(3):\n        pass\n    c[...] =", "uses for");
    row("context", "    c[...] =", "    with Helper():\n        pass\n    c[...] =", "uses with");
    row("behind return", "    return c\n", "    with DeterministicContext():\n        return c\n    return a\n",
        "goes on behind return");
    row("other context", "    c[...] =", "    with DeterministicContext(a):\n        pass\n    c[...] =", "uses with");
    row("other shape", "c[...] = SCALE * (a @ b.T)", "c[...] = a", "another shape");
    row("fills what it reads", "c[...] = SCALE * (a @ b.T)", "c[...] = c + SCALE * (a @ b.T)", "which it also fills");
    row("fills a value", "c[...] = SCALE", "d = 2 * a\n    d[...] = a\n    c[...] = SCALE",
        "fills d, which is no input");
    row("another name", "    c[...] =", "    d = c\n    d[...] =", "which it also fills");
    row("sum with another name", "    c[...] = SCALE *", "    s = a.sum()\n    t = s\n    s += 100\n    c[...] = t *",
        "line 28 column 5: changes s in place");
    row("view of a sum", "    c[...] = SCALE *", "    s = a.sum()\n    t = s[None]\n    s += 100\n    c[...] = t *",
        "changes s in place");
    row("scalar with another name", "    c[...] = SCALE *",
        "    s = torch.tensor(0.5)\n    t = s\n    s += 100\n    c[...] = t *", "changes s in place");
    row("tolerance", "rtol=2e-02", "rtol=RTOL", "line 30 column 62: gives make_match_reference a rtol");
    row("tolerance computed", "rtol=2e-02", "rtol=2 * 1e-2", "gives make_match_reference a rtol");
    row("option of the check", "rtol=2e-02", "equal_nan=2", "gives make_match_reference a equal_nan");
    row("tolerance by place", "rtol=2e-02", "1e-3", "something else than ref_kernel");
    row("other reference", "(ref_kernel, rtol", "(ref_other, rtol", "something else than ref_kernel");
    row("two of one draw", "b = torch.randn((n, k), device=\"cuda\", dtype=torch.float16, generator=gen).contiguous()",
        "b = 1 - a", "line 21 column 16: generate_input returns b that comes from another input, a");
    row("another name of an input", "    c = torch.empty", "    d = b\n    d.uniform_(-5, 5)\n    c = torch.empty",
        "line 21 column 5: generate_input changes d in place");
    row("changed for another", "    c = torch.empty", "    b = a.uniform_(-5, 5)\n    c = torch.empty",
        "changes a tensor in place that has a name");
    row("number of an input", "    c = torch.empty", "    s = b.item()\n    c = torch.empty",
        "takes a number out of a tensor that has a name");
    row("option of a draw", "generator=gen)\n    b", "dtype=gen)\n    b", "calls uniform_ on the values");
    row("name of the inputs", "    a, b, c = data\n    c[...] = SCALE * (a @ b.T)",
        "    x, y, c = data\n    c[...] = SCALE * (x @ b.T)", "line 26 column 27: uses b, which it does not know");
    row("a part", "c[...] =", "c[0] =", "writes a part");
    row("effect", "    c[...] =", "    torch.cuda.synchronize()\n    c[...] =", "effect alone");
    row("unknown value", "SCALE * (", "FACTOR * (", "uses FACTOR");
    row("value changed", "def ref_kernel", "SCALE += 1\n\ndef ref_kernel", "uses SCALE");
    row("value in a block", "def ref_kernel", "if True:\n    SCALE = 3\n\ndef ref_kernel",
        "line 25 column 11: sets a value in a condition");
    row("value in a try", "def ref_kernel", "try:\n    SCALE = 3\nexcept E:\n    pass\n\ndef ref_kernel", "uses SCALE");
    row("value in a row", "def ref_kernel", "OTHER = SCALE = 3\n\ndef ref_kernel", "uses SCALE");
    row("value of another", "SCALE = 0.5", "S = 3\nSCALE = S\nS = 4", "uses SCALE");
    row("value by a condition", "SCALE = 0.5", "SCALE = 0.5 if x else 1", "uses SCALE");
    row("value in a function", "def ref_kernel", "def other():\n    global SCALE\n    SCALE = 3\n\ndef ref_kernel",
        "uses SCALE");
    row("decorated", "def ref_kernel", "@scaled(5)\ndef ref_kernel", "decorates the function");
    row("decorated by torch", "def ref_kernel", "@torch.vmap\ndef ref_kernel",
        "line 24 column 1: decorates the function");
    row("decorated inputs", "def generate_input", "@torch.compile(f)\n@torch.no_grad()\ndef generate_input",
        "decorates the function");
    row("second function",
        "check_implementation =", "def ref_kernel(data):\n    return data[0]\n\ncheck_implementation =",
        "line 30 column 1: defines ref_kernel a second time");
    row("function in a row", "def generate_input", "other = ref_kernel = f\n\ndef generate_input",
        "makes another ref_kernel");
    row("function of another file", "check_implementation =", "from other import ref_kernel\ncheck_implementation =",
        "does something with ref_kernel");
    row("function made global", "def generate_input",
        "def other():\n    global ref_kernel\n    ref_kernel = f\n\ndef generate_input",
        "line 14 column 12: makes ref_kernel global");
    row("function in a condition", "def generate_input",
        "if __name__ != '__nobody__':\n    ref_kernel = f\n\ndef generate_input", "does something with ref_kernel");
    row("function in the other case", "check_implementation =",
        "if __name__ == '__main__':\n    pass\nelse:\n    ref_kernel = f\ncheck_implementation =",
        "does something with ref_kernel");
    row("call beside", "def generate_input", "change(1)\n\ndef generate_input",
        "line 13 column 1: calls change beside");
    row("function again", "def generate_input", "ref_kernel = other(1)\n\ndef generate_input",
        "makes another ref_kernel");
    row("another module", "import torch", "import numpy as torch",
        "line 2 column 17: takes numpy for torch, which is torch in what can be translated");
    row("module of another", "import torch", "import torch\nfrom other import fast, math",
        "line 3 column 25: takes other.math for math");
    row("functions of another", "import torch", "import torch, torch.nn.modules as F",
        "takes torch.nn.modules for F, which is torch.nn.functional");
    row("module in a try", "import torch", "try:\n    import quick as torch\nexcept E:\n    import torch",
        "line 3 column 21: takes quick for torch");
    row("module behind a semicolon", "import torch", "import torch; import quick as torch", "takes quick for torch");
    row("whatever another has", "import torch", "import torch\nfrom quick import *",
        "line 3 column 1: imports whatever quick has, which may be another torch");
    row("value called as a module", "SCALE = 0.5", "SCALE = 0.5\ntorch = SCALE",
        "line 6 column 1: makes another torch");
    row("function called as a module", "def generate_input", "def math(x):\n    return x\n\ndef generate_input",
        "line 13 column 5: makes another math");
    row("module of a loop", "def generate_input", "for torch in (1, 2):\n    pass\n\ndef generate_input",
        "makes another torch");
    row("module made global", "def generate_input",
        "def other():\n    global x, torch\n    torch = x\n\ndef generate_input",
        "line 14 column 15: makes another torch");
    row("module of generate_input", "    a = torch.empty", "    torch = SCALE\n    a = torch.empty",
        "generate_input makes another torch");
    row("method of a value", "    c[...] = SCALE * (a @ b.T)", "    F = a @ b.T\n    c[...] = F.max(F)",
        "names an axis"); // and no function of torch
    row("part of torch", "def ref_kernel", "torch.exp = torch.log\n\ndef ref_kernel", "calls or changes torch.exp");
    row("part of torch in a block", "def ref_kernel", "if SCALE:\n    torch.exp = torch.log\n\ndef ref_kernel",
        "changes a part of torch");
    row("usual type", "def ref_kernel", "torch.set_default_dtype(torch.float16)\n\ndef ref_kernel",
        "line 24 column 1: calls or changes torch.set_default_dtype");
    row("unknown type", ".contiguous()", ".to(dt)", "line 19 column 83: generate_input calls to with dt");
    row("type of another", ".contiguous()", ".to(a)", "calls to with a");
    row("option of to", ".contiguous()", ".to(other=a)", "gives other=");
    row("too few", "a, b, c = data", "a, b = data", "takes something apart into 2");
    row("second parameter", "ref_kernel(data: input_t)", "ref_kernel(data: input_t, flag)", "more than one parameter");
    row("parameter that is no extent", "k: int, seed", "k: int, kind: str, seed", "the parameter kind");
    row("parameter again", "    a = torch.empty", "    k = 3\n    a = torch.empty", "gives k another value");
    row("extent that is code", "torch.empty(m, k,", "torch.empty(m, int(k),", "extent that cannot");
    row("unknown extent", "torch.empty(m, k,", "torch.empty(m, depth,", "uses depth");
    row("two at once", "    a.uniform_", "    a, b = f()\n    a.uniform_", "takes something apart");
    row("returns no tensor", "return (a, b, c)", "return (a, b, seed)", "returns seed");
    std::string doubled;
    for (int i = 0; i < 40; ++i) {
        doubled += "    z = z + z\n";
    }
    row("doubling", "    a = torch.empty(m, k,", "    z = m\n" + doubled + "    a = torch.empty(m, z,",
        "computes"); // ended by its steps
    yamlRow("no extent", "\"m\": 32", "\"m\": 0", "\"tests\" in which m is no extent");
    yamlRow("no such parameter", "\"k\": 48, ", "", "\"tests\" in which k is no extent");
    yamlRow("text", "\"m\": 32", "\"m\": \"many\"", "in which m");
    yamlRow("no list", "benchmarks:\n", "benchmarks: 7\nother:\n", "no list");
    QTest::newRow("no shapes") << product << std::string("lang: cu\n") << std::string("neither \"tests\" nor");
    QTest::newRow("list") << product << std::string("- 1\n") << std::string("a mapping is needed");
}

void ImportTask::whatItCannotSayIsRefused() {
    QFETCH(const std::string, reference);
    QFETCH(const std::string, yaml);
    QFETCH(const std::string, said);
    const auto problem = imported(reference, yaml);
    const std::string refusal = problem ? "accepted" : problem.error().message();
    QVERIFY2(has(refusal, said), refusal.c_str());
    QVERIFY(problem || problem.error().kind == ErrorKind::usage);
}

void ImportTask::yamlIsReadAsValues() {
    const auto json =
        parseYaml("a: 1\nb: [x, 'y', -2.5, true, ~]\nc: {\"d\": \"7\", e: }\nf: |\n  two\n  lines\n", "t");
    QVERIFY2(json.has_value(), json ? "" : json.error().message().c_str());
    QCOMPARE(json->dump(),
             std::string(R"({"a":1,"b":["x","y",-2.5,true,null],"c":{"d":"7","e":null},"f":"two\nlines\n"})"));
}

void ImportTask::hostileYamlIsRefused_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("said");
    const auto row = [](const char* name, const std::string& text, const char* said) {
        QTest::newRow(name) << text << std::string(said);
    };
    row("anchors", "a: &x [1, 2]\nb: *x\n", "t:1: uses an anchor");
    row("alias", "a: 1\nb: *x\n", "t:2: uses an alias");
    row("tag", "a: !!python/object:os.system x\n", "a tag");
    row("depth", std::string(1000, '[') + std::string(1000, ']'), "too deeply");
    row("twice", "a: 1\na: 2\n", "t:2: has the key a twice");
    row("keys", "? [1, 2]\n: x\n", "key that is no text");
    row("values", "[" + std::string(50000, ',') + "]", "t:1");
    row(
        "many values",
        "[" +
            [] {
                std::string all;
                for (int i = 0; i < 30000; ++i) {
                    all += "1,";
                }
                return all;
            }() +
            "]",
        "too many values");
    row("length", std::string(300000, ' '), "KiB");
    row("nothing", "# only words\n", "holds nothing");
    row("broken", "a: [1, 2\nb: {", "is no YAML");
    row("bytes", "a: \xff\xfe\n", "is no YAML");
    row("tabs", "a:\n\t- 1\n", "is no YAML");
}

void ImportTask::hostileYamlIsRefused() {
    QFETCH(const std::string, text);
    QFETCH(const std::string, said);
    const auto json = parseYaml(text, "t");
    QVERIFY(!json && json.error().kind == ErrorKind::usage);
    QVERIFY2(has(json.error().message(), said), json.error().message().c_str());
}

void ImportTask::foldersAreKnownByTheirFiles() {
    const auto folder = TemporaryDirectory::create("gks-import-task").value();
    const auto place = folder.path() / "scaled_product";
    QVERIFY(makeDirectories(place));
    QVERIFY(has(readForeignProblem(place).error().message(), "neither task.yml nor definition.json"));
    QVERIFY(writeFileAtomically(place / "task.yml", task));
    QVERIFY(has(readForeignProblem(place).error().message(), "neither reference.py nor reference.cuh"));
    QVERIFY(writeFileAtomically(place / "reference.cuh", "#include \"task.h\"\n"));
    QVERIFY(has(readForeignProblem(place).error().message(), "task.h"));
    QVERIFY(writeFileAtomically(place / "reference.py", product));
    const auto read = readForeignProblem(place / ""); // as a shell completes it
    QVERIFY2(read.has_value(), read ? "" : read.error().message().c_str());
    QCOMPARE(read->name, std::string("scaled-product"));
}

QTEST_APPLESS_MAIN(ImportTask)
#include "import_task.moc"
