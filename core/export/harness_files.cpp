// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/harness_files.h"

#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/export/export_pages.h"
#include "core/export/patch_file.h"
#include "core/problem/seed_file.h"
#include "core/report/markup.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::string_view whatItIsWorth =
    "**Judged by the user's harness.** Its commands built the kernel, said that it is right and took the times. GPU "
    "Kernel Scientist ran them, interleaved kernel and baseline, and worked out ratio and interval; it has verified no "
    "output, there is no evidence bundle, and nothing here can be replayed without the command pack.\n\n";

std::string harnessEvidence(const ExportedKernel& kernel) {
    const Harness& harness = *kernel.pack.harness;
    std::string text =
        fmt::format("# Evidence for {}\n\n{}\n\n{}", kernel.name, markdownEscaped(kernel.claim), whatItIsWorth);
    text += kernel.isConfirmed ? "Confirmed: measured again, beside the baseline, after it had been chosen.\n\n"
                               : "Not confirmed: the run that made it the best flatters it; no later run beside the "
                                 "baseline repeats the claim.\n\n";
    text += "| | |\n|---|---|\n";
    const auto row = [&](std::string_view what, const std::string& value) {
        text += fmt::format("| {} | {} |\n", what, markdownEscaped(value));
    };
    row("command pack", fmt::format("{} ({})", harness.name, harness.title));
    row("SHA-256 of its files", kernel.harnessSha256);
    row("its commands", kernel.harnessCommands);
    row("kernel", fmt::format("{} {}, by {}", kernelLabel(kernel.id), kernel.title, kernel.writtenBy));
    row("SHA-256 of its source", sha256Hex(kernel.source));
    row("baseline", fmt::format("{} {}", kernelLabel(kernel.fallback), kernel.fallbackTitle));
    row("SHA-256 of its source", sha256Hex(kernel.fallbackSource));
    row("target", std::string(name(kernel.target)));
    row("device", kernel.device);
    row("evaluation", fmt::to_string(kernel.evaluation));
    row("devices of all its verdicts", join(kernel.devices, "; "));
    row("program", fmt::format("GPU Kernel Scientist {}", programVersion()));
    text += "\n| kernel | baseline | baseline / kernel, 95 % |\n|---|---|---|\n";
    for (const ShapeClaim& claim : kernel.shapes) {
        text += fmt::format("| {} | {} | {} |\n", formatMicroseconds(claim.kernelUs),
                            formatMicroseconds(claim.fallbackUs), formatRatio(claim.ratio, claim.ci95));
    }
    return text + "\nThe claim holds for what `measure` runs, on that device, and for nothing else.\n";
}

std::string harnessLicence(const ExportedKernel& kernel) {
    return fmt::format("# Licence of {}\n\nWhat the source says of itself, in its SPDX line. This is no legal "
                       "advice.\n\n| part | from | SPDX |\n|---|---|---|\n| kernel {} | {} | {} |\n\nA kernel that was "
                       "made from another one is a derived work of it, whoever wrote the change.\n",
                       kernel.name, kernelLabel(kernel.id), markdownEscaped(kernel.writtenBy),
                       markdownEscaped(spdxOf(kernel.source)));
}

std::string harnessReadme(const ExportedKernel& kernel, const std::string& file, const ExportOptions& options) {
    std::string text =
        fmt::format("# {}\n\nThe source of kernel {} ({}) for the command pack {}: {}\n\n{}\n\n{}", kernel.name,
                    kernelLabel(kernel.id), markdownEscaped(kernel.title), markdownEscaped(kernel.pack.name),
                    markdownEscaped(asSentence(kernel.pack.title)), markdownEscaped(kernel.claim), whatItIsWorth);
    if (options.form == ExportForm::patch) {
        text += fmt::format("```sh\ngit apply {}.patch\n```\n\n", kernel.name);
    }
    return text +
           fmt::format("`{}` is the kernel as the harness takes it, under the name {}. There is no interface, no "
                       "fallback and no test around it: what it has to be called with is the harness's "
                       "knowledge.\n\n`EVIDENCE.md` has what the harness said, `LICENSE.md` the licence.\n",
                       file, kernel.pack.harness->source);
}

} // namespace

Result<BundleFiles> harnessFiles(const ExportedKernel& kernel, const ExportOptions& options) {
    if (options.form != ExportForm::header && options.form != ExportForm::patch) {
        return usageError(fmt::format("the form {} is made around solve() and the tensors of a problem pack, and a "
                                      "command pack has neither",
                                      name(options.form)),
                          "kernel " + kernelLabel(kernel.id), "Export its source: --as header, or --as patch");
    }
    const std::string file = kernel.name + kernelExtension(kernel.pack);
    BundleFiles files;
    if (options.form == ExportForm::header) {
        files[file] = kernel.source;
    } else {
        GKS_TRY(checkPatchPlace(options));
        GKS_TRY_ASSIGN(files[kernel.name + ".patch"],
                       patchFor({{file, kernel.source}, {kernel.name + ".md", harnessEvidence(kernel)}}, options.into,
                                options.path));
    }
    files["README.md"] = harnessReadme(kernel, file, options);
    files["EVIDENCE.md"] = harnessEvidence(kernel);
    files["LICENSE.md"] = harnessLicence(kernel);
    return files;
}

} // namespace gks
