// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/export_pages.h"

#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/export/c_interface.h"
#include "core/report/markup.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

std::string claimRows(const ExportedKernel& kernel) {
    std::string rows = "| shape | kernel | fallback | fallback / kernel, 95 % | goes to |\n|---|---|---|---|---|\n";
    for (const ShapeClaim& claim : kernel.shapes) {
        rows += fmt::format("| {} | {} | {} | {} | {} |\n", kernel.pack.shapeLabel(claim.shape),
                            formatMicroseconds(claim.kernelUs), formatMicroseconds(claim.fallbackUs),
                            formatRatio(claim.ratio, claim.ci95), claim.won ? "kernel" : "fallback");
    }
    return rows;
}

std::string rangeText(const ProblemPack& pack, const ShapeRange& range) {
    std::vector<std::string> parts;
    for (std::size_t dim = 0; dim < range.size(); ++dim) {
        const ExtentRange& extents = range[dim];
        std::string part = extents.least == extents.most
                               ? fmt::format("{}={}", pack.dims[dim], extents.least)
                               : fmt::format("{}={} to {}", pack.dims[dim], extents.least, extents.most);
        if (extents.step > 1 && extents.least != extents.most) {
            part += fmt::format(" in steps of {}", extents.step);
        }
        parts.push_back(part);
    }
    return join(parts, ", ");
}

std::string betweenText(const ExportedKernel& kernel, bool between) {
    if (kernel.between.empty()) {
        return "No shape lies between measured ones that were all won.";
    }
    std::string text = between ? "You asked that shapes between measured ones go to the kernel too. No claim covers "
                                 "their speed:\n\n"
                               : "Shapes between measured ones go to the fallback. Exported with `--between` they go "
                                 "to the kernel, and no claim covers their speed:\n\n";
    for (const ShapeRange& range : kernel.between) {
        text += fmt::format("- {}\n", rangeText(kernel.pack, range));
    }
    return text;
}

std::string extentText(const ProblemPack& pack) {
    std::vector<std::string> parts;
    std::vector<std::string> named;
    for (std::size_t dim = 0; dim < pack.dims.size(); ++dim) {
        if (!pack.isFree[dim]) {
            named.push_back(pack.dims[dim]);
        }
        if (const std::int64_t step = extentStep(pack, dim); step > 1) {
            parts.push_back(fmt::format("{} of {}", pack.dims[dim], step));
        }
    }
    std::string text =
        parts.empty() ? std::string() : fmt::format("Extents have to be multiples: {}. ", join(parts, ", "));
    if (!named.empty()) {
        text += fmt::format("Of {} the extents have to be those that the list `verified` in the source has together. ",
                            join(named, ", "));
    }
    return text.empty() ? text
                        : text + "Others are refused as a bad shape, since nobody has verified either kernel for "
                                 "them.\n\n";
}

constexpr std::string_view cpuMeaning =
    "**The times are of a CPU.** On the `cpu` target the kernel's HIP source is compiled for the processor and runs on "
    "it: what it says of correctness holds for the source; what it says of speed holds for this processor alone and "
    "says nothing of a GPU. Measure it on the card that you mean before you rely on the choice by shape.\n\n";

} // namespace

std::string spdxOf(std::string_view source) {
    constexpr std::string_view mark = "SPDX-License-Identifier:";
    for (const std::string_view line : lines(source)) {
        if (const std::size_t at = line.find(mark); at != std::string_view::npos) {
            return std::string(trimmed(line.substr(at + mark.size())).substr(0, 60));
        }
    }
    return "none stated";
}

std::string asSentence(std::string title) {
    return title.empty() || title.ends_with('.') || title.ends_with('!') || title.ends_with('?') ? title : title + ".";
}

std::string evidencePage(const ExportedKernel& kernel, bool between) {
    const ProblemPack& pack = kernel.pack;
    std::string text = fmt::format("# Evidence for {}\n\n{}\n\n", kernel.name, markdownEscaped(kernel.claim));
    text += kernel.isConfirmed ? "Confirmed: measured again, beside the baseline, after it had been chosen.\n\n"
                               : "Not confirmed: the run that made it the best flatters it; no later run beside the "
                                 "baseline repeats the claim.\n\n";
    text += kernel.target == TargetKind::cpu ? std::string(cpuMeaning) : std::string();
    text += fmt::format(
        "| | |\n|---|---|\n| problem | {} ({}) |\n| kernel | {} {}, by {} |\n| SHA-256 of its source | {} |\n| "
        "fallback "
        "| {} {}, the baseline of the campaign |\n| SHA-256 of its source | {} |\n| target | {} |\n| device | {} |\n| "
        "toolchain | {} |\n| compiler options | {} |\n| evaluation | {} |\n| devices of all its verdicts | {} |\n| "
        "SHA-256 of the evidence | {} |\n| program | GPU Kernel Scientist {} |\n\n",
        markdownEscaped(pack.name), markdownEscaped(pack.title), kernelLabel(kernel.id), markdownEscaped(kernel.title),
        markdownEscaped(kernel.writtenBy), sha256Hex(kernel.source), kernelLabel(kernel.fallback),
        markdownEscaped(kernel.fallbackTitle), sha256Hex(kernel.fallbackSource), name(kernel.target),
        markdownEscaped(kernel.device), markdownEscaped(kernel.toolchain),
        kernel.compilerOptions.empty() ? "none" : markdownEscaped(join(kernel.compilerOptions, " ")), kernel.evaluation,
        markdownEscaped(join(kernel.devices, "; ")), kernel.evidenceSha256, programVersion());
    text +=
        fmt::format("The hash is the root of the bundle that `kernel-scientist-cli report FILE.gks --kernel {} --out "
                    "DIR` writes; `kernel-scientist-cli replay DIR --root HASH` checks it.\n\n",
                    kernel.id);
    text += "## Shapes of the claim\n\n" + claimRows(kernel) + "\n";
    text += "A shape goes to the kernel where the whole 95 % interval of its ratio lies above 1. " +
            std::string("Every other shape goes to the fallback.\n\n");
    text += extentText(pack);
    text += betweenText(kernel, between) + "\n";
    text +=
        fmt::format("\n## What right means\n\nAn output may differ from the reference by {} + {} * |reference|{}.\n",
                    pack.tolerance.absolute, pack.tolerance.relative,
                    pack.tolerance.ofMagnitude > 0
                        ? fmt::format(" + {} * the sum of the absolute values of its terms", pack.tolerance.ofMagnitude)
                        : std::string());
    for (const TensorSpec& tensor : pack.tensors) {
        text += fmt::format("- {}\n", markdownEscaped(tensorText(tensor)));
    }
    return text;
}

std::string licencePage(const ExportedKernel& kernel) {
    return fmt::format(
        "# Licences of {}\n\nWhat the sources say of themselves, in their SPDX lines. This is no legal advice.\n\n"
        "| part | from | SPDX |\n|---|---|---|\n| kernel {} | {} | {} |\n| fallback {} | seed of the campaign | {} |\n"
        "| problem.h, test program, hip/*.h for nvcc | GPU Kernel Scientist | GPL-3.0-or-later |\n"
        "| reference.cpp, where there is one | problem pack {} | {} |\n\n"
        "A kernel that was made from another one is a derived work of it, whoever wrote the change. Before you publish "
        "this under other terms, ask whoever holds the rights in each part.\n"
        "The GNU General Public License: https://www.gnu.org/licenses/gpl-3.0.txt\n",
        kernel.name, kernelLabel(kernel.id), markdownEscaped(kernel.writtenBy), markdownEscaped(spdxOf(kernel.source)),
        kernelLabel(kernel.fallback), markdownEscaped(spdxOf(kernel.fallbackSource)), markdownEscaped(kernel.pack.name),
        isBuiltin(kernel.pack) ? "GPL-3.0-or-later" : "see the pack");
}

std::string readmePage(const ExportedKernel& kernel, const ReadmeText& readme) {
    std::string text =
        fmt::format("# {}\n\n{} of kernel {} ({}) for the problem {}: {}\n\n{}\n\n", kernel.name, readme.form,
                    kernelLabel(kernel.id), markdownEscaped(kernel.title), markdownEscaped(kernel.pack.name),
                    markdownEscaped(asSentence(kernel.pack.title)), markdownEscaped(kernel.claim));
    if (kernel.target == TargetKind::cpu) {
        text += std::string(cpuMeaning);
    }
    for (const std::string& part : readme.use) {
        text += part + "\n\n";
    }
    text += "## Not compiled, not run\n\n";
    for (const std::string& sentence : readme.open) {
        text += "- " + sentence + "\n";
    }
    return text + "\n`EVIDENCE.md` has the shapes and the evidence, `LICENSE.md` the licences of the parts.\n";
}

} // namespace gks
