# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles and runs the examples of a knowledge page on an NVIDIA card and compares every output.

run_examples.py PAGE.md HEADERS   HEADERS: the project's hip/*.h for nvcc (share/kernel-scientist/cuda). Status 1 when one fails."""
import os, re, subprocess, sys, tempfile

harness = r"""
#include <cstdio>
#include <vector>
int main() {
    float* out = nullptr;
    std::vector<float> got(outputs, -1.0f);
    bool fine = cudaMalloc(&out, outputs * sizeof(float)) == cudaSuccess;
    example<<<1, threads>>>(out);
    fine = fine && cudaMemcpy(got.data(), out, outputs * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int index = 0; fine && index < outputs; ++index) {
        if (got[index] != expected(index)) {
            std::printf("out[%d] is %g, not %g\n", index, got[index], expected(index));
            return 1;
        }
    }
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return fine ? 0 : 1;
}
"""

page, headers = sys.argv[1:3]
with open(page) as file:
    examples = re.findall(r"^## (Example: .*?)\n```hip\n(.*?)^```", file.read(), re.S | re.M)
failed = 0
with tempfile.TemporaryDirectory() as folder:
    for title, source in examples:
        path, program = os.path.join(folder, "example.cu"), os.path.join(folder, "example")
        with open(path, "w") as file:
            file.write("#include <hip/hip_runtime.h>\n" + source + harness)
        built = subprocess.run(["nvcc", "-gencode=arch=compute_90a,code=sm_90a", "-std=c++17", "-I", headers, path, "-o", program],
                               capture_output=True, text=True)
        try:
            ran = subprocess.run([program], capture_output=True, text=True, timeout=20) if built.returncode == 0 else built
        except subprocess.TimeoutExpired:
            ran = subprocess.CompletedProcess([program], 1, "hangs", "")
        failed += ran.returncode != 0
        print(f"{title:60} {'right' if ran.returncode == 0 else 'WRONG: ' + (ran.stdout + ran.stderr)[:600]}")
print(f"{len(examples)} examples, {failed} wrong")
sys.exit(failed > 0 or not examples)
