// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/torch_files.h"

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/export/library_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace gks {
namespace {

constexpr std::string_view bindingText =
    R"gks(// Torch tensors to the C interface of @NAME@. The C++ is written as for CUDA; builds for ROCm translate it.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "@NAME@.h"

@INCLUDES@#if defined(@UPPER@_ON_CPU)
extern "C" int hipDeviceSynchronize(); // of the cpu target's runtime: nobody else waits for it
#else
#include <c10/cuda/CUDAStream.h>
#endif
#include <c10/core/DeviceGuard.h>

#include <cmath>
#include <cstdint>
#include <vector>

@REFERENCE_DECLARATION@namespace @NAME@_torch {

void* streamOf(const at::Tensor& tensor) {
#if defined(@UPPER@_ON_CPU)
    (void)tensor;
    return nullptr;
#else
    return c10::cuda::getCurrentCUDAStream(tensor.get_device()).stream();
#endif
}

std::int64_t whole(double extent) {
    TORCH_CHECK(extent >= 1 && extent == std::floor(extent), "an extent is ", extent, ", not a positive whole number");
    return std::int64_t(extent);
}

// `type`: Undefined for types that not every torch has; then the size counts.
void expect(const at::Tensor& tensor, const char* name, const std::vector<std::int64_t>& shape, at::ScalarType type, std::size_t bytes,
            const at::Device& device) {
    TORCH_CHECK(tensor.device() == device, name, " is on another device");
    TORCH_CHECK(tensor.sizes() == at::IntArrayRef(shape), name, " has the shape ", tensor.sizes(), ", not ", at::IntArrayRef(shape));
    TORCH_CHECK(tensor.is_contiguous(), name, " is not contiguous");
    TORCH_CHECK(type == at::ScalarType::Undefined ? tensor.element_size() == std::int64_t(bytes) : tensor.scalar_type() == type, name,
                " has the type ", tensor.scalar_type());
}

// which: 0 by shape, 1 the kernel, 2 the fallback.
void run(@TENSOR_PARAMETERS@, @DIMS@, std::int64_t gks_which) {
    const at::Device gks_device = @FIRST@.device();
    const c10::DeviceGuard gks_guard(gks_device);
    {
        using std::ceil;
        using std::floor;
@EXPECTS@    }
    const auto gks_call = gks_which == 0 ? @NAME@ : gks_which == 1 ? @NAME@_kernel : @NAME@_fallback;
    const std::size_t gks_size = @NAME@_workspace_size(@DIM_LIST@);
    // The caching allocator gives it to nobody else before this stream is done with it.
    const at::Tensor gks_workspace = at::empty({std::int64_t(gks_size)}, @FIRST@.options().dtype(at::kByte));
    const int gks_status = gks_call(@POINTERS@@DIM_LIST@, gks_size > 0 ? gks_workspace.data_ptr() : nullptr, gks_size, streamOf(@FIRST@));
#if defined(@UPPER@_ON_CPU)
    hipDeviceSynchronize();
#endif
    TORCH_CHECK(gks_status == 0, "@NAME@: status ", gks_status, ", see @NAME@.h");
}

bool usesKernel(@DIMS@) {
    return @NAME@_uses_kernel(@DIM_LIST@) != 0;
}
@REFERENCE@
} // namespace @NAME@_torch
@REGISTRATION@)gks";

constexpr std::string_view referenceDeclaration =
    R"gks(extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected);
#if @HAS_MAGNITUDE@
extern "C" void magnitude(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected);
#endif

)gks";

constexpr std::string_view referenceText = R"gks(
// The reference of the problem, on the CPU: inputs in its order (fp8 as float), an empty tensor for each output.
at::Tensor expected(at::TensorList tensors, at::IntArrayRef dims, std::int64_t output, std::int64_t elements, bool magnitudes) {
    std::vector<const void*> pointers;
    for (const at::Tensor& tensor : tensors) {
        TORCH_CHECK(tensor.is_contiguous() && tensor.device().is_cpu(), "the reference takes contiguous tensors of the CPU");
        pointers.push_back(tensor.numel() == 0 ? nullptr : tensor.data_ptr());
    }
    at::Tensor values = at::zeros({elements}, at::TensorOptions().dtype(at::kDouble));
#if @HAS_MAGNITUDE@
    const auto compute = magnitudes ? ::magnitude : ::reference;
#else
    TORCH_CHECK(!magnitudes, "the reference knows no magnitudes");
    const auto compute = ::reference;
#endif
    compute(pointers.data(), dims.data(), int(output), 0, elements, values.data_ptr<double>());
    return values;
}
)gks";

constexpr std::string_view extensionRegistration = R"gks(
TORCH_LIBRARY(@NAME@, library) {
    library.def("@SCHEMA@");
#if defined(@UPPER@_ON_CPU)
    library.impl("run", c10::DispatchKey::CPU, &@NAME@_torch::run);
#else
    library.impl("run", c10::DispatchKey::CUDA, &@NAME@_torch::run);
#endif
    library.def("uses_kernel", &@NAME@_torch::usesKernel);
    library.def("reference(Tensor[] tensors, int[] dims, int output, int elements, bool magnitudes) -> Tensor");
    library.impl("reference", c10::DispatchKey::CPU, &@NAME@_torch::expected);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
    module.def("evidence", &@NAME@_evidence);
}
)gks";

constexpr std::string_view hubRegistration = R"gks(
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, library) {
    library.def("@SCHEMA@");
    library.impl("run", torch::kCUDA, &@NAME@_torch::run);
    library.def("uses_kernel", &@NAME@_torch::usesKernel);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
)gks";

constexpr std::string_view benchmarkRegistration = R"gks(
// Inputs, then outputs, as the Definition names them.
void run(@TENSOR_PARAMETERS@) {
@RANKS@    @NAME@_torch::run(@TENSOR_LIST@@DIMS_FROM@, 0);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
    module.def("run", &run);
}
)gks";

constexpr std::string_view wrapperText = R"gks("""@NAME@: @TITLE@

Kernel @KERNEL@ of a campaign of GPU Kernel Scientist. EVIDENCE.md says on which shapes it is the faster one.
SPDX-License-Identifier: GPL-3.0-or-later
"""
from math import ceil, floor  # noqa: F401, extents may use them

import torch

@IMPORTS@

def _fp8(kind, device):
    """FNUZ on gfx940 to gfx942, OCP everywhere else."""
    if torch.version.hip and "gfx94" in torch.cuda.get_device_properties(device).gcnArchName:
        return getattr(torch, "float8_" + kind + "fnuz")
    return getattr(torch, "float8_" + kind + ("fn" if kind == "e4m3" else ""))


def uses_kernel(@DIM_LIST@):
    """Whether a shape goes to the kernel; else to the fallback."""
    return _ops.uses_kernel(@DIM_LIST@)


def run(@ARGUMENTS@, which=0):
    """@TENSORS@

    Outputs are made where none is given. which: 0 by shape, 1 the kernel, 2 the fallback.
    """
@CHECKS@@DIMS_FROM@@OUTPUTS@    _ops.run(@TENSOR_LIST@@DIM_LIST@, which)
    return @RESULT@
)gks";

constexpr std::string_view setupText =
    R"gks("""pip install --no-build-isolation .   (PyTorch with CUDA or ROCm, and its compiler)"""
from setuptools import setup
import torch
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

flags = ["-O3", "-std=c++17"@OPTIONS@]
if not torch.version.hip:
    flags += ["--expt-relaxed-constexpr"]

setup(
    name="@NAME@",
    version="1.0.0",
    packages=["@NAME@"],
    ext_modules=[
        CUDAExtension(
            "@NAME@._C",
            ["csrc/@NAME@_torch.cpp", "csrc/reference.cpp", "csrc/@NAME@.cu"],
            extra_compile_args={"cxx": ["-O2", "-std=c++20"], "nvcc": flags},
        )
    ],
    cmdclass={"build_ext": BuildExtension},
)
)gks";

constexpr std::string_view inlineText =
    R"gks("""Compiles @NAME@ at once, without installing anything, and runs the test: python load_inline.py"""
import pathlib
import sys

import torch
from torch.utils.cpp_extension import load_inline

here = pathlib.Path(__file__).resolve().parent
source = here / "csrc"
flags = ["-O3"@OPTIONS@]
if not torch.version.hip:
    flags += ["--expt-relaxed-constexpr"]

module = load_inline(
    name="@NAME@_inline",
    cpp_sources=[(source / "@NAME@_torch.cpp").read_text(), (source / "reference.cpp").read_text()],
    cuda_sources=[(source / "@NAME@.cu").read_text()],
    extra_include_paths=[str(source)],
    extra_cflags=["-std=c++20"],
    extra_cuda_cflags=flags,
    with_cuda=True,
)

if __name__ == "__main__":
    sys.path.insert(0, str(here))
    sys.modules["@NAME@._C"] = module  # what the package would have installed
    import test_@NAME@

    sys.exit(0 if test_@NAME@.main() else 1)
)gks";

constexpr std::string_view pythonTestText =
    R"gks("""Kernel and fallback of @NAME@ against the reference of the problem, which runs on the CPU in double precision.

Run it by itself or with pytest. Status 1: something is wrong.
"""
import sys

import torch

import @NAME@

# Extents in the order of the dims (@DIM_LIST@), and whether the shape was measured.
CASES = [
@CASES@]
RELATIVE, ABSOLUTE, OF_MAGNITUDE = @RELATIVE@, @ABSOLUTE@, @OF_MAGNITUDE@


def draw(shape, dtype, fill):
    if fill in ("zeros", "ones"):
        return getattr(torch, fill)(shape).to(dtype)
    values = torch.randn(shape) if fill == "normal" else torch.rand(shape)
    if not dtype.is_floating_point:
        return (16 * values).round().to(dtype)
    return values.clamp(-3, 3).to(dtype)


def plain(tensor):
    """As the reference takes it: fp8 as float."""
    return tensor.float() if tensor.is_floating_point() and tensor.element_size() == 1 else tensor


def difference(got, want, magnitudes, allowance):
    error = (got - want).abs()
    allowed = allowance * (ABSOLUTE + RELATIVE * want.abs() + OF_MAGNITUDE * magnitudes)
    wrong = int((~((error <= allowed) | (got == want) | (got.isnan() & want.isnan()))).sum())
    return wrong, float(error.max())


def check(dims, measured, device):
    from math import ceil, floor  # noqa: F401

    @DIM_UNPACK@ = dims
    tensors = [
@DRAWN@    ]
    on_device = [None if tensor is None else tensor.to(device) for tensor in tensors]
    on_cpu = [torch.empty(0) if tensor is None else plain(tensor).contiguous() for tensor in tensors]
    results = {}
    for which, title in enumerate(("@NAME@", "kernel", "fallback")):
        outputs = @NAME@.run(*on_device@KEYWORDS@, which=which)
        results[title] = outputs if isinstance(outputs, tuple) else (outputs,)
    good = True
    for place, index in enumerate(@OUTPUT_INDICES@):
        elements = results["kernel"][place].numel()
        want = torch.ops.@NAME@.reference(on_cpu, list(dims), index, elements, False)
        magnitudes = torch.ops.@NAME@.reference(on_cpu, list(dims), index, elements, True) if OF_MAGNITUDE else torch.zeros(elements)
        for title, outputs in results.items():
            wrong, largest = difference(outputs[place].double().cpu().flatten(), want, magnitudes, 1)
            good = good and wrong == 0
            print(f"  {title}: largest error {largest:.3g}" + (f", {wrong} elements WRONG" if wrong else ""))
    return good


def main(device="cuda"):
    torch.manual_seed(1)
    good = True
    for dims, measured in CASES:
        print(dict(zip(@DIM_NAMES@, dims)), "measured" if measured else "not measured",
              "kernel" if @NAME@.uses_kernel(*dims) else "fallback")
        good = check(dims, measured, device) and good
    print("all right" if good else "WRONG")
    return good


def test_@NAME@():
    assert main()


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
)gks";

struct TorchType {
    std::string_view python; // an expression; empty: of fp8
    std::string_view scalar; // at::ScalarType
};

TorchType torchType(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
        return {"", "at::ScalarType::Undefined"};
    case ElementType::fp8E5m2:
        return {"", "at::ScalarType::Undefined"};
    case ElementType::f16:
        return {"torch.float16", "at::kHalf"};
    case ElementType::bf16:
        return {"torch.bfloat16", "at::kBFloat16"};
    case ElementType::f32:
        return {"torch.float32", "at::kFloat"};
    case ElementType::f64:
        return {"torch.float64", "at::kDouble"};
    case ElementType::i8:
        return {"torch.int8", "at::kChar"};
    case ElementType::i32:
        return {"torch.int32", "at::kInt"};
    case ElementType::u32:
        return {"torch.uint32", "at::ScalarType::Undefined"};
    case ElementType::i64:
        return {"torch.int64", "at::kLong"};
    }
    return {"torch.float32", "at::kFloat"};
}

std::string pythonType(ElementType type, std::string_view device) {
    const TorchType names = torchType(type);
    return names.python.empty()
               ? fmt::format("@NAMESPACE@_fp8(\"{}\", {})", type == ElementType::fp8E4m3 ? "e4m3" : "e5m2", device)
               : std::string(names.python);
}

bool isInput(const TensorSpec& tensor) {
    return tensor.role == TensorRole::input;
}

// Where an extent of an input is a dim and nothing else: "x.shape[0]", or the same in C++.
std::optional<std::string> extentThatSays(const ProblemPack& pack, const std::string& dim, std::string_view format) {
    for (const TensorSpec& tensor : pack.tensors) {
        const auto at = std::ranges::find(tensor.extents, dim);
        if (isInput(tensor) && at != tensor.extents.end()) {
            return fmt::format(fmt::runtime(format), tensor.name, at - tensor.extents.begin());
        }
    }
    return std::nullopt;
}

std::vector<std::string> dimsNobodySays(const ProblemPack& pack) {
    std::vector<std::string> dims;
    for (const std::string& dim : pack.dims) {
        if (!extentThatSays(pack, dim, "{}{}")) {
            dims.push_back(dim);
        }
    }
    return dims;
}

Result<std::string> pythonShape(const ProblemPack& pack, const TensorSpec& tensor) {
    std::string text = "(";
    for (const std::string& extent : tensor.extents) {
        GKS_TRY_ASSIGN(const std::string portable, portableExtent(extent, pack.dims));
        text += std::ranges::find(pack.dims, extent) != pack.dims.end() ? extent + ", "
                                                                        : fmt::format("int({}), ", portable);
    }
    return text + ")";
}

std::string schemaOf(const ProblemPack& pack) {
    std::vector<std::string> parts;
    char alias = 'a';
    for (const TensorSpec& tensor : pack.tensors) {
        parts.push_back(isInput(tensor) ? "Tensor " + tensor.name
                                        : fmt::format("Tensor({}!) {}", alias++, tensor.name));
    }
    for (const std::string& dim : pack.dims) {
        parts.push_back("int " + dim);
    }
    return fmt::format("run({}, int gks_which) -> ()", join(parts, ", "));
}

// Names of a pack are no words of C++; these are words of Python, or ours.
Result<void> checkPythonNames(const ProblemPack& pack) {
    static const std::set<std::string_view> words = {
        "as", "assert", "async",  "await",    "def",  "del",   "elif", "except", "finally", "from",  "global", "import",
        "in", "is",     "lambda", "nonlocal", "pass", "raise", "with", "yield",  "torch",   "which", "run",    "int"};
    std::vector<std::string> names = pack.dims;
    std::ranges::transform(pack.tensors, std::back_inserter(names), &TensorSpec::name);
    const auto bad = std::ranges::find_if(names, [&](const std::string& name) { return words.contains(name); });
    return bad == names.end() ? Result<void>()
                              : usageError(fmt::format("\"{}\" is no name in the Python of an export", *bad),
                                           "problem.toml", "Export it --as header, or rename it in the problem pack");
}

std::string optionList(const ExportedKernel& kernel) {
    std::string text;
    for (const std::string& option : repeatableOptions(kernel)) {
        text += fmt::format(", \"{}\"", option);
    }
    return text;
}

std::string hasMagnitude(const ProblemPack& pack) {
    return pack.tolerance.ofMagnitude > 0 ? "1" : "0";
}

std::string upperName(const ExportedKernel& kernel) {
    std::string text = kernel.name;
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return text;
}

} // namespace

Result<std::string> torchBinding(const ExportedKernel& kernel, BindingKind kind) {
    const ProblemPack& pack = kernel.pack;
    const std::vector<std::string> unknown = dimsNobodySays(pack);
    if (kind == BindingKind::benchmark && !unknown.empty()) {
        return usageError(fmt::format("no extent of an input says {}", join(unknown, ", ")), kernel.name,
                          "Export it in another form");
    }
    std::vector<std::string> parameters;
    std::string list;
    std::string pointers;
    std::string expects;
    std::string ranks;
    std::vector<std::string> dimsFrom;
    for (const std::string& dim : pack.dims) {
        dimsFrom.push_back(extentThatSays(pack, dim, "{}.size({})").value_or(dim));
    }
    for (const TensorSpec& tensor : pack.tensors) {
        parameters.push_back(
            fmt::format("{}at::Tensor{} {}", isInput(tensor) ? "const " : "", isInput(tensor) ? "&" : "", tensor.name));
        list += tensor.name + ", ";
        pointers += fmt::format("static_cast<{}{}*>({}.data_ptr()), ", isInput(tensor) ? "const " : "",
                                cType(tensor.type), tensor.name);
        ranks += fmt::format("    TORCH_CHECK({0}.dim() == {1}, \"{0} has \", {0}.dim(), \" extents, not {1}\");\n",
                             tensor.name, tensor.extents.size());
        std::vector<std::string> extents;
        for (const std::string& extent : tensor.extents) {
            GKS_TRY_ASSIGN(const std::string portable, portableExtent(extent, pack.dims));
            extents.push_back(
                std::ranges::find(pack.dims, extent) != pack.dims.end() ? extent : fmt::format("whole({})", portable));
        }
        expects += fmt::format("        expect({0}, \"{0}\", {{{1}}}, {2}, {3}, gks_device);\n", tensor.name,
                               join(extents, ", "), torchType(tensor.type).scalar, sizeBytes(tensor.type));
    }
    const std::string registration(kind == BindingKind::extension ? extensionRegistration
                                   : kind == BindingKind::hub     ? hubRegistration
                                                                  : benchmarkRegistration);
    const std::string includes =
        kind == BindingKind::hub ? "#include <torch/all.h>\n#include <torch/library.h>\n\n#include \"registration.h\"\n"
                                 : "#include <torch/extension.h>\n#include <torch/library.h>\n";
    const bool hasReference = kind == BindingKind::extension;
    const std::vector<std::pair<std::string, std::string>> values = {
        {"NAME", kernel.name},
        {"UPPER", upperName(kernel)},
        {"HAS_MAGNITUDE", hasMagnitude(pack)},
        {"SCHEMA", schemaOf(pack)},
        {"INCLUDES", includes},
        {"TENSOR_PARAMETERS", join(parameters, ", ")},
        {"TENSOR_LIST", list},
        {"FIRST", pack.tensors.front().name},
        {"DIMS", replaceAll(dimParameters(pack), "int64_t", "std::int64_t")},
        {"DIM_LIST", join(pack.dims, ", ")},
        {"DIMS_FROM", join(dimsFrom, ", ")},
        {"RANKS", ranks},
        {"EXPECTS", expects},
        {"POINTERS", pointers}};
    std::string text = replaceAll(std::string(bindingText), "@REGISTRATION@", registration);
    text = replaceAll(std::move(text), "@REFERENCE@", hasReference ? referenceText : "");
    text = replaceAll(std::move(text), "@REFERENCE_DECLARATION@", hasReference ? referenceDeclaration : "");
    return filled(text, values);
}

Result<std::string> pythonWrapper(const ExportedKernel& kernel, BindingKind kind) {
    const ProblemPack& pack = kernel.pack;
    GKS_TRY(checkPythonNames(pack));
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::string checks;
    std::string made;
    std::string list;
    std::vector<std::string> described;
    const std::string& first = pack.tensors.front().name;
    for (const TensorSpec& tensor : pack.tensors) {
        (isInput(tensor) ? inputs : outputs).push_back(isInput(tensor) ? tensor.name : tensor.name + "=None");
        list += tensor.name + ", ";
        described.push_back(tensorText(tensor));
        const std::string dtype = replaceAll(pythonType(tensor.type, first + ".device"), "@NAMESPACE@", "");
        if (isInput(tensor)) {
            checks += fmt::format(
                "    if {0}.dim() != {1} or {0}.dtype != {2}:\n        raise ValueError(f\"{0} must have {1} "
                "extents and the type {{{2}}}, not {{{0}.dim()}} and {{{0}.dtype}}\")\n    {0} = {0}.contiguous()\n",
                tensor.name, tensor.extents.size(), dtype);
        } else {
            GKS_TRY_ASSIGN(const std::string shape, pythonShape(pack, tensor));
            made += fmt::format("    if {0} is None:\n        {0} = torch.empty({1}, dtype={2}, device={3}.device)\n",
                                tensor.name, shape, dtype, first);
        }
    }
    std::vector<std::string> arguments = inputs;
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    const std::vector<std::string> unknown = dimsNobodySays(pack);
    arguments.emplace_back("*");
    arguments.insert(arguments.end(), unknown.begin(), unknown.end());
    std::string dims;
    for (const std::string& dim : pack.dims) {
        if (const auto says = extentThatSays(pack, dim, "{}.shape[{}]")) {
            dims += fmt::format("    {} = {}\n", dim, *says);
        }
    }
    std::vector<std::string> results;
    for (const TensorSpec& tensor : pack.tensors) {
        if (!isInput(tensor)) {
            results.push_back(tensor.name);
        }
    }
    const std::string imports =
        kind == BindingKind::hub
            ? "from ._ops import ops as _ops\n"
            : fmt::format("from . import _C\n\n_ops = torch.ops.{}\nevidence = _C.evidence\n", kernel.name);
    return filled(wrapperText, {{"NAME", kernel.name},
                                {"TITLE", commentText(pack.title)},
                                {"KERNEL", kernelLabel(kernel.id)},
                                {"IMPORTS", imports},
                                {"DIM_LIST", join(pack.dims, ", ")},
                                {"ARGUMENTS", join(arguments, ", ")},
                                {"TENSORS", join(described, "; ")},
                                {"CHECKS", checks},
                                {"DIMS_FROM", dims},
                                {"OUTPUTS", made},
                                {"TENSOR_LIST", list},
                                {"RESULT", join(results, ", ")}});
}

namespace {

Result<std::string> pythonTest(const ExportedKernel& kernel) {
    const ProblemPack& pack = kernel.pack;
    GKS_TRY_ASSIGN(const auto shapes, triedShapes(kernel));
    std::string cases;
    for (const TriedShape& one : shapes) {
        cases += fmt::format("    (({},), {}),\n", fmt::join(one.shape, ", "), one.isMeasured ? "True" : "False");
    }
    std::string drawn;
    std::string outputs;
    for (std::size_t i = 0; i < pack.tensors.size(); ++i) {
        const TensorSpec& tensor = pack.tensors[i];
        if (!isInput(tensor)) {
            outputs += fmt::format("{}, ", i);
            drawn += "        None,\n";
            continue;
        }
        constexpr std::string_view fills[] = {"normal", "uniform", "zeros", "ones"};
        GKS_TRY_ASSIGN(const std::string shape, pythonShape(pack, tensor));
        drawn += fmt::format("        draw({}, {}, \"{}\"),\n", shape,
                             replaceAll(pythonType(tensor.type, "device"), "@NAMESPACE@", kernel.name + "."),
                             fills[static_cast<std::size_t>(tensor.fill)]);
    }
    std::string keywords;
    for (const std::string& dim : dimsNobodySays(pack)) {
        keywords += fmt::format(", {0}={0}", dim);
    }
    std::string names;
    std::string unpacked;
    for (const std::string& dim : pack.dims) {
        names += fmt::format("\"{}\", ", dim);
        unpacked += dim + ", ";
    }
    return filled(pythonTestText, {{"NAME", kernel.name},
                                   {"DIM_LIST", join(pack.dims, ", ")},
                                   {"DIM_UNPACK", unpacked.substr(0, unpacked.size() - 1)},
                                   {"DIM_NAMES", "(" + names + ")"},
                                   {"CASES", cases},
                                   {"RELATIVE", fmt::format("{:e}", pack.tolerance.relative)},
                                   {"ABSOLUTE", fmt::format("{:e}", pack.tolerance.absolute)},
                                   {"OF_MAGNITUDE", fmt::format("{:e}", pack.tolerance.ofMagnitude)},
                                   {"DRAWN", drawn},
                                   {"KEYWORDS", keywords},
                                   {"OUTPUT_INDICES", "(" + outputs + ")"}});
}

constexpr std::string_view buildToml = R"gks([general]
name = "@DASHED@"
version = 1
backends = [@BACKENDS@]

[torch]
src = ["torch-ext/torch_binding.cpp"]
include = ["src"]
@KERNELS@)gks";

constexpr std::string_view kernelToml = R"gks(
[kernel.@SECTION@]
backend = "@BACKEND@"
depends = ["torch"]
include = ["src"]
src = [@SOURCES@]
)gks";

constexpr std::string_view flakeText = R"gks({
  description = "@NAME@";
  inputs.kernel-builder.url = "github:huggingface/kernels";
  outputs =
    { self, kernel-builder, ... }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
    };
}
)gks";

} // namespace

Result<BundleFiles> torchFiles(const ExportedKernel& kernel, const CInterfaceOptions& options) {
    CInterfaceOptions asCuda = options;
    asCuda.sourceSuffix = "cu"; // what the extension builder takes for device code, of ROCm too
    GKS_TRY_ASSIGN(const BundleFiles interface, interfaceFiles(kernel, asCuda));
    BundleFiles files;
    for (const auto& [path, content] : interface) {
        files["csrc/" + path] = content;
    }
    const std::vector<std::pair<std::string, std::string>> values = {{"NAME", kernel.name},
                                                                     {"OPTIONS", optionList(kernel)}};
    GKS_TRY_ASSIGN(files[fmt::format("csrc/{}_torch.cpp", kernel.name)], torchBinding(kernel, BindingKind::extension));
    GKS_TRY_ASSIGN(files["csrc/reference.cpp"], readFile(kernel.pack.referencePath));
    GKS_TRY_ASSIGN(files[kernel.name + "/__init__.py"], pythonWrapper(kernel, BindingKind::extension));
    GKS_TRY_ASSIGN(files[fmt::format("test_{}.py", kernel.name)], pythonTest(kernel));
    files["setup.py"] = filled(setupText, values);
    files["load_inline.py"] = filled(inlineText, values);
    return files;
}

Result<BundleFiles> hubFiles(const ExportedKernel& kernel, const CInterfaceOptions& options) {
    CInterfaceOptions asCuda = options;
    asCuda.sourceSuffix = "cu";
    GKS_TRY_ASSIGN(const BundleFiles interface, interfaceFiles(kernel, asCuda));
    BundleFiles files;
    std::vector<std::string> sources;
    for (const auto& [path, content] : interface) {
        files["src/" + path] = content;
        sources.push_back(fmt::format("\"src/{}\"", path));
    }
    GKS_TRY_ASSIGN(files["torch-ext/torch_binding.cpp"], torchBinding(kernel, BindingKind::hub));
    GKS_TRY_ASSIGN(files[fmt::format("torch-ext/{}/__init__.py", kernel.name)],
                   pythonWrapper(kernel, BindingKind::hub));
    std::vector<std::string> backends;
    std::string kernels;
    for (const std::string_view backend : {"cuda", "rocm"}) {
        const bool isMeant =
            kernel.target == TargetKind::cpu || (kernel.target == TargetKind::nvidia) == (backend == "cuda");
        if (isMeant) {
            backends.push_back(fmt::format("\"{}\"", backend));
            kernels += filled(kernelToml, {{"SECTION", fmt::format("{}_{}", kernel.name, backend)},
                                           {"BACKEND", std::string(backend)},
                                           {"SOURCES", join(sources, ", ")}});
        }
    }
    files["build.toml"] = filled(
        buildToml,
        {{"DASHED", replaceAll(kernel.name, "_", "-")}, {"BACKENDS", join(backends, ", ")}, {"KERNELS", kernels}});
    files["flake.nix"] = filled(flakeText, {{"NAME", kernel.name}});
    return files;
}

} // namespace gks
