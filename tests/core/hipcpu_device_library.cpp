// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/hipcpu_module.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <unistd.h>

// The device library as machine code, called from hand-written kernels. (That it answers to the names and signatures
// that clang emits is checked where device code is retargeted.)

using namespace gks::hipcpu;
using namespace gks::hipcpu::test;
using Word = std::uint32_t;
using DoubleWord = std::uint64_t;

extern "C" {
Word hipcpu_amdgcn_ds_bpermute(Word, Word);
Word hipcpu_amdgcn_ds_permute(Word, Word);
Word hipcpu_amdgcn_ds_swizzle(Word, Word);
Word hipcpu_amdgcn_readfirstlane_i32(Word);
double hipcpu_amdgcn_readlane_f64(double, Word);
Word hipcpu_amdgcn_update_dpp_i32(Word, Word, Word, Word, Word, bool);
DoubleWord hipcpu_amdgcn_ballot_i64(bool);
DoubleWord hipcpu_amdgcn_icmp_i64_i32(Word, Word, Word);
DoubleWord hipcpu_amdgcn_fcmp_i64_f32(float, float, Word);
bool __ockl_wfany_i32(int);
bool __ockl_wfall_i32(int);
Word __ockl_activelane_u32();
int __ockl_wgred_add_i32(int);
int __ockl_wgred_and_i32(int);
int __ockl_wgred_or_i32(int);
Word hipcpu_amdgcn_mbcnt_lo(Word, Word);
Word hipcpu_amdgcn_mbcnt_hi(Word, Word);
DoubleWord __ockl_get_global_id(Word);
bool hipcpu_amdgcn_is_shared(const void*);
bool hipcpu_amdgcn_is_private(const void*);
const void* hipcpu_amdgcn_dispatch_ptr();
const void* hipcpu_amdgcn_implicitarg_ptr();
const void* hipcpu_amdgcn_make_buffer_rsrc_p0(void*, std::int16_t, Word, Word);
void hipcpu_v_amdgcn_raw_ptr_buffer_load_v4f32(void*, const void*, Word, Word, Word);
void hipcpu_v_amdgcn_raw_buffer_store_v4f32(const void*, const Word*, Word, Word, Word);
void hipcpu_amdgcn_global_load_lds(const char*, char*, Word, Word, Word);

Word hipcpu_amdgcn_perm(Word, Word, Word);
Word hipcpu_amdgcn_alignbyte(Word, Word, Word);
Word hipcpu_amdgcn_ubfe_i32(Word, Word, Word);
std::int32_t hipcpu_amdgcn_sbfe_i32(Word, Word, Word);
Word hipcpu_amdgcn_sad_u8(Word, Word, Word);
std::int32_t hipcpu_amdgcn_sdot4(Word, Word, std::int32_t, bool);
Word hipcpu_amdgcn_udot4(Word, Word, Word, bool);
std::int32_t hipcpu_amdgcn_sdot8(Word, Word, std::int32_t, bool);
void hipcpu_v_amdgcn_cvt_pkrtz(_Float16*, float, float);
Word hipcpu_amdgcn_cvt_pk_fp8_f32(float, float, Word, bool);
void hipcpu_v_amdgcn_cvt_pk_f32_bf8(float*, Word, bool);
bool hipcpu_amdgcn_class_f32(float, Word);
float __ocml_add_rtz_f32(float, float);
float __ocml_add_rtp_f32(float, float);
float __ocml_div_rtn_f32(float, float);
double __ocml_fma_rtp_f64(double, double, double);
_Float16 __ocml_cvtrtp_f16_f32(float);
_Float16 __ocml_cvtrtn_f16_f32(float);
double __ocml_erfinv_f64(double);
double __ocml_erfcinv_f64(double);
double __ocml_erfcx_f64(double);
double __ocml_i0_f64(double);
double __ocml_sinpi_f64(double);
void hipcpu_v_ocml_exp_2f16(_Float16*, const _Float16*);
DoubleWord __ockl_printf_begin(DoubleWord);
DoubleWord __ockl_fprintf_stderr_begin();
DoubleWord __ockl_printf_append_string_n(DoubleWord, const char*, DoubleWord, Word);
DoubleWord __ockl_printf_append_args(DoubleWord, Word, DoubleWord, DoubleWord, DoubleWord, DoubleWord, DoubleWord,
                                     DoubleWord, DoubleWord, Word);
}

namespace {

using PerThread = std::function<DoubleWord(ThreadContext&, char*)>;

void runPerThread(void** arguments, ThreadContext* thread, char* lds) {
    const auto& work = *argument<const PerThread*>(arguments, 0);
    argument<DoubleWord*>(arguments, 1)[linearThread(*thread)] = work(*thread, lds);
}

} // namespace

class HipcpuDeviceLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void permutesLanes();
    void swizzles();
    void dppReadsItsPatterns();
    void votes();
    void readsLanes();
    void reducesBlocks();
    void knowsItsPlace();
    void buffersAreBounded();
    void loadsStraightIntoLds();
    void integerInstructions();
    void conversions();
    void directedRounding();
    void specialFunctions();
    void printsWhatTheFormatSays();

private:
    // What `work` returns for each thread of one block.
    std::vector<DoubleWord> each(const PerThread& work, Word threads = waveSize, std::size_t ldsBytes = 0) {
        std::vector<DoubleWord> out(threads);
        const HipError error = launch(runPerThread, {1, 1, 1}, {threads, 1, 1}, ldsBytes, nullptr, &work, out.data());
        hipDeviceSynchronize();
        return error == hipSuccess ? out : std::vector<DoubleWord>{};
    }

    LoadedModule m_module{{{"runPerThread", runPerThread, {8, 8}}}};
};

void HipcpuDeviceLibrary::permutesLanes() {
    const auto pulled =
        each([](ThreadContext& t, char*) { return hipcpu_amdgcn_ds_bpermute((t.lane + 5) * 4, t.lane * 10); });
    const auto pushed =
        each([](ThreadContext& t, char*) { return hipcpu_amdgcn_ds_permute((t.lane + 5) * 4, t.lane * 10); });
    for (Word lane = 0; lane < waveSize; ++lane) {
        QCOMPARE(pulled[lane], DoubleWord{(lane + 5) % 64 * 10});
        QCOMPARE(pushed[lane], DoubleWord{(lane + 64 - 5) % 64 * 10});
    }
}

void HipcpuDeviceLibrary::swizzles() {
    const auto swapped =
        each([](ThreadContext& t, char*) { return hipcpu_amdgcn_ds_swizzle(t.lane, 0x1f | 16 << 10); }); // xor 16
    const auto quad =
        each([](ThreadContext& t, char*) { return hipcpu_amdgcn_ds_swizzle(t.lane, 0x8000 | 0b00'01'10'11); });
    for (Word lane = 0; lane < waveSize; ++lane) {
        QCOMPARE(swapped[lane], DoubleWord{lane ^ 16});
        QCOMPARE(quad[lane], DoubleWord{lane / 4 * 4 + 3 - lane % 4});
    }
}

void HipcpuDeviceLibrary::dppReadsItsPatterns() {
    const auto dpp = [this](Word control, Word rowMask = 15, bool bound = false) {
        return each([=](ThreadContext& t, char*) {
            return hipcpu_amdgcn_update_dpp_i32(1000, t.lane, control, rowMask, 15, bound);
        });
    };
    const auto rowShr = dpp(0x111);
    const auto rowShl = dpp(0x102, 15, true);
    const auto rowRor = dpp(0x123);
    const auto mirror = dpp(0x140);
    const auto halfMirror = dpp(0x141);
    const auto bcast15 = dpp(0x142, 0xa);
    const auto bcast31 = dpp(0x143, 0xc);
    const auto waveShr = dpp(0x138);
    for (Word lane = 0; lane < waveSize; ++lane) {
        const Word inRow = lane % 16;
        QCOMPARE(rowShr[lane], DoubleWord{inRow ? lane - 1 : 1000});
        QCOMPARE(rowShl[lane], DoubleWord{inRow < 14 ? lane + 2 : 0});
        QCOMPARE(rowRor[lane], DoubleWord{lane - inRow + (inRow + 13) % 16});
        QCOMPARE(mirror[lane], DoubleWord{lane - inRow + 15 - inRow});
        QCOMPARE(halfMirror[lane], DoubleWord{lane - lane % 8 + 7 - lane % 8});
        QCOMPARE(bcast15[lane], DoubleWord{lane / 16 % 2 ? lane - inRow - 1 : 1000});
        QCOMPARE(bcast31[lane], DoubleWord{lane >= 32 ? 31u : 1000u});
        QCOMPARE(waveShr[lane], DoubleWord{lane ? lane - 1 : 1000});
    }
}

void HipcpuDeviceLibrary::votes() {
    constexpr DoubleWord third = 0x9249249249249249; // multiples of three
    QCOMPARE(each([](ThreadContext& t, char*) { return hipcpu_amdgcn_ballot_i64(t.lane % 3 == 0); })[7], third);
    QCOMPARE(each([](ThreadContext& t, char*) { return hipcpu_amdgcn_icmp_i64_i32(t.lane % 3, 0, 32); })[9], third);
    QCOMPARE(each([](ThreadContext& t, char*) {
                 return hipcpu_amdgcn_fcmp_i64_f32(t.lane == 4 ? NAN : static_cast<float>(t.lane), 5.0f,
                                                   4); // ordered <
             })[0],
             DoubleWord{0xf});
    QCOMPARE(each([](ThreadContext& t, char*) {
                 return hipcpu_amdgcn_fcmp_i64_f32(t.lane == 4 ? NAN : static_cast<float>(t.lane), 5.0f,
                                                   12); // or unordered
             })[0],
             DoubleWord{0x1f});
    const auto any = each([](ThreadContext& t, char*) {
        return DoubleWord{__ockl_wfany_i32(t.lane == 63)} | DoubleWord{__ockl_wfany_i32(0)} << 1 |
               DoubleWord{__ockl_wfall_i32(t.lane < 64)} << 2 | DoubleWord{__ockl_wfall_i32(t.lane != 3)} << 3;
    });
    QCOMPARE(any[11], DoubleWord{0b0101});
    const auto among = each([](ThreadContext& t, char*) { return t.lane % 2 ? __ockl_activelane_u32() : 77; });
    QCOMPARE(among[1], DoubleWord{0});
    QCOMPARE(among[63], DoubleWord{31});
}

void HipcpuDeviceLibrary::readsLanes() {
    QCOMPARE(each([](ThreadContext& t, char*) { return t.lane < 5 ? 0 : hipcpu_amdgcn_readfirstlane_i32(t.lane); })[60],
             DoubleWord{5});
    const auto read = each(
        [](ThreadContext& t, char*) { return std::bit_cast<DoubleWord>(hipcpu_amdgcn_readlane_f64(t.lane * 1.5, 9)); });
    QCOMPARE(std::bit_cast<double>(read[40]), 13.5);
}

void HipcpuDeviceLibrary::reducesBlocks() {
    const auto sums = each(
        [](ThreadContext& t, char*) {
            const int i = static_cast<int>(t.threadIndex[0]);
            return static_cast<DoubleWord>(__ockl_wgred_add_i32(i)) |
                   static_cast<DoubleWord>(__ockl_wgred_and_i32(i != 3)) << 32 |
                   static_cast<DoubleWord>(__ockl_wgred_or_i32(i == 3)) << 33 |
                   static_cast<DoubleWord>(__ockl_wgred_add_i32(1)) << 40;
        },
        200);
    for (const DoubleWord value : sums) {
        QCOMPARE(value, DoubleWord{199 * 200 / 2} | DoubleWord{1} << 33 | DoubleWord{200} << 40);
    }
}

void HipcpuDeviceLibrary::knowsItsPlace() {
    const auto place = each(
        [](ThreadContext& t, char* lds) {
            int local = 0;
            Word blockSize = 0;
            std::memcpy(&blockSize, static_cast<const char*>(hipcpu_amdgcn_implicitarg_ptr()) + 12, 2);
            Word gridThreads = 0;
            std::memcpy(&gridThreads, static_cast<const char*>(hipcpu_amdgcn_dispatch_ptr()) + 12, 4);
            const bool right = hipcpu_amdgcn_mbcnt_hi(~0u, hipcpu_amdgcn_mbcnt_lo(~0u, 0)) == t.lane &&
                               __ockl_get_global_id(0) == t.threadIndex[0] && hipcpu_amdgcn_is_shared(lds + 8) &&
                               !hipcpu_amdgcn_is_shared(&local) && hipcpu_amdgcn_is_private(&local) &&
                               !hipcpu_amdgcn_is_private(lds) && blockSize == 130 && gridThreads == 130;
            return DoubleWord{right};
        },
        130, 1024);
    QCOMPARE(place, std::vector<DoubleWord>(130, 1));
}

void HipcpuDeviceLibrary::buffersAreBounded() {
    std::vector<float> data = {1, 2, 3, 4, 5, 6};
    const auto loaded = each([&data](ThreadContext&, char*) {
        const void* buffer = hipcpu_amdgcn_make_buffer_rsrc_p0(data.data(), 0, 24, 0);
        float value[4];
        hipcpu_v_amdgcn_raw_ptr_buffer_load_v4f32(value, buffer, 12, 4, 0); // elements 4..7 of 6
        return DoubleWord{value[0] == 5 && value[1] == 6 && value[2] == 0 && value[3] == 0};
    });
    QCOMPARE(loaded, std::vector<DoubleWord>(waveSize, 1));
    const auto address = reinterpret_cast<DoubleWord>(data.data());
    const Word resource[4] = {static_cast<Word>(address), static_cast<Word>(address >> 32), 20, 0};
    const float stored[4] = {10, 20, 30, 40};
    each([&](ThreadContext&, char*) {
        hipcpu_v_amdgcn_raw_buffer_store_v4f32(stored, resource, 12, 0, 0);
        return DoubleWord{0};
    });
    QCOMPARE(data, (std::vector<float>{1, 2, 3, 10, 20, 6}));
}

void HipcpuDeviceLibrary::loadsStraightIntoLds() {
    std::vector<Word> data(waveSize);
    for (Word i = 0; i < waveSize; ++i) {
        data[i] = 100 + i;
    }
    const auto seen = each(
        [&data](ThreadContext& t, char* lds) {
            hipcpu_amdgcn_global_load_lds(reinterpret_cast<const char*>(&data[63 - t.lane]), lds + 64, 4, 0, 0);
            hipcpu_barrier();
            Word value = 0;
            std::memcpy(&value, lds + 64 + 4 * t.lane, 4);
            return DoubleWord{value};
        },
        waveSize, 1024);
    for (Word lane = 0; lane < waveSize; ++lane) {
        QCOMPARE(seen[lane], DoubleWord{163 - lane});
    }
}

void HipcpuDeviceLibrary::integerInstructions() {
    QCOMPARE(hipcpu_amdgcn_perm(0x80334455, 0x66778899, 0x0c'0b'07'00), 0x00'ff'80'99u);
    QCOMPARE(hipcpu_amdgcn_perm(0, 0, 0x0d0d0c0c), 0xffff0000u);
    QCOMPARE(hipcpu_amdgcn_alignbyte(0x11223344, 0x55667788, 1), 0x44556677u);
    QCOMPARE(hipcpu_amdgcn_ubfe_i32(0xabcd, 4, 8), 0xbcu);
    QCOMPARE(hipcpu_amdgcn_sbfe_i32(0xabcd, 4, 8), -0x44);
    QCOMPARE(hipcpu_amdgcn_ubfe_i32(0xabcd, 4, 0), 0u);
    QCOMPARE(hipcpu_amdgcn_sad_u8(0x01050301, 0x04020301, 10), 16u);
    QCOMPARE(hipcpu_amdgcn_sdot4(0xff02037f, 0x01fe0302, 5, false), -1 - 4 + 9 + 254 + 5);
    QCOMPARE(hipcpu_amdgcn_udot4(0xff020304, 0x01020304, ~0u, true), ~0u);
    QCOMPARE(hipcpu_amdgcn_sdot8(0xf0000007, 0x20000003, 1, false), -2 + 21 + 1);
}

void HipcpuDeviceLibrary::conversions() {
    _Float16 pair[2];
    hipcpu_v_amdgcn_cvt_pkrtz(pair, 1.0009f, -70000.0f);
    QCOMPARE(static_cast<float>(pair[0]), 1.0f);
    QCOMPARE(static_cast<float>(pair[1]), -65504.0f);
    QCOMPARE(static_cast<float>(__ocml_cvtrtp_f16_f32(1.0001f)), 1.0f + 0x1p-10f);
    QCOMPARE(static_cast<float>(__ocml_cvtrtn_f16_f32(1.0009f)), 1.0f);
    QCOMPARE(static_cast<float>(__ocml_cvtrtn_f16_f32(-1.0001f)), -1.0f - 0x1p-10f);
    QCOMPARE(hipcpu_amdgcn_cvt_pk_fp8_f32(1.0f, -2.0f, 0x12345678, true), 0xc8405678u);
    float wide[2];
    hipcpu_v_amdgcn_cvt_pk_f32_bf8(wide, 0x40c4'80'00, true);
    QCOMPARE(wide[0], -2.0f);
    QCOMPARE(wide[1], 1.0f);
    QVERIFY(hipcpu_amdgcn_class_f32(-INFINITY, 1 << 2) && hipcpu_amdgcn_class_f32(-1.0f, 1 << 3));
    QVERIFY(hipcpu_amdgcn_class_f32(-1e-40f, 1 << 4) && hipcpu_amdgcn_class_f32(-0.0f, 1 << 5));
    QVERIFY(hipcpu_amdgcn_class_f32(0.0f, 1 << 6) && hipcpu_amdgcn_class_f32(1e-40f, 1 << 7));
    QVERIFY(hipcpu_amdgcn_class_f32(1.0f, 1 << 8) && hipcpu_amdgcn_class_f32(INFINITY, 1 << 9));
    QVERIFY(hipcpu_amdgcn_class_f32(NAN, 1 << 1) && !hipcpu_amdgcn_class_f32(1.0f, ~(1u << 8)));
    const _Float16 x[2] = {_Float16(0), _Float16(1)};
    _Float16 y[2];
    hipcpu_v_ocml_exp_2f16(y, x);
    QVERIFY(static_cast<float>(y[0]) == 1.0f && std::fabs(static_cast<float>(y[1]) - 2.71828f) < 2e-3f);
}

void HipcpuDeviceLibrary::directedRounding() {
    QCOMPARE(__ocml_add_rtz_f32(1.0f, 0x1.8p-24f), 1.0f);
    QCOMPARE(__ocml_add_rtp_f32(1.0f, 0x1p-60f), 1.0f + 0x1p-23f);
    QCOMPARE(__ocml_add_rtp_f32(1.0f, 0.0f), 1.0f);
    QCOMPARE(__ocml_add_rtz_f32(-1.0f, 0x1p-60f), -1.0f + 0x1p-24f);
    QVERIFY(static_cast<double>(__ocml_div_rtn_f32(1.0f, 3.0f)) < 1.0 / 3.0);
    QCOMPARE(std::nextafter(__ocml_div_rtn_f32(1.0f, 3.0f), 1.0f), 1.0f / 3.0f);
    QCOMPARE(__ocml_fma_rtp_f64(1.0, 1.0, 0x1p-200), 1.0 + 0x1p-52);
}

void HipcpuDeviceLibrary::specialFunctions() {
    for (const double x : {-0.999, -0.3, 1e-6, 0.5, 0.9, 0.9999999}) {
        QVERIFY2(std::fabs(std::erf(__ocml_erfinv_f64(x)) - x) < 1e-14, qPrintable(QString::number(x)));
    }
    for (const double x : {1e-30, 1e-5, 0.5, 1.0, 1.9}) {
        QVERIFY2(std::fabs(std::erfc(__ocml_erfcinv_f64(x)) - x) < 1e-13 * std::max(x, 1e-30),
                 qPrintable(QString::number(x)));
    }
    QVERIFY(std::isinf(__ocml_erfinv_f64(1.0)) && std::isnan(__ocml_erfinv_f64(1.5)));
    QVERIFY(std::fabs(__ocml_erfcx_f64(30.0) - 0.018795888861416751) < 1e-7);
    QVERIFY(std::fabs(__ocml_i0_f64(2.0) - 2.2795853023360673) < 1e-14);
    QCOMPARE(__ocml_sinpi_f64(1e15 + 0.5), 1.0);
}

void HipcpuDeviceLibrary::printsWhatTheFormatSays() {
    QFile file(QDir::temp().filePath(QStringLiteral("hipcpu-print-%1").arg(QCoreApplication::applicationPid())));
    QVERIFY(file.open(QIODevice::ReadWrite | QIODevice::Truncate));
    const int before = dup(STDERR_FILENO);
    dup2(file.handle(), STDERR_FILENO);
    each(
        [](ThreadContext&, char*) {
            const auto append = [](DoubleWord message, const char* text, bool last) {
                return __ockl_printf_append_string_n(message, text, std::strlen(text) + 1, last);
            };
            DoubleWord message =
                append(__ockl_fprintf_stderr_begin(), "%5d|%-4u|%08.3f|%s|%c|%llx|100%%|%n%hhd|%.2s\n", false);
            message = __ockl_printf_append_args(message, 3, static_cast<DoubleWord>(-42), 7,
                                                std::bit_cast<DoubleWord>(-3.14159), 0, 0, 0, 0, 0);
            message = append(message, "text", false);
            message = __ockl_printf_append_args(message, 3, 'q', 0xfedcba9876543210, 0x1ff, 0, 0, 0, 0, 0);
            append(message, "cut", true);
            return DoubleWord{0};
        },
        1);
    dup2(before, STDERR_FILENO);
    close(before);
    file.seek(0);
    // %n is a way to write to memory and prints nothing here.
    QCOMPARE(file.readAll(), QByteArray("  -42|7   |-003.142|text|q|fedcba9876543210|100%|-1|cu\n"));
    file.remove();
}

QTEST_APPLESS_MAIN(HipcpuDeviceLibrary)
#include "hipcpu_device_library.moc"
