// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels some of whose threads touch memory in rows, by what they read, in short rows of a block, or turn by turn of a
// loop, all of them right: what --checked tells of these at once must not be taken for a fault.
#include "check.h"

constexpr int threads = 256;

// Each place has a block of its own, and the blocks' places lie between each other's.
__global__ void ofOwner(const int* owner, int* out) {
    const int t = threadIdx.x;
    if (owner[t] == (int)blockIdx.x) {
        out[t] = out[t] + 5;
    }
}
__global__ void readsBetween(const int* owner, int* out, int* sums) {
    const int t = threadIdx.x;
    const bool isWritten = owner[t] == 0;
    int sum = 1;
    if (isWritten && blockIdx.x == 0) {
        out[t] = 9;
    }
    if (!isWritten && blockIdx.x != 0) {
        sum += out[t];
    }
    sums[blockIdx.x * threads + t] = sum;
}

// Nobody has written what nobody reads.
__global__ void readsWritten(const int* isWritten, const int* some, int* out) {
    const int t = threadIdx.x;
    int v = 0;
    if (isWritten[t] != 0) {
        v = some[t];
    }
    out[t] = v;
}
__global__ void writes(const int* isWritten, int* some) {
    const int t = threadIdx.x;
    if (isWritten[t] != 0) {
        some[t] = t + 1;
    }
}

// There are fewer places than threads, or none.
__global__ void asFarAsThereAre(const int* is, int* out, int* none) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (is[t] != 0) {
        out[t] = t;
        if (none != nullptr) {
            none[t] = 1;
        }
    }
}

// One lane has two things to do, and both sides of a branch write the same place.
__global__ void edges(const int* in, int* out) {
    __shared__ int tile[threads + 2];
    const int t = threadIdx.x;
    if (in[t] > 3) {
        tile[t + 1] = in[t];
    } else {
        tile[t + 1] = -1;
    }
    if (t == 0) {
        tile[0] = 100;
    }
    if (t == threads - 1) {
        tile[threads + 1] = 200;
    }
    __syncthreads();
    out[t] = tile[t] + tile[t + 2];
}

// Some write here and others there what is there already, and so does another block.
__global__ void sameBySome(const int* in, int* out) {
    const int t = threadIdx.x;
    if (in[t] > 5) {
        out[t] = 7;
    }
    if (in[t] < 3) {
        out[t] = 7;
    }
}

// Rows of a block that no strip of 16 threads fits in.
__global__ void laplacian(const float* a, float* y, int nx, int ny, int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1) {
        return;
    }
    const int c = i + nx * (j + ny * k);
    y[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny] - 6 * a[c];
}
__global__ void withinWave(int* out) {
    __shared__ int tile[64];
    const int c = threadIdx.x + 8 * threadIdx.y;
    tile[c] = c;
    out[c] = tile[c ^ 32];
}
__global__ void ofPlane(const int* a, int* y, int width) {
    const int c = (blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x;
    if (a[c] % 3 != 0) {
        y[c] = a[c] + (int)threadIdx.x;
    }
}

// Along the third axis, with what was read in registers.
__global__ void marches(const float* a, float* y, int nx, int ny, int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1) {
        return;
    }
    int c = i + nx * j;
    float below = 0, here = a[c], above = a[c + nx * ny];
    for (int k = 1; k < nz - 1; ++k) {
        c += nx * ny;
        below = here;
        here = above;
        above = a[c + nx * ny];
        y[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + below + above - 6 * here;
    }
}
// Each turn reads what the one before has written.
__global__ void sumsUp(const int* in, int* out, int width, int turns) {
    const int* from = in + threadIdx.x;
    int* to = out + threadIdx.x;
    *to = *from;
    for (int k = 1; k < turns; ++k) {
        from += width;
        to += width;
        *to = *(to - width) + *from;
    }
}

bool isLaplacian(const std::vector<float>& a, const std::vector<float>& y, int nx, int ny, int nz) {
    bool isRight = true;
    for (int c = 0; c < nx * ny * nz; ++c) {
        const int i = c % nx, j = c / nx % ny, k = c / (nx * ny);
        const bool isInner = i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1;
        isRight = isRight && y[c] == (isInner ? a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] +
                                                    a[c + nx * ny] - 6 * a[c]
                                              : -1);
    }
    return isRight;
}

int main() {
    {
        std::vector<int> owner(threads), ones(threads, 1);
        for (int t = 0; t < threads; ++t) {
            owner[t] = t * 7 % 13 % 4;
        }
        Device<int> owners(owner), out(ones), sums(4 * threads);
        ofOwner<<<4, threads>>>(owners.get(), out.get());
        expect("places of each block", out.read() == std::vector<int>(threads, 6));
        readsBetween<<<4, threads>>>(owners.get(), out.get(), sums.get());
        const auto got = sums.read();
        bool isRight = true;
        for (int t = 0; t < threads; ++t) {
            isRight = isRight && got[t] == 1 && got[3 * threads + t] == (owner[t] == 0 ? 1 : 7);
        }
        expect("reads between what others write", isRight);
    }
    {
        std::vector<int> isWritten(threads);
        for (int t = 0; t < threads; ++t) {
            isWritten[t] = t * t % 7 < 3;
        }
        Device<int> is(isWritten), out(threads);
        int* some = nullptr;
        HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&some), threads * sizeof(int)));
        writes<<<1, threads>>>(is.get(), some);
        readsWritten<<<1, threads>>>(is.get(), some, out.get());
        const auto got = out.read();
        bool isRight = true;
        for (int t = 0; t < threads; ++t) {
            isRight = isRight && got[t] == (isWritten[t] != 0 ? t + 1 : 0);
        }
        expect("some are written", isRight);
        HIP_CHECK(hipFree(some));
        std::vector<int> first(threads);
        std::fill(first.begin(), first.begin() + 100, 1);
        Device<int> firsts(first), few(100);
        asFarAsThereAre<<<1, threads>>>(firsts.get(), few.get(), nullptr);
        expect("fewer places than threads", few.read()[99] == 99);
        std::vector<int> in(threads);
        for (int t = 0; t < threads; ++t) {
            in[t] = t % 9;
        }
        Device<int> din(in);
        edges<<<1, threads>>>(din.get(), out.get());
        const auto edge = out.read();
        expect("edges", edge[0] == 99 && edge[5] == 4 + 6 && edge[threads - 1] == 199);
    }
    {
        std::vector<int> in(threads);
        for (int t = 0; t < threads; ++t) {
            in[t] = t % 9;
        }
        Device<int> din(in), out(std::vector<int>(threads, 7));
        sameBySome<<<2, threads>>>(din.get(), out.get());
        expect("the same value by some", out.read() == std::vector<int>(threads, 7));
    }
    constexpr int nx = 37, ny = 11, nz = 9, points = nx * ny * nz;
    std::vector<float> a(points);
    for (int c = 0; c < points; ++c) {
        a[c] = c * 7 % 23;
    }
    const Device<float> da(a);
    for (const dim3 block :
         {dim3(8, 8, 8), dim3(8, 4, 2), dim3(4, 4, 4), dim3(12, 4, 2), dim3(1, 8, 8), dim3(2, 3, 5)}) {
        const Device<float> dy(std::vector<float>(points, -1));
        const dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, (nz + block.z - 1) / block.z);
        laplacian<<<grid, block>>>(da.get(), dy.get(), nx, ny, nz);
        expect("a stencil in short rows", isLaplacian(a, dy.read(), nx, ny, nz));
    }
    for (const dim3 block : {dim3(32, 8), dim3(16, 16), dim3(8, 8), dim3(12, 3)}) {
        const Device<float> dy(std::vector<float>(points, -1));
        marches<<<dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y), block>>>(da.get(), dy.get(), nx, ny,
                                                                                             nz);
        expect("a stencil that marches", isLaplacian(a, dy.read(), nx, ny, nz));
    }
    {
        constexpr int width = 32, turns = 6;
        std::vector<int> in(width * turns);
        for (int i = 0; i < width * turns; ++i) {
            in[i] = i * 5 % 17;
        }
        Device<int> din(in), plane(width * 4);
        int* out = nullptr; // nobody has written it
        HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&out), in.size() * sizeof(int)));
        sumsUp<<<1, width>>>(din.get(), out, width, turns);
        std::vector<int> got(in.size());
        HIP_CHECK(hipMemcpy(got.data(), out, got.size() * sizeof(int), hipMemcpyDeviceToHost));
        int sum = 0;
        for (int k = 0; k < turns; ++k) {
            sum += in[k * width + 7];
        }
        expect("sums of turns", got[(turns - 1) * width + 7] == sum);
        HIP_CHECK(hipFree(out));
        withinWave<<<1, dim3(8, 8)>>>(plane.get());
        expect("short rows of a wave", plane.read()[5] == 37 && plane.read()[60] == 28);
        ofPlane<<<dim3(4, 1), dim3(8, 4)>>>(din.get(), plane.get(), width);
        expect("some of a plane", plane.read()[width + 9] == (in[width + 9] % 3 != 0 ? in[width + 9] + 1 : 0));
    }
    return verdict();
}
