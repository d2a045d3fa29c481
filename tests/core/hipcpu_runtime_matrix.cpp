// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/float8.h"
#include "tests/core/hipcpu_module.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace gks::hipcpu;
using namespace gks::hipcpu::test;

// Every matrix instruction of gfx942 on random small integers, against a plain product. The layouts are written down
// here from the tables in AMD's instruction documentation (lane and element of A[i][k], B[k][j], D[i][j]), not from the
// code under test.

namespace {

MatrixInstruction dense(const char* name, int m, int k, int blocks, MatrixType a, MatrixType b, MatrixType sum) {
    return {static_cast<std::uint16_t>(m),
            static_cast<std::uint16_t>(m),
            static_cast<std::uint16_t>(k),
            static_cast<std::uint16_t>(blocks),
            a,
            b,
            sum,
            0,
            name};
}
MatrixInstruction sparse(const char* name, int m, int k, MatrixType a, MatrixType b, MatrixType sum) {
    MatrixInstruction what = dense(name, m, k, 1, a, b, sum);
    what.sparse = 1;
    return what;
}

using enum MatrixType;

const std::vector<MatrixInstruction>& instructions() {
    static const std::vector<MatrixInstruction> all = {
        dense("f32.16x16x8.xf32", 16, 8, 1, xf32, xf32, f32),
        dense("f32.32x32x4.xf32", 32, 4, 1, xf32, xf32, f32),
        dense("f32.32x32x1f32", 32, 1, 2, f32, f32, f32),
        dense("f32.16x16x1f32", 16, 1, 4, f32, f32, f32),
        dense("f32.4x4x1f32", 4, 1, 16, f32, f32, f32),
        dense("f32.32x32x2f32", 32, 2, 1, f32, f32, f32),
        dense("f32.16x16x4f32", 16, 4, 1, f32, f32, f32),
        dense("f32.32x32x4f16", 32, 4, 2, f16, f16, f32),
        dense("f32.16x16x4f16", 16, 4, 4, f16, f16, f32),
        dense("f32.4x4x4f16", 4, 4, 16, f16, f16, f32),
        dense("f32.32x32x8f16", 32, 8, 1, f16, f16, f32),
        dense("f32.16x16x16f16", 16, 16, 1, f16, f16, f32),
        dense("i32.32x32x4i8", 32, 4, 2, i8, i8, i8),
        dense("i32.16x16x4i8", 16, 4, 4, i8, i8, i8),
        dense("i32.4x4x4i8", 4, 4, 16, i8, i8, i8),
        dense("i32.32x32x16.i8", 32, 16, 1, i8, i8, i8),
        dense("i32.16x16x32.i8", 16, 32, 1, i8, i8, i8),
        dense("f32.32x32x4bf16.1k", 32, 4, 2, bf16, bf16, f32),
        dense("f32.16x16x4bf16.1k", 16, 4, 4, bf16, bf16, f32),
        dense("f32.4x4x4bf16.1k", 4, 4, 16, bf16, bf16, f32),
        dense("f32.32x32x8bf16.1k", 32, 8, 1, bf16, bf16, f32),
        dense("f32.16x16x16bf16.1k", 16, 16, 1, bf16, bf16, f32),
        dense("f64.16x16x4f64", 16, 4, 1, f64, f64, f64),
        dense("f64.4x4x4f64", 4, 4, 4, f64, f64, f64),
        dense("f32.16x16x32.bf8.bf8", 16, 32, 1, bf8, bf8, f32),
        dense("f32.16x16x32.bf8.fp8", 16, 32, 1, bf8, fp8, f32),
        dense("f32.16x16x32.fp8.bf8", 16, 32, 1, fp8, bf8, f32),
        dense("f32.16x16x32.fp8.fp8", 16, 32, 1, fp8, fp8, f32),
        dense("f32.32x32x16.bf8.bf8", 32, 16, 1, bf8, bf8, f32),
        dense("f32.32x32x16.bf8.fp8", 32, 16, 1, bf8, fp8, f32),
        dense("f32.32x32x16.fp8.bf8", 32, 16, 1, fp8, bf8, f32),
        dense("f32.32x32x16.fp8.fp8", 32, 16, 1, fp8, fp8, f32),
        sparse("f32.16x16x32.f16", 16, 32, f16, f16, f32),
        sparse("f32.32x32x16.f16", 32, 16, f16, f16, f32),
        sparse("f32.16x16x32.bf16", 16, 32, bf16, bf16, f32),
        sparse("f32.32x32x16.bf16", 32, 16, bf16, bf16, f32),
        sparse("i32.16x16x64.i8", 16, 64, i8, i8, i8),
        sparse("i32.32x32x32.i8", 32, 32, i8, i8, i8),
        sparse("f32.16x16x64.bf8.bf8", 16, 64, bf8, bf8, f32),
        sparse("f32.16x16x64.bf8.fp8", 16, 64, bf8, fp8, f32),
        sparse("f32.16x16x64.fp8.bf8", 16, 64, fp8, bf8, f32),
        sparse("f32.16x16x64.fp8.fp8", 16, 64, fp8, fp8, f32),
        sparse("f32.32x32x32.bf8.bf8", 32, 32, bf8, bf8, f32),
        sparse("f32.32x32x32.bf8.fp8", 32, 32, bf8, fp8, f32),
        sparse("f32.32x32x32.fp8.bf8", 32, 32, fp8, bf8, f32),
        sparse("f32.32x32x32.fp8.fp8", 32, 32, fp8, fp8, f32),
    };
    return all;
}

// What one lane passes: room for the largest operand of each kind.
struct LaneOperands {
    alignas(64) unsigned char a[64];
    alignas(64) unsigned char b[64];
    alignas(64) unsigned char c[256];
    std::uint32_t index;
};

void executeMatrix(void** arguments, ThreadContext* thread, char*) {
    const auto* what = argument<const MatrixInstruction*>(arguments, 0);
    auto& operands = argument<LaneOperands*>(arguments, 1)[thread->lane];
    hipcpu_mfma(what, operands.a, operands.b, operands.c, what->sparse ? &operands.index : nullptr,
                argument<int>(arguments, 2), argument<int>(arguments, 3), argument<int>(arguments, 4));
}

template<class T>
void put(unsigned char* base, std::uint32_t element, T value) {
    std::memcpy(base + element * sizeof(T), &value, sizeof value);
}
template<class T>
T get(const unsigned char* base, std::uint32_t element) {
    T value;
    std::memcpy(&value, base + element * sizeof(T), sizeof value);
    return value;
}

// Small integers are exact in every type.
void putNumber(MatrixType type, unsigned char* base, std::uint32_t element, int number) {
    const auto value = static_cast<float>(number);
    switch (type) {
    case f32:
    case xf32:
        put(base, element, value);
        break;
    case f16:
        put(base, element, static_cast<_Float16>(value));
        break;
    case bf16:
        put(base, element, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16));
        break;
    case fp8:
        put(base, element, encodeFloat8(value, fp8Format));
        break;
    case bf8:
        put(base, element, encodeFloat8(value, bf8Format));
        break;
    case i8:
        put(base, element, static_cast<std::int8_t>(number));
        break;
    case f64:
        put(base, element, static_cast<double>(number));
        break;
    default: // gfx950's are in tests/data/hip/gfx950/matrices.hip
        QFAIL("a type of another architecture");
    }
}

struct Place {
    std::uint32_t lane;
    std::uint32_t element;
};

// Lane of A[i][k] (and of B[k][i]) as the tables give it per shape.
Place inputTable(const MatrixInstruction& w, std::uint32_t i, std::uint32_t k, std::uint32_t block) {
    if (w.m == 4) {
        return w.a == f64 ? Place{4 * block + 16 * k + i, 0} : Place{4 * block + i, k};
    }
    if (w.blocks > 1) {
        return {w.m * block + i, k};
    }
    const std::uint32_t perLane = w.m == 32 ? w.k / 2u : w.k / 4u;
    return {w.m * (k / perLane) + i, k % perLane};
}

Place outputTable(const MatrixInstruction& w, std::uint32_t i, std::uint32_t j, std::uint32_t block) {
    if (w.accumulator == f64) {
        return w.m == 4 ? Place{16 * i + 4 * block + j, 0} : Place{16 * (i % 4) + j, i / 4};
    }
    switch (w.m) {
    case 4:
        return {4 * block + j, i};
    case 16:
        return {16 * (i / 4) + j, 4 * block + i % 4};
    default:
        return {(32 * (i / 4)) % 64 + j, 16 * block + 4 * (i / 8) + i % 4};
    }
}

// One instruction's matrices in plain form, block after block.
struct Problem {
    std::vector<int> a, b, c;
    std::vector<LaneOperands> lanes = std::vector<LaneOperands>(waveSize);

    Problem(const MatrixInstruction& w, std::mt19937& random)
        : a(std::size_t{w.blocks} * w.m * w.k)
        , b(std::size_t{w.blocks} * w.n * w.k)
        , c(std::size_t{w.blocks} * w.m * w.n) {
        std::memset(lanes.data(), 0, lanes.size() * sizeof(LaneOperands));
        std::uniform_int_distribution<int> number(-4, 4);
        for (auto* matrix : {&a, &b, &c}) {
            for (int& value : *matrix) {
                value = number(random);
            }
        }
        for (std::uint32_t block = 0; block < w.blocks; ++block) {
            for (std::uint32_t k = 0; k < w.k; ++k) {
                for (std::uint32_t i = 0; i < w.m; ++i) {
                    const Place place = inputTable(w, i, k, block);
                    putNumber(w.b, lanes[place.lane].b, place.element, bAt(w, block, k, i));
                    if (!w.sparse) {
                        putNumber(w.a, lanes[place.lane].a, place.element, aAt(w, block, i, k));
                    }
                }
            }
            for (std::uint32_t i = 0; i < w.m; ++i) {
                for (std::uint32_t j = 0; j < w.n; ++j) {
                    const Place place = outputTable(w, i, j, block);
                    const int value = cAt(w, block, i, j);
                    w.accumulator == i8 ? put(lanes[place.lane].c, place.element, value)
                                        : putNumber(w.accumulator, lanes[place.lane].c, place.element, value);
                }
            }
        }
        if (w.sparse) {
            keepTwoOfFour(w, random);
        }
    }
    int& aAt(const MatrixInstruction& w, std::uint32_t block, std::uint32_t i, std::uint32_t k) {
        return a[(block * w.m + i) * w.k + k];
    }
    int& bAt(const MatrixInstruction& w, std::uint32_t block, std::uint32_t k, std::uint32_t j) {
        return b[(block * w.k + k) * w.n + j];
    }
    int& cAt(const MatrixInstruction& w, std::uint32_t block, std::uint32_t i, std::uint32_t j) {
        return c[(block * w.m + i) * w.n + j];
    }

    // Chooses two positions in each group of four, zeroes the others, and packs values and positions as the instruction
    // wants.
    void keepTwoOfFour(const MatrixInstruction& w, std::mt19937& random) {
        static constexpr std::uint32_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
        for (std::uint32_t i = 0; i < w.m; ++i) {
            for (std::uint32_t group = 0; group < w.k / 4u; ++group) {
                const auto& pair = pairs[std::uniform_int_distribution<std::size_t>(0, 5)(random)];
                const Place first = inputTable(w, i, 4 * group, 0);
                const std::uint32_t element = first.element / 2;
                for (std::uint32_t kept = 0; kept < 2; ++kept) {
                    putNumber(w.a, lanes[first.lane].a, element + kept, aAt(w, 0, i, 4 * group + pair[kept]));
                    lanes[first.lane].index |= pair[kept] << (2 * (element + kept));
                }
                for (std::uint32_t k = 0; k < 4; ++k) {
                    if (k != pair[0] && k != pair[1]) {
                        aAt(w, 0, i, 4 * group + k) = 0;
                    }
                }
            }
        }
    }

    int result(const MatrixInstruction& w, std::uint32_t block, std::uint32_t i, std::uint32_t j) const {
        const Place place = outputTable(w, i, j, block);
        const unsigned char* base = lanes[place.lane].c;
        switch (w.accumulator) {
        case f64:
            return static_cast<int>(get<double>(base, place.element));
        case i8:
            return get<std::int32_t>(base, place.element);
        default:
            return static_cast<int>(get<float>(base, place.element));
        }
    }
};

const Dim3 oneWave{waveSize, 1, 1};
const Dim3 oneBlock{1, 1, 1};

} // namespace

class HipcpuRuntimeMatrix : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsPlainProduct_data();
    void equalsPlainProduct();
    void aBlocksAreBroadcastByCbsz();
    void bLanesArePermutedByBlgp();
    void blgpNegatesDoubles();
    void sparseIndexSetIsChosenByAbid();

private:
    void execute(const MatrixInstruction& what, Problem& problem, int cbsz = 0, int abid = 0, int blgp = 0) {
        QCOMPARE(launch(executeMatrix, oneBlock, oneWave, 0, nullptr, &what, problem.lanes.data(), cbsz, abid, blgp),
                 hipSuccess);
        QCOMPARE(hipDeviceSynchronize(), hipSuccess);
    }

    std::mt19937 m_random{20240607};
    LoadedModule m_module{{{"executeMatrix", executeMatrix, {8, 8, 4, 4, 4}}}};
};

void HipcpuRuntimeMatrix::equalsPlainProduct_data() {
    QTest::addColumn<int>("number");
    for (std::size_t i = 0; i < instructions().size(); ++i) {
        QTest::newRow(instructions()[i].name) << static_cast<int>(i);
    }
}

void HipcpuRuntimeMatrix::equalsPlainProduct() {
    QFETCH(int, number);
    const MatrixInstruction& w = instructions()[static_cast<std::size_t>(number)];
    for (int round = 0; round < 3; ++round) {
        Problem problem(w, m_random);
        execute(w, problem);
        for (std::uint32_t block = 0; block < w.blocks; ++block) {
            for (std::uint32_t i = 0; i < w.m; ++i) {
                for (std::uint32_t j = 0; j < w.n; ++j) {
                    int expected = problem.cAt(w, block, i, j);
                    for (std::uint32_t k = 0; k < w.k; ++k) {
                        expected += problem.aAt(w, block, i, k) * problem.bAt(w, block, k, j);
                    }
                    QCOMPARE(problem.result(w, block, i, j), expected);
                }
            }
        }
    }
}

void HipcpuRuntimeMatrix::aBlocksAreBroadcastByCbsz() {
    const MatrixInstruction w = dense("f32.4x4x1f32", 4, 1, 16, f32, f32, f32);
    Problem problem(w, m_random);
    execute(w, problem, 2, 3); // groups of four blocks use the fourth block of their group
    for (std::uint32_t block = 0; block < w.blocks; ++block) {
        for (std::uint32_t i = 0; i < w.m; ++i) {
            const int expected =
                problem.cAt(w, block, i, 1) + problem.aAt(w, block / 4 * 4 + 3, i, 0) * problem.bAt(w, block, 0, 1);
            QCOMPARE(problem.result(w, block, i, 1), expected);
        }
    }
}

void HipcpuRuntimeMatrix::bLanesArePermutedByBlgp() {
    const MatrixInstruction w = dense("f32.32x32x1f32", 32, 1, 2, f32, f32, f32);
    for (const auto& [blgp, sourceLane] :
         {std::pair<int, std::uint32_t (*)(std::uint32_t)>{1, [](auto lane) { return lane % 32; }},
          {2, [](auto lane) { return 32 + lane % 32; }},
          {3, [](auto lane) { return (lane + 16) % 64; }},
          {6, [](auto lane) { return 32 + lane % 16; }}}) {
        Problem problem(w, m_random);
        const std::vector<LaneOperands> before = problem.lanes;
        execute(w, problem, 0, 0, blgp);
        for (std::uint32_t lane = 0; lane < waveSize; ++lane) {
            const std::uint32_t block = lane / 32;
            const int b = static_cast<int>(get<float>(before[sourceLane(lane)].b, 0));
            QCOMPARE(problem.result(w, block, 5, lane % 32),
                     problem.cAt(w, block, 5, lane % 32) + problem.aAt(w, block, 5, 0) * b);
        }
    }
}

void HipcpuRuntimeMatrix::blgpNegatesDoubles() {
    const MatrixInstruction w = dense("f64.16x16x4f64", 16, 4, 1, f64, f64, f64);
    Problem problem(w, m_random);
    execute(w, problem, 0, 0, 1 | 4); // -A and -C
    int expected = -problem.cAt(w, 0, 3, 7);
    for (std::uint32_t k = 0; k < w.k; ++k) {
        expected -= problem.aAt(w, 0, 3, k) * problem.bAt(w, 0, k, 7);
    }
    QCOMPARE(problem.result(w, 0, 3, 7), expected);
}

void HipcpuRuntimeMatrix::sparseIndexSetIsChosenByAbid() {
    const MatrixInstruction w = sparse("f32.16x16x32.f16", 16, 32, f16, f16, f32);
    Problem problem(w, m_random);
    for (LaneOperands& lane : problem.lanes) {
        lane.index <<= 8 * 2; // four elements of 2 bits: the third set
    }
    execute(w, problem, 0, 2);
    for (std::uint32_t i = 0; i < w.m; ++i) {
        int expected = problem.cAt(w, 0, i, 9);
        for (std::uint32_t k = 0; k < w.k; ++k) {
            expected += problem.aAt(w, 0, i, k) * problem.bAt(w, 0, k, 9);
        }
        QCOMPARE(problem.result(w, 0, i, 9), expected);
    }
}

QTEST_APPLESS_MAIN(HipcpuRuntimeMatrix)
#include "hipcpu_runtime_matrix.moc"
