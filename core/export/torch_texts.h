// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// Templates of the PyTorch exports; torch_files.cpp fills them in.
namespace gks::exporttexts {

inline constexpr std::string_view bindingText =
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

inline constexpr std::string_view referenceDeclaration =
    R"gks(extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected);
#if @HAS_MAGNITUDE@
extern "C" void magnitude(const void* const* tensors, const std::int64_t* dims, int output, std::int64_t begin, std::int64_t end,
                          double* expected);
#endif

)gks";

inline constexpr std::string_view referenceText = R"gks(
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

inline constexpr std::string_view extensionRegistration = R"gks(
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

inline constexpr std::string_view hubRegistration = R"gks(
TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, library) {
    library.def("@SCHEMA@");
    library.impl("run", torch::kCUDA, &@NAME@_torch::run);
    library.def("uses_kernel", &@NAME@_torch::usesKernel);
}

REGISTER_EXTENSION(TORCH_EXTENSION_NAME)
)gks";

inline constexpr std::string_view benchmarkRegistration = R"gks(
// Inputs, then outputs, as the Definition names them.
void run(@TENSOR_PARAMETERS@) {
@RANKS@    @NAME@_torch::run(@TENSOR_LIST@@DIMS_FROM@, 0);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
    module.def("run", &run);
}
)gks";

inline constexpr std::string_view wrapperText = R"gks("""@NAME@: @TITLE@

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

inline constexpr std::string_view setupText =
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

inline constexpr std::string_view inlineText =
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

inline constexpr std::string_view pythonTestText =
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


def draw(shape, dtype, fill, scale=1.0, offset=0.0):
    if fill in ("zeros", "ones"):
        return getattr(torch, fill)(shape).to(dtype)
    values = torch.randn(shape) if fill == "normal" else torch.rand(shape)
    if not dtype.is_floating_point:
        return (16 * values).round().to(dtype)
    return (offset + scale * values.clamp(-3, 3)).to(dtype)


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

inline constexpr std::string_view buildToml = R"gks([general]
name = "@DASHED@"
version = 1
backends = [@BACKENDS@]

[torch]
src = ["torch-ext/torch_binding.cpp"]
include = ["src"]
@KERNELS@)gks";

inline constexpr std::string_view kernelToml = R"gks(
[kernel.@SECTION@]
backend = "@BACKEND@"
depends = ["torch"]
include = ["src"]
src = [@SOURCES@]
)gks";

inline constexpr std::string_view flakeText = R"gks({
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

} // namespace gks::exporttexts
