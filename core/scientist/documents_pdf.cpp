// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"
#include "core/scientist/documents.h"

#include <fmt/format.h>

// pdftotext of poppler, behind the same wall as a compiler: a PDF is a program for a large machine.
namespace gks {
namespace {

constexpr std::chrono::seconds timeLimit(60);
constexpr std::size_t memoryLimitBytes = std::size_t{2} << 30;
constexpr std::size_t openFileLimit = 64;
constexpr std::size_t shownErrorLimitBytes = 300;

Result<CompletedProcess> runBehindWall(const std::filesystem::path& program, const std::filesystem::path& folder,
                                       const std::filesystem::path& file, const std::stop_token& stop) {
    SandboxPolicy policy;
    policy.readable = {file};
    policy.writable = {folder / "scratch"};
    policy.limits = {memoryLimitBytes, static_cast<std::size_t>(timeLimit.count()), std::size_t{1} << 20,
                     openFileLimit};
    Command command;
    command.arguments = {program.string(), "-enc", "UTF-8", "-eol", "unix", file.string(), "-"};
    GKS_TRY_ASSIGN(const Command wall, sandboxed(std::move(command), policy, availableSandbox().level));
    RunOptions options;
    options.timeout = timeLimit;
    options.outputLimitBytes = documentTextLimitBytes;
    options.stop = stop;
    return runProcess(wall, options);
}

Result<void> judge(const CompletedProcess& run) {
    if (run.cancelled) {
        return cancelledError();
    }
    if (run.timedOut) {
        return usageError(fmt::format("took longer than {} s to read", timeLimit.count()), {}, "Use fewer pages");
    }
    if (run.outputTruncated) {
        return usageError(fmt::format("has more than {} of text", formatBytes(documentTextLimitBytes)), {},
                          "Use a shorter excerpt");
    }
    if (run.error.find("Incorrect password") != std::string::npos) {
        return usageError("is password-protected", {}, "Use a copy without a password");
    }
    if (!run.exit.ok()) {
        const std::string detail = abbreviated(std::string(trimmed(sanitizedUtf8(run.error))), shownErrorLimitBytes);
        return usageError(fmt::format("cannot be read as PDF ({}{}{})", run.exit.text(), detail.empty() ? "" : ": ",
                                      replaceAll(detail, "\n", " ")),
                          {}, "Use an undamaged copy");
    }
    return {};
}

} // namespace

Result<DocumentText> blocksOfPdf(std::string_view pdf, const std::stop_token& stop) {
    const auto program = findProgram("pdftotext");
    if (!program) {
        return infrastructureError("pdftotext, which reads PDF, is not installed", {}, "apt install poppler-utils");
    }
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("gks-document"));
    const auto file = folder.path() / "document.pdf";
    GKS_TRY(writeFileAtomically(file, pdf));
    GKS_TRY(makeDirectories(folder.path() / "scratch"));
    GKS_TRY_ASSIGN(const CompletedProcess run, runBehindWall(*program, folder.path(), file, stop));
    GKS_TRY(judge(run));
    DocumentText text;
    int page = 0;
    for (const std::string& content : split(sanitizedUtf8(run.output), '\f')) {
        ++page;
        DocumentText blocks = blocksOfText(content);
        if (!blocks.blocks.empty()) {
            text.blocks.push_back({1, fmt::format("Page {}", page)});
            std::move(blocks.blocks.begin(), blocks.blocks.end(), std::back_inserter(text.blocks));
        }
    }
    return text;
}

} // namespace gks
