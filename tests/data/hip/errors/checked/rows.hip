// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of threads that touch memory in rows; KERNEL says which one.
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>

constexpr int threads = 256;

__global__ void valueOfEachWave(int* out) {
    __shared__ int one;
    one = threadIdx.x / 64; // each wave another one
    __syncthreads();
    out[threadIdx.x] = one;
}

__global__ void noBarrierBefore(int* out) {
    __shared__ int tile[threads];
    const int t = threadIdx.x;
    tile[t] = t;
    out[t] = tile[(t + 64) % threads];
}

__global__ void noBarrierBehind(const int* in, int* out) {
    __shared__ int tile[threads];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        tile[t] = in[i * threads + t];
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            sum += tile[t / 16 * 16 + k];
        }
        sum += tile[threads - 1 - t]; // and no barrier before the next round
    }
    out[t] = sum;
}

__global__ void oneTooMany(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        out[i] = in[0] + i;
    }
}

__global__ void readsOneTooMany(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] + in[i + 1];
    }
}

__global__ void shiftedInPlace(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        out[i] = out[i + 1];
    }
}

__global__ void blocksMeet(int* out) {
    out[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = blockIdx.x + 1;
}

__global__ void halfFilled(int* out) {
    __shared__ int tile[threads];
    const int t = threadIdx.x;
    if (t < 128) {
        tile[t] = t;
    }
    __syncthreads();
    out[t] = tile[t];
}

__global__ void zeroedMeanwhile(int* out) {
    __shared__ int counts[64];
    const int t = threadIdx.x;
    if (t < 64) {
        counts[t] = 0;
    }
    atomicAdd(&counts[t % 64], 1);
    __syncthreads();
    out[t] = counts[t % 64];
}

__global__ void storedTwice(int* out) {
    __shared__ int tile[threads + 64];
    const int t = threadIdx.x;
    tile[t] = 0;
    tile[t + 64] = 0;
    __syncthreads();
    tile[t] = 1;
    tile[t + 64] = 0; // what was there before both
    __syncthreads();
    out[t] = tile[t];
}

// One thread for each point, behind guards that cut the strips of 16 threads.
__global__ void besides(const int* in, int* out, int width, int left, int right) {
    const int i = threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, c = i + width * j;
    if (i >= left && i < right) {
        out[c] = in[c - 1] + in[c + 1];
    }
}
__global__ void aboveAndBelow(const int* in, int* out, int width, int column, int upper, int lower) {
    const int i = threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, c = i + width * j;
    if (i != column || j < upper || j >= lower) {
        return;
    }
    out[c] = in[c - width] + in[c + width];
}

__global__ void edgesMeet(int* out) {
    if (threadIdx.x > 0) {
        out[blockIdx.x * 30 + threadIdx.x] = blockIdx.x + 1;
    }
}

// Threads that read their neighbours if they have some.
__global__ void neighbours(const int* in, int* out, int n, int least, int most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int left = i >= least ? in[i - 1] : 0;
        const int right = i <= most ? in[i + 1] : 0;
        out[i] = left + right;
    }
}

// Rows become columns; `out` has as many elements in a row as `in`, and begins `from` elements later.
__global__ void turned(const int* in, int* out, int from) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * 32 + y + from] = in[y * 32 + x];
}
__global__ void columnsMeet(int* out) {
    const int x = threadIdx.x, y = blockIdx.x * (blockDim.y - 1) + threadIdx.y;
    out[x * 32 + y] = blockIdx.x + 1;
}
__global__ void turnedInLds(const int* in, int* out, int rows) {
    __shared__ int tile[32][33];
    const int x = threadIdx.x, y = threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (y + j < rows) {
            tile[y + j][x] = in[(y + j) * 32 + x];
        }
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        out[(y + j) * 32 + x] = tile[x][y + j];
    }
}

__global__ void readsOtherWave(int* out) {
    const int t = threadIdx.x;
    out[t] = out[(t + 64) % threads] + 1;
}
__global__ void readsOtherBlock(int* out) {
    const int i = blockIdx.x * threads + threadIdx.x;
    out[i] = out[(i + threads) % 1024] + 1;
}
__global__ void columnOfOtherWave(int* out) { // each wave has columns of its own, but for the last one
    const int x = threadIdx.x, y = threadIdx.y;
    out[x * 16 + y] = y;
    if (y == 15) {
        out[x * 16] = 15;
    }
}

// Some end before the loop, and in its last turn somebody reads too far.
__global__ void marches(const int* in, int* out, int turns) {
    __shared__ int row[32];
    const int i = threadIdx.x;
    if (i < 1 || i >= 31) {
        return;
    }
    for (int k = 0; k < turns; ++k) {
        row[i] = in[32 * k + i + 1];
        __syncthreads();
        out[32 * k + i] = row[i];
        __syncthreads();
    }
}

// Threads of which some do it, by what they read.
__global__ void someWrite(const int* in, int* out, int least, int shift) {
    const int t = threadIdx.x;
    if (in[t] % 8 >= least) {
        out[t + shift] = blockIdx.x;
    }
}
__global__ void someRead(const int* in, const int* some, int* out) {
    const int t = threadIdx.x;
    int v = 0;
    if (in[t] % 3 == 1) {
        v = some[t];
    }
    out[blockIdx.x * threads + t] = v;
}
__global__ void someReadWhatOthersWrite(const int* in, int* out) {
    const int t = threadIdx.x;
    if (in[t] % 8 == 3 && blockIdx.x == 0) {
        out[t] = -1;
    }
    int v = 0;
    if (in[t] % 8 >= 3 && blockIdx.x == 1) {
        v = out[t];
    }
    if (v == -5) {
        out[t + threads] = v;
    }
}

// Rows of fewer threads than a strip has, two waves of them.
__global__ void shortRows(const int* in, int* out, int shift) {
    const int c = threadIdx.x + 8 * (threadIdx.y + 8 * threadIdx.z);
    if (threadIdx.y > 0) {
        out[c] = in[c + shift];
    }
}
__global__ void shortRowsOfAll(const int* some, int* out) {
    const int c = threadIdx.x + 8 * (threadIdx.y + 8 * threadIdx.z);
    out[c] = some[c];
}
__global__ void shortRowsInLds(int* out) {
    __shared__ int tile[128];
    const int c = threadIdx.x + 8 * (threadIdx.y + 8 * threadIdx.z);
    tile[c] = c;
    out[c] = tile[c ^ 64];
}

// Turn by turn, and what was read before stays in a register.
__global__ void marchesAlong(const int* in, int* out, int width, int turns) {
    const int t = threadIdx.x;
    if (t == 0 || t >= width - 1) {
        return;
    }
    int c = t, here = in[c];
    for (int k = 0; k < turns; ++k) {
        c += width;
        const int next = in[c];
        out[c - width] = here + next;
        here = next;
    }
}
__global__ void marchesAcross(int* out, int width, int turns) {
    int* to = out + threadIdx.x;
    for (int k = 0; k < turns; ++k) {
        *to += 1; // as the neighbouring block does
        to += width;
    }
}

int main() {
    int *in, *out;
    (void)hipMalloc(&in, 1024 * sizeof(int));
    (void)hipMalloc(&out, 1024 * sizeof(int));
    int first[1024];
    for (int i = 0; i < 1024; ++i) {
        first[i] = i;
    }
    (void)hipMemcpy(in, first, sizeof first, hipMemcpyHostToDevice);
    (void)hipMemcpy(out, first, sizeof first, hipMemcpyHostToDevice);
    const char* const kernel = std::getenv("KERNEL");
    const auto is = [&](const char* name) { return kernel != nullptr && std::strcmp(kernel, name) == 0; };
    const dim3 plane(1, 4), part(32, 8); // 32 x 32 points
    if (is("besides left")) {
        besides<<<plane, part>>>(in, out, 32, 0, 31);
    } else if (is("besides right")) {
        besides<<<plane, part>>>(in, out, 32, 1, 32);
    } else if (is("besides unwritten")) {
        int* some; // but the last one
        (void)hipMalloc(&some, 1024 * sizeof(int));
        (void)hipMemcpy(some, first, 1023 * sizeof(int), hipMemcpyHostToDevice);
        besides<<<plane, part>>>(some, out, 32, 1, 31);
    } else if (is("aboveAndBelow upper")) {
        aboveAndBelow<<<plane, part>>>(in, out, 32, 31, 0, 31);
    } else if (is("aboveAndBelow lower")) {
        aboveAndBelow<<<plane, part>>>(in, out, 32, 0, 1, 32);
    } else if (is("edgesMeet")) {
        edgesMeet<<<2, 32>>>(out);
    } else if (is("valueOfEachWave")) {
        valueOfEachWave<<<1, threads>>>(out);
    } else if (is("noBarrierBefore")) {
        noBarrierBefore<<<1, threads>>>(out);
    } else if (is("noBarrierBehind")) {
        noBarrierBehind<<<1, threads>>>(in, out);
    } else if (is("oneTooMany")) {
        oneTooMany<<<5, threads>>>(in, out, 1024);
    } else if (is("readsOneTooMany")) {
        readsOneTooMany<<<4, threads>>>(in, out, 1024);
    } else if (is("shiftedInPlace")) {
        shiftedInPlace<<<1, threads>>>(out, 1024); // of several blocks the race between these may be the first
    } else if (is("blocksMeet")) {
        blocksMeet<<<4, threads>>>(out);
    } else if (is("storedTwice")) {
        storedTwice<<<1, threads>>>(out);
    } else if (is("zeroedMeanwhile")) {
        zeroedMeanwhile<<<1, threads>>>(out);
    } else if (is("neighbours left")) {
        neighbours<<<4, threads>>>(in, out, 1024, 0, 1022);
    } else if (is("neighbours right")) {
        neighbours<<<4, threads>>>(in, out, 1024, 1, 1023);
    } else if (is("turned")) {
        turned<<<dim3(1, 4), dim3(32, 8)>>>(in, out, 1);
    } else if (is("columnsMeet")) {
        columnsMeet<<<4, part>>>(out);
    } else if (is("turnedInLds")) {
        turnedInLds<<<1, part>>>(in, out, 31);
    } else if (is("readsOtherWave")) {
        readsOtherWave<<<1, threads>>>(out);
    } else if (is("columnOfOtherWave")) {
        columnOfOtherWave<<<1, dim3(64, 16)>>>(out);
    } else if (is("readsOtherBlock")) {
        readsOtherBlock<<<4, threads>>>(out);
    } else if (is("marches")) {
        marches<<<1, 32>>>(in + 1, out, 32);
    } else if (is("someWrite outside")) {
        someWrite<<<1, threads>>>(in, out, 7, 1024 - 255 + 8);
    } else if (is("someWrite twice")) {
        someWrite<<<2, threads>>>(in, out, 3, 0);
    } else if (is("someRead unwritten")) {
        int* some; // but the last ones
        (void)hipMalloc(&some, threads * sizeof(int));
        (void)hipMemcpy(some, first, 200 * sizeof(int), hipMemcpyHostToDevice);
        someRead<<<1, threads>>>(in, some, out);
    } else if (is("someReadWhatOthersWrite")) {
        someReadWhatOthersWrite<<<2, threads>>>(in, out);
    } else if (is("shortRows outside")) {
        shortRows<<<1, dim3(8, 8, 2)>>>(in, out, 1024 - 127);
    } else if (is("shortRows before")) {
        shortRows<<<1, dim3(8, 8, 2)>>>(in, out, -9);
    } else if (is("shortRows unwritten")) {
        int* some; // but the last ones
        (void)hipMalloc(&some, 128 * sizeof(int));
        (void)hipMemcpy(some, first, 100 * sizeof(int), hipMemcpyHostToDevice);
        shortRowsOfAll<<<1, dim3(8, 8, 2)>>>(some, out);
    } else if (is("shortRowsInLds")) {
        shortRowsInLds<<<1, dim3(8, 8, 2)>>>(out);
    } else if (is("marchesAlong outside")) {
        marchesAlong<<<1, 32>>>(in + 2, out, 32, 31);
    } else if (is("marchesAcross")) {
        marchesAcross<<<2, 32>>>(out, 32, 16);
    } else if (is("halfFilled")) {
        halfFilled<<<1, threads>>>(out);
    }
    return hipDeviceSynchronize();
}
