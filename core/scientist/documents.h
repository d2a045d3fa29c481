// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/campaign/types.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

// What a person gives the scientist to read: a file of text, Markdown, HTML or PDF becomes passages that prompts can
// quote. The file is hostile: PDF is read by pdftotext behind the judge's wall, HTML without ever building a tree.
namespace gks {

inline constexpr std::size_t documentFileLimitBytes = std::size_t{32} << 20;
inline constexpr std::size_t documentTextLimitBytes = std::size_t{4} << 20;
inline constexpr std::size_t passageCountLimit = 5000;
inline constexpr std::int64_t passageLeastTokens = 150; // a shorter one ends where its section does
inline constexpr std::int64_t passageMostTokens = 400;

struct ImportedDocument {
    Document document; // without an id and a digest
    std::vector<Passage> passages;
};
// Errors say why the file cannot be used: not there, not a regular file, a link, too large, empty, not text, not UTF-8,
// encrypted, not readable as PDF, without text, pdftotext missing.
Result<ImportedDocument> importDocument(const std::filesystem::path& file, const std::stop_token& stop = {});

// The parts below are for importDocument and its tests.

// A heading (level 1 to 6) or a paragraph (level 0) of a document.
struct TextBlock {
    int level = 0;
    std::string text;
    bool operator==(const TextBlock&) const = default;
};
struct DocumentText {
    std::string title; // empty: it has none
    std::vector<TextBlock> blocks;
};
DocumentText blocksOfText(std::string_view text);
DocumentText blocksOfMarkdown(std::string_view text);
// Scripts, styles, templates, navigation and pictures are left out.
Result<DocumentText> blocksOfHtml(std::string_view html, const std::stop_token& stop);
// Every page has a heading, "Page 3".
Result<DocumentText> blocksOfPdf(std::string_view pdf, const std::stop_token& stop);

// Paragraphs are put together, and torn apart at sentences, lines or words, until a passage has its size. `heading` is
// the path to the section that it begins in, "Memory > LDS".
std::vector<Passage> passagesOf(const std::vector<TextBlock>& blocks);

} // namespace gks
