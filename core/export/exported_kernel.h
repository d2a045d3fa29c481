// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"
#include "core/problem/problem.h"
#include "core/target/target.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A kernel as every form of an export speaks of it: what it computes, where it won, and how that is known.
namespace gks {

// One shape that kernel and baseline were timed on, side by side.
struct ShapeClaim {
    Shape shape;
    double kernelUs = 0;
    double fallbackUs = 0;
    double ratio = 1; // fallback / kernel
    Interval ci95;
    bool won = false; // the whole interval lies above 1
    bool operator==(const ShapeClaim&) const = default;
};

// Extents of one dim: least, least + step, ... most.
struct ExtentRange {
    std::int64_t least = 1;
    std::int64_t most = 1;
    std::int64_t step = 1;
    bool operator==(const ExtentRange&) const = default;
};
using ShapeRange = std::vector<ExtentRange>; // one for each dim of the pack

struct ExportedKernel {
    ProblemPack pack;
    std::string name; // an identifier of C, Python and TOML: "row_softmax_k00012"
    KernelId id = 0;
    std::string title;
    std::string source;
    std::string writtenBy; // "seed", "model claude-..."
    KernelId fallback = 0; // the campaign's baseline
    std::string fallbackTitle;
    std::string fallbackSource;
    TargetKind target = TargetKind::cpu;
    std::string device;
    std::string toolchain;
    std::vector<std::string> compilerOptions; // that it was judged with
    std::string claim;                        // the verdict with its ratio, as a sentence
    bool isConfirmed = false;                 // measured again after it was chosen
    std::int64_t evaluation = 0;              // that the claim is of
    std::vector<ShapeClaim> shapes;
    std::vector<ShapeRange> between;  // see rangesBetween()
    std::vector<std::string> devices; // of all its accepted verdicts
    std::string evidenceSha256;       // root hash of the bundle that `report --kernel` writes; a harness has none
    std::string harnessSha256;        // of the files of the command pack that judged it; empty: our own judge did
    std::string harnessCommands;      // that it ran then

    const ShapeClaim* claimFor(const Shape& shape) const;
    std::size_t wonShapes() const;
};

// The kernel with the newest comparison with the campaign's baseline, a confirmation before any other. Refused: a
// kernel that is the baseline, that did not pass, that was never measured beside the baseline, or that won on no shape;
// and sources that hold a key of this machine. Of a command pack it holds what its harness said.
Result<ExportedKernel> readExportedKernel(const CampaignStore& store, KernelId kernel);

// Boxes of shapes between measured ones: free dims alone vary, in steps of what all extents of the pack are multiples
// of, and no measured shape inside was lost. No claim covers what lies between; a person may want it all the same.
std::vector<ShapeRange> rangesBetween(const ProblemPack& pack, const std::vector<ShapeClaim>& claims);
bool contains(const ShapeRange& range, const Shape& shape);
// What every extent that the pack names for the dim is a multiple of, where the dim is free; else 1: see
// verifiedExtents(). A kernel may rely on it.
std::int64_t extentStep(const ProblemPack& pack, std::size_t dim);

// The extents that the dims which are not free have together, by the shapes that the pack names and those measured; 0
// stands in the place of a free dim. No other extents of theirs were verified. Held-out shapes are secret: not these.
std::vector<Shape> verifiedExtents(const ExportedKernel& kernel);

// Lower-case letters, digits and '_', no digit first.
std::string exportName(std::string_view problem, KernelId kernel);

// An extent as C++ and Python read it, every number a floating-point one; refused where muParser knows more than both.
Result<std::string> portableExtent(const std::string& expression, const std::vector<std::string>& dims);

// Foreign text within a comment of C, C++, Python or CMake: one line that ends no comment.
std::string commentText(std::string_view text);

} // namespace gks
