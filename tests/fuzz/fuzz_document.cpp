// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/documents.h"
#include "core/scientist/knowledge.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using gks::fuzz::require;

namespace {

std::string withoutSpace(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](char c) { return !gks::trimmed(std::string_view(&c, 1)).empty(); });
    return result;
}

// Every passage is short enough, and together they hold each paragraph's text in its order.
void check(const gks::DocumentText& text) {
    const std::vector<gks::Passage> passages = gks::passagesOf(text.blocks);
    std::string kept;
    for (const gks::Passage& passage : passages) {
        require(!gks::trimmed(passage.text).empty(), "no passage is empty");
        require(gks::estimatedTokens(passage.text) <= gks::passageMostTokens + 1, "a passage fits");
        require(passage.heading.find('\n') == std::string::npos, "a heading is one line");
        kept += withoutSpace(passage.text);
    }
    std::size_t from = 0;
    for (const gks::TextBlock& block : text.blocks) {
        require(block.level >= 0 && block.level <= 6, "levels are those of headings");
        if (block.level == 0) {
            const std::string wanted = withoutSpace(block.text);
            from = kept.find(wanted, from);
            require(from != std::string::npos, "no word of a paragraph is lost");
            from += wanted.size();
        }
    }
}

} // namespace

// A document that a person was given, as HTML, as Markdown and as text.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = gks::sanitizedUtf8(gks::fuzz::text(data, size)); // others are refused before
    if (const auto html = gks::blocksOfHtml(text, {})) {
        for (const gks::TextBlock& block : html->blocks) {
            require(gks::sanitizedUtf8(block.text) == block.text, "UTF-8");
        }
        check(*html);
    }
    check(gks::blocksOfMarkdown(text));
    const gks::DocumentText plain = gks::blocksOfText(text);
    std::string whole;
    for (const gks::TextBlock& block : plain.blocks) {
        whole += block.text;
    }
    require(withoutSpace(whole) == withoutSpace(text), "plain text is taken whole");
    check(plain);
    constexpr std::size_t severalPassagesBytes = 6000; // few inputs are as long
    std::string longer;
    while (!text.empty() && longer.size() < severalPassagesBytes) {
        longer += text;
    }
    check(gks::blocksOfMarkdown(longer));
    check({{}, {{0, longer}}});
    return 0;
}
