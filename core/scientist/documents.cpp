// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/documents.h"
#include "core/base/regular_file.h"

#include "core/base/hash.h"
#include "core/base/one_line.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::size_t documentTitleLimitBytes = 200;
constexpr std::size_t readPieceBytes = std::size_t{1} << 20;

std::string shown(const std::filesystem::path& file) {
    return abbreviated(sanitizedUtf8(file.string()), 300);
}

Result<std::string> readAll(int descriptor, const std::string& where, const std::stop_token& stop) {
    std::string bytes;
    for (;;) {
        if (stop.stop_requested()) {
            return cancelledError(where);
        }
        const std::size_t before = bytes.size();
        bytes.resize(before + readPieceBytes);
        const ssize_t got = ::read(descriptor, bytes.data() + before, readPieceBytes);
        if (got < 0 && errno != EINTR) {
            return infrastructureError("cannot be read: " + systemMessage(errno), where);
        }
        bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got == 0) {
            return bytes;
        }
        if (bytes.size() > documentFileLimitBytes) { // it has grown since its size was asked for
            return usageError("grew while it was being read", where, "Wait until it is complete");
        }
    }
}

// What is looked at is what is read: the file is opened once, and never through a link or a pipe.
Result<std::string> readDocument(const std::filesystem::path& path, const std::stop_token& stop) {
    const std::string where = shown(path);
    auto file = openRegularFile(path, Links::refused);
    if (!file) {
        Error error = file.error();
        error.where = where;
        return tl::unexpected(std::move(error));
    }
    struct stat facts{};
    if (::fstat(file->number(), &facts) != 0) {
        return infrastructureError("cannot be read: " + systemMessage(errno), where);
    }
    if (facts.st_size == 0) {
        return usageError("is empty", where);
    }
    if (static_cast<std::uint64_t>(facts.st_size) > documentFileLimitBytes) {
        return usageError(fmt::format("too large: {} (limit {})",
                                      formatBytes(static_cast<std::uint64_t>(facts.st_size)),
                                      formatBytes(documentFileLimitBytes)),
                          where, "Use a shorter excerpt");
    }
    return readAll(file->number(), where, stop);
}

enum class Kind { text, markdown, html, pdf };

constexpr std::string_view kindName(Kind kind) {
    constexpr std::array<std::string_view, 4> names = {"text", "markdown", "html", "pdf"};
    return names[static_cast<std::size_t>(kind)];
}

Kind kindOf(const std::filesystem::path& file, std::string_view bytes) {
    const std::string extension = lowered(file.extension().string());
    const std::string start = lowered(trimmed(bytes.substr(0, 200)));
    if (bytes.starts_with("%PDF-")) {
        return Kind::pdf;
    }
    if (extension == ".html" || extension == ".htm" || extension == ".xhtml" || start.starts_with("<!doctype html") ||
        start.starts_with("<html")) {
        return Kind::html;
    }
    return extension == ".md" || extension == ".markdown" ? Kind::markdown
           : extension == ".pdf"                          ? Kind::pdf
                                                          : Kind::text;
}

Result<std::string> checkedText(std::string bytes, const std::string& where) {
    if (bytes.starts_with("\xef\xbb\xbf")) {
        bytes.erase(0, 3);
    }
    const bool binary = std::any_of(bytes.begin(), bytes.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f';
    });
    if (binary) {
        return usageError("is not text", where, "Use a text, Markdown, HTML or PDF file (UTF-16 is not supported)");
    }
    if (sanitizedUtf8(bytes) != bytes) {
        return usageError("is not UTF-8", where, "Convert it, for example with iconv -t UTF-8");
    }
    return bytes;
}

Result<DocumentText> textOf(Kind kind, std::string bytes, const std::string& where, const std::stop_token& stop) {
    if (kind == Kind::pdf) {
        return blocksOfPdf(bytes, stop);
    }
    GKS_TRY_ASSIGN(const std::string text, checkedText(std::move(bytes), where));
    return kind == Kind::html       ? blocksOfHtml(text, stop)
           : kind == Kind::markdown ? blocksOfMarkdown(text)
                                    : blocksOfText(text);
}

std::string titleOf(const DocumentText& text, const std::filesystem::path& file) {
    const std::string title = withoutControls(text.title.empty() ? sanitizedUtf8(file.stem().string()) : text.title);
    return shortened(trimmed(title), documentTitleLimitBytes);
}

} // namespace

Result<ImportedDocument> importDocument(const std::filesystem::path& file, const std::stop_token& stop) {
    const std::string where = shown(file);
    GKS_TRY_ASSIGN(std::string bytes, readDocument(file, stop));
    ImportedDocument imported;
    imported.document.sha256 = sha256Hex(bytes);
    const Kind kind = kindOf(file, bytes);
    auto text = textOf(kind, std::move(bytes), where, stop);
    if (!text) {
        Error error = text.error();
        error.where = where;
        return tl::unexpected(std::move(error));
    }
    std::size_t size = 0;
    for (const TextBlock& block : text->blocks) {
        size += block.text.size();
    }
    if (size > documentTextLimitBytes) {
        return usageError(fmt::format("has more than {} of text", formatBytes(documentTextLimitBytes)), where,
                          "Use a shorter excerpt");
    }
    imported.passages = passagesOf(text->blocks);
    if (imported.passages.empty()) {
        return usageError("has no text in it", where, kind == Kind::pdf ? "Run OCR on scanned pages first" : "");
    }
    if (imported.passages.size() > passageCountLimit) {
        return usageError(fmt::format("too many passages: {} (limit {})", imported.passages.size(), passageCountLimit),
                          where, "Use a shorter excerpt");
    }
    imported.document.title = titleOf(*text, file);
    imported.document.kind = kindName(kind);
    imported.document.sizeBytes = static_cast<std::int64_t>(size);
    imported.document.passages = static_cast<std::int64_t>(imported.passages.size());
    return imported;
}

} // namespace gks
