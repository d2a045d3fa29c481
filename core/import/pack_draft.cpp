// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/pack_draft.h"

#include "core/base/one_line.h"
#include "core/base/text.h"
#include "core/import/reference_writer.h"
#include "core/import/shape_choice.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t referenceInNotesBytes = std::size_t{24} << 10;

std::string plain(const std::string& text) { // in quotes of TOML
    std::string line = withoutControls(sanitizedUtf8(text));
    std::erase_if(line, [](char c) { return c == '"' || c == '\\'; });
    return line;
}

std::string shapeRows(const std::vector<Shape>& shapes) {
    std::vector<std::string> rows;
    for (const Shape& shape : shapes) {
        rows.push_back(fmt::format("[{}]", fmt::join(shape, ", ")));
    }
    return join(rows, ", ");
}

std::string quoted(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) {
        all.push_back("\"" + word + "\"");
    }
    return join(all, ", ");
}

// By the narrowest floating-point type: its rounding, and what sums in other orders differ by. What the problem states
// is meant for a reference that has rounded its result as well; ours has not, so it is never less than the rounding.
std::string toleranceText(const ProblemPack& pack, const PackDraft& draft) {
    const std::optional<Tolerance>& stated = draft.tolerance;
    double rounding = 6e-8;
    double ofOutput = 6e-8;
    for (const TensorSpec& tensor : pack.tensors) {
        const double own = tensor.type == ElementType::f16 ? 4.9e-4 : tensor.type == ElementType::bf16 ? 3.9e-3 : 6e-8;
        rounding = std::max(rounding, own);
        ofOutput = std::max(ofOutput, tensor.role == TensorRole::output ? own : 0);
    }
    const double least = std::max(2 * ofOutput, 1e-5);
    const double ofMagnitude = std::max(rounding / 4, 4e-6);
    if (draft.own) { // which knows no magnitudes
        return fmt::format("[tolerance]\nrelative = {:.3g}\nabsolute = {:.3g}\n",
                           std::max(least, stated ? stated->relative : 10 * least), stated ? stated->absolute : 1e-6);
    }
    if (stated && stated->relative >= least) {
        return fmt::format("[tolerance] # as the problem states it\nrelative = {:.3g}\nabsolute = {:.3g}\n",
                           stated->relative, stated->absolute);
    }
    return fmt::format("[tolerance]\nrelative = {:.3g}\nabsolute = {:.3g}\nof_magnitude = {:.3g} # of the magnitude "
                       "that the reference computes\n",
                       least, stated ? std::max(stated->absolute, 1e-9) : 1e-9, ofMagnitude);
}

std::string rangeText(const TensorSpec& tensor) {
    return tensor.scale == 1 && tensor.offset == 0
               ? std::string()
               : fmt::format("scale = {}\noffset = {}\n", tensor.scale, tensor.offset);
}

std::string manifest(const PackDraft& draft, const ProblemPack& pack, const ChosenShapes& shapes) {
    std::string text = fmt::format("# SPDX-License-Identifier: GPL-3.0-or-later\n# Made from {} beside this file.\n"
                                   "name = \"{}\"\ntitle = \"{}\"\ndims = [{}]\n\n",
                                   draft.origin, pack.name, pack.title, quoted(pack.dims));
    for (const TensorSpec& tensor : pack.tensors) {
        const bool isInput = tensor.role == TensorRole::input;
        const char* const fill = tensor.fill == Fill::uniform ? "uniform"
                                 : tensor.fill == Fill::zeros ? "zeros"
                                 : tensor.fill == Fill::ones  ? "ones"
                                                              : "normal";
        text += fmt::format("[[tensor]]\nname = \"{}\"\ntype = \"{}\"\nshape = [{}]\nrole = \"{}\"\n{}\n", tensor.name,
                            gks::name(tensor.type), quoted(tensor.extents), isInput ? "input" : "output",
                            isInput ? fmt::format("fill = \"{}\"\n{}", fill, rangeText(tensor)) : std::string());
    }
    text += toleranceText(pack, draft);
    text += fmt::format("\n[cost]\nflops = \"{}\"\nbytes = \"{}\"\n\n[shapes]\n", pack.flopsExpression,
                        pack.bytesExpression);
    if (!shapes.combine) {
        text += "combine = false # extents depend on each other\n";
    } else if (!shapes.freeDims.empty()) {
        text += fmt::format("free = [{}]\n", quoted(shapes.freeDims));
    }
    text += fmt::format("test = [{}]\nbenchmark = [{}]\nquick = [{}]\n", shapeRows(shapes.test),
                        shapeRows(shapes.benchmark), shapeRows({shapes.benchmark.back()}));
    return text + fmt::format("held_out = [{}]\ncpu = [{}]\n", shapeRows(shapes.heldOut), shapeRows(shapes.cpu));
}

// Of every element that is written: one, or its bytes.
std::string leastWritten(const ProblemPack& pack, bool inBytes) {
    std::vector<std::string> terms;
    for (const TensorSpec& tensor : pack.tensors) {
        if (tensor.role == TensorRole::output) {
            terms.push_back(
                fmt::format("{}*{}", inBytes ? sizeBytes(tensor.type) : std::size_t{1}, elementsText(tensor.extents)));
        }
    }
    return join(terms, " + ");
}

std::string notesText(const PackDraft& draft, const ProblemPack& pack) {
    std::string text =
        fmt::format("Compute {} as fast as the device allows.\n\n{}.\n\nTensors, the last extent varies fastest:\n",
                    pack.name, pack.title);
    for (const TensorSpec& tensor : pack.tensors) {
        text += fmt::format("- {}: {} [{}], {}\n", tensor.name, gks::name(tensor.type), join(tensor.extents, "]["),
                            tensor.role == TensorRole::input ? "read" : "written");
    }
    for (const ProblemAxis& axis : draft.axes) {
        const bool isDim = std::ranges::find(pack.dims, axis.dim) != pack.dims.end();
        text += axis.constant && isDim ? fmt::format("- {} is always {}\n", axis.dim, *axis.constant) : std::string();
    }
    const std::string reference = abbreviated(sanitizedUtf8(draft.reference), referenceInNotesBytes);
    text += fmt::format("\nThe reference, in {}:\n```{}\n{}\n```\n\n", draft.own ? "C++" : "PyTorch",
                        draft.own ? "cpp" : "python", replaceAll(reference, "```", "'''"));
    for (const std::string& note : draft.notes) {
        text += fmt::format("- {}.\n", note);
    }
    return text;
}

} // namespace

std::optional<ElementType> elementTypeFromTorch(std::string_view dtype) {
    static const std::map<std::string_view, ElementType> types = {{"float32", ElementType::f32},
                                                                  {"float", ElementType::f32},
                                                                  {"float16", ElementType::f16},
                                                                  {"half", ElementType::f16},
                                                                  {"bfloat16", ElementType::bf16},
                                                                  {"float64", ElementType::f64},
                                                                  {"double", ElementType::f64},
                                                                  {"float8_e4m3fn", ElementType::fp8E4m3},
                                                                  {"float8_e4m3", ElementType::fp8E4m3},
                                                                  {"float8_e5m2", ElementType::fp8E5m2},
                                                                  {"int32", ElementType::i32},
                                                                  {"int", ElementType::i32},
                                                                  {"int64", ElementType::i64},
                                                                  {"long", ElementType::i64},
                                                                  {"int8", ElementType::i8}};
    const auto found = types.find(dtype);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

bool isFloatingType(ElementType type) {
    return type != ElementType::i8 && type != ElementType::i32 && type != ElementType::i64 && type != ElementType::u32;
}

bool isOutputType(ElementType type) {
    return isFloatingType(type) && sizeBytes(type) > 1;
}

Result<ImportedProblem> packFrom(PackDraft draft, std::string_view where) {
    ProblemPack pack;
    for (const char c : lowered(draft.name.substr(0, 60))) {
        pack.name += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
    }
    pack.title = draft.title.empty() ? pack.name : shortened(plain(draft.title), 100);
    pack.title = pack.title.empty() ? pack.name : pack.title;
    for (const std::string& name : draft.dims) {
        pack.dims.push_back(std::ranges::find(draft.axes, name, &ProblemAxis::name)->dim);
    }
    pack.isFree.assign(pack.dims.size(), false);
    pack.tensors = draft.tensors;
    // Of code that was not read nobody knows what it computes: one operation for each output, and all that is written.
    pack.flopsExpression = draft.own ? leastWritten(pack, false) : leastFlops(pack, draft.program);
    pack.bytesExpression = draft.own && draft.own->seed.empty() ? leastWritten(pack, true) : leastBytes(pack);
    ProblemPack checked = pack;
    checked.flopsExpression = draft.own ? pack.flopsExpression : writtenFlops(pack, draft.program);
    const ChosenShapes shapes = chooseShapes(draft, checked, where);
    if (shapes.test.empty() || shapes.benchmark.empty() || shapes.cpu.empty()) {
        return usageError("names no shape that all axes go together in", std::string(where),
                          "Write the problem pack by hand");
    }
    if (shapes.heldOut.empty()) {
        return usageError("has too few shapes: a pack keeps one that no writer of a kernel sees", std::string(where),
                          "Write the problem pack by hand, with another shape that kernels have to be right for");
    }
    if (draft.tests.empty() && draft.benchmarks.empty()) {
        draft.notes.emplace_back("Shapes are guesses: put in the sizes that you have");
    }
    if (shapes.leftOut > 0) {
        draft.notes.push_back(
            fmt::format("{} times a shape of the problem was too large for a set and is not in it", shapes.leftOut));
    }
    draft.notes.emplace_back(draft.tolerance ? "The tolerance is the problem's, but never less than the rounding of "
                                               "the output"
                                             : "The tolerance is a guess: put in what error you can bear");
    draft.notes.emplace_back(draft.own ? "The reference computes in its own types: where it sums in float, its own "
                                         "rounding is in what is expected of a kernel"
                                       : "Casts between floating-point types are left out of the reference, which "
                                         "computes in double precision");
    ImportedProblem problem;
    problem.name = pack.name;
    problem.files = draft.files;
    problem.files["problem.toml"] = manifest(draft, pack, shapes);
    problem.files["reference.cpp"] = draft.own ? draft.own->source : referenceSource(pack, draft.program);
    const std::string seed = draft.own ? draft.own->seed : naiveSource(pack, draft.program);
    if (problem.files["reference.cpp"].empty() || (seed.empty() && !draft.own)) {
        return usageError("the reference becomes too long as code", fmt::format("{}, reference", where),
                          "Write it with fewer products of products");
    }
    if (!seed.empty()) {
        problem.files["seeds/naive.hip"] = seed;
    }
    problem.files["notes.md"] = notesText(draft, pack);
    problem.notes = draft.notes;
    return problem;
}

} // namespace gks
