// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/problem/anchor_spec.h"
#include "core/problem/harness.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A problem pack: what is to be computed, on which shapes, how exactly, and what it must cost at least.
namespace gks {

enum class ElementType { fp8E4m3, fp8E5m2, f16, bf16, f32, f64, i8, i32, u32, i64 };
inline constexpr ElementType lastElementType = ElementType::i64;
enum class TensorRole { input, output };
enum class Fill { normal, uniform, zeros, ones };

// How fp8 values are encoded depends on the target: FNUZ on gfx942, OCP on gfx950 and NVIDIA.
enum class Fp8Encoding { fnuz, ocp };

std::size_t sizeBytes(ElementType type);
std::string_view name(ElementType type);    // as in problem.toml: "fp8_e4m3", "bf16", "f32", ...
std::string_view cppType(ElementType type); // in problem.h of a kernel: "fp8_t", "float", ...
std::optional<ElementType> elementTypeFromName(std::string_view name);
// As instructions name it: "fp8", "bf8", "bf16", ...; empty for a type of whole numbers.
std::string_view arithmeticName(ElementType type);

struct TensorSpec {
    std::string name;
    ElementType type = ElementType::f32;
    std::vector<std::string> extents; // muParser expressions over the dims, e.g. "k/128"
    TensorRole role = TensorRole::input;
    Fill fill = Fill::normal;
    // What a normal or uniform fill draws becomes offset + scale * it: uniform on [-1, 1) is offset -1, scale 2.
    double scale = 1;
    double offset = 0;
};

// An output `got` is right where |got - want| <= absolute + relative * |want| + ofMagnitude * magnitude. The magnitude
// of an output is the sum of the absolute values of the terms that it is a sum of, by the reference's magnitude(): what
// the error of an addition in few bits follows, however far the terms cancel out.
struct Tolerance {
    double relative = 1e-3;
    double absolute = 1e-5;
    double ofMagnitude = 0; // 0: the reference has no magnitude()
    bool operator==(const Tolerance&) const = default;
};

// One value per dim, in the order of ProblemPack::dims.
using Shape = std::vector<std::int64_t>;

// benchmark: what is timed on a GPU. test: checked in full. quick: a small subset of benchmark. heldOut: never shown to
// a scientist. cpu: what the cpu target verifies and times, small.
enum class ShapeSet { test, benchmark, quick, heldOut, cpu };
std::string_view name(ShapeSet set);

// A tensor of a shape with more elements is refused.
inline constexpr std::int64_t tensorElementLimit = std::int64_t{1} << 33;

struct SeedKernel {
    std::string name;  // file name without extension
    std::string title; // first comment line of the file
    std::string source;
    std::filesystem::path path;
};

struct ProblemPack {
    std::string name;
    std::string title;
    std::filesystem::path folder;
    std::vector<std::string> dims;
    std::vector<TensorSpec> tensors;
    Tolerance tolerance;
    std::optional<ElementType> declaredMultiply; // [precision] multiply
    std::string flopsExpression;
    std::string bytesExpression;
    std::map<ShapeSet, std::vector<Shape>> shapes;
    bool combinesExtents = true;   // a kernel has to be right for extents of different shapes together
    std::vector<bool> isFree;      // by dim: a kernel has to be right for every extent of it, not the named ones alone
    std::vector<SeedKernel> seeds; // naive first
    std::string language;          // of kernels, "c++17"; empty: the usual one
    std::string notes;             // notes.md: mission statement and task description for the prompts
    std::filesystem::path referencePath;
    std::vector<AnchorSpec> anchors; // libraries to be measured against
    // Of a command pack, which has no tensors, no reference, no costs, and one shape without extents.
    std::optional<Harness> harness;

    const std::vector<Shape>& shapesOf(ShapeSet set) const;
    // The narrowest type that products may be computed in: as declared, else that of the narrowest floating-point
    // input; nothing where there is neither.
    std::optional<ElementType> multiplyType() const;
    std::optional<ElementType> firstInputType() const; // whose peak the arithmetic is measured by
    std::string shapeLabel(const Shape& shape) const;  // "m=64 n=128 k=256"; wholeRunText where it has no extents
    std::map<std::string, std::int64_t> namedShape(const Shape& shape) const;
    // Of a tensor, the last varies fastest; an error when an expression is not a positive whole number.
    Result<std::vector<std::int64_t>> extents(const TensorSpec& tensor, const Shape& shape) const;
    // Elements of a tensor; an error likewise, and where there are too many.
    Result<std::int64_t> elementCount(const TensorSpec& tensor, const Shape& shape) const;
    Result<double> flops(const Shape& shape) const;
    Result<double> bytes(const Shape& shape) const;
};

// A folder with problem.toml, or the name of a built-in pack. A bad pack is refused with file, line and reason.
Result<ProblemPack> loadProblemPack(std::string_view nameOrFolder);
// What a campaign may hold: the same, or the folder of a command pack. Whoever asks here knows ProblemPack::harness.
Result<ProblemPack> loadCampaignProblem(std::string_view nameOrFolder);
// Leaves the seeds with these names, in the order of the pack; an error when it has no such seed.
Result<void> keepSeeds(ProblemPack& pack, const std::vector<std::string>& names);
// Whether it came with the program: it lies under resources/problems.
bool isBuiltin(const ProblemPack& pack);
// The packs under resources/problems, sorted by name.
Result<std::vector<ProblemPack>> builtinProblems();

// Text of the `problem.h` that a candidate includes: element types for host and device on every target, struct Problem,
// solve(). struct Problem is laid out as one pointer per tensor in the order of the pack, then one 32-bit int per dim
// in the order of the pack, the whole padded to 8 bytes: a caller that has never seen the pack can build it.
// GKS_FP8_OCP selects the encoding of fp8 at compile time.
std::string generateProblemHeader(const ProblemPack& pack);

// Peaks of a device, for the physical floor; zero where unknown (then no floor).
struct DevicePeaks {
    double bytesPerSecond = 0;
    std::map<ElementType, double> flopsPerSecond; // by input element type
    double cacheBytes = 0; // of the largest cache: that much of the outputs may still be in it when a kernel ends
    // Types whose matrix products the device sums with fewer bits than f32 has, and the type to convert to, without a
    // loss, where a tolerance does not allow that.
    std::map<ElementType, ElementType> exactSums;
    bool operator==(const DevicePeaks&) const = default;
};
// What a device says of itself; 0 where it does not.
struct DeviceRates {
    double memoryBytesPerSecond = 0;
    double computeUnits = 0;
    double clockHz = 0;
    std::string_view name = {}; // "AMD Instinct MI325X"
};
// The peaks in resources/devices/<architecture>.toml; all unknown when there is no such file. Cards of one architecture
// differ: the file says how by their names, and where a device says what it is, its memory's rate replaces that of the
// file and the arithmetic is scaled by units and clock. A bad file is refused with file and line.
Result<DevicePeaks> devicePeaks(std::string_view architecture, const DeviceRates& rates = {});
// The least time by either peak, microseconds; 0 where a peak is unknown.
struct Roofline {
    double arithmeticUs = 0;
    double memoryUs = 0;
};
Roofline roofline(const ProblemPack& pack, const Shape& shape, const DevicePeaks& peaks);
// The longer of the two, microseconds; 0 when the peaks are unknown. Nothing that is right can be
// faster.
double floorUs(const ProblemPack& pack, const Shape& shape, const DevicePeaks& peaks);

} // namespace gks
