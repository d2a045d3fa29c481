// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/calibration_pack.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cmath>
#include <fmt/format.h>

// y = x after `iterations` times x -> a x + b. The reference is the closed form, a^n x + b (1 - a^n) / (1 - a), so that
// checking costs nothing beside the kernel. a is exact in single precision; roundings do not add up, as each step
// shrinks what came before.
namespace gks::calibration {
namespace {

constexpr const char* manifest = R"(# SPDX-License-Identifier: GPL-3.0-or-later
name = "calibration"
title = "A known number of multiply-adds for each element"
dims = ["elements", "iterations"]

[[tensor]]
name = "x"
type = "f32"
shape = ["elements"]
role = "input"
fill = "normal"

[[tensor]] # every dim has to be in a shape; nobody reads it
name = "steps"
type = "i8"
shape = ["iterations"]
role = "input"
fill = "zeros"

[[tensor]]
name = "y"
type = "f32"
shape = ["elements"]
role = "output"

[tolerance]
relative = 1e-3
absolute = 1e-3

[cost]
flops = "2*elements*iterations"
bytes = "8*elements"

[shapes]
test = [[1000, 100], [4096, 513]]
benchmark = [[270336, 6400]]
quick = [[270336, 6400]]
held_out = [[777, 50]]
cpu = [[4096, ITERATIONS]]
)";

constexpr const char* reference = R"(// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void reference(const void* const* tensors, const std::int64_t* dims, int, std::int64_t begin, std::int64_t end,
                          double* expected) {
    const auto* x = static_cast<const float*>(tensors[0]);
    const double a = 1 - 1.0 / 4096;
    const double power = std::pow(a, double(dims[1]));
    for (std::int64_t i = begin; i < end; ++i) {
        expected[i - begin] = power * x[i] + (1.0 / 8192) * (1 - power) / (1 - a);
    }
}
)";

constexpr const char* kernel = R"(// {} in a million more multiply-adds than are needed
{}
#include "problem.h"

#define EXTRA_PER_MILLION {}

__device__ float iterate(float value, int count) {{
    for (int n = 0; n < count; ++n) {{
        value = value * (1.0f - 1.0f / 4096) + 1.0f / 8192;
    }}
    return value;
}}

__global__ void multiply_add(Problem p) {{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.elements) {{
        return;
    }}
    float value = iterate(p.x[i], p.iterations);
#if EXTRA_PER_MILLION > 0
    const long long extra = (long long)p.iterations * EXTRA_PER_MILLION / 1000000;
    if (iterate(p.x[i] + 0.25f, (int)extra) > 1e30f) {{ // never, but only who has done the work knows
        value = 0;
    }}
#endif
    p.y[i] = value;
}}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {{
    (void)workspace;
    multiply_add<<<dim3((p.elements + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}}
)";

} // namespace

std::string kernelSource(double extraPercent, const std::string& remark) {
    const long perMillion = std::lround(extraPercent * 1e4);
    return fmt::format(fmt::runtime(kernel), perMillion, remark.empty() ? "" : "// " + remark, perMillion);
}

Result<void> writePack(const std::filesystem::path& folder, int iterationsOnCpu) {
    GKS_TRY(makeDirectories(folder / "seeds"));
    GKS_TRY(writeFileAtomically(folder / "problem.toml",
                                replaceAll(manifest, "ITERATIONS", std::to_string(iterationsOnCpu))));
    GKS_TRY(writeFileAtomically(folder / "reference.cpp", reference));
    GKS_TRY(writeFileAtomically(folder / "notes.md", "Calibration of the judge. Not a problem to be solved.\n"));
    GKS_TRY(writeFileAtomically(folder / "seeds" / "naive.hip", kernelSource(0)));
    return {};
}

} // namespace gks::calibration
