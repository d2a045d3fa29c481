// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/one_line.h"
#include "core/base/text.h"
#include "core/scientist/documents.h"
#include "core/scientist/knowledge.h"

#include <algorithm>

// Text and Markdown into blocks, blocks into passages. A passage is what a prompt quotes: long enough to make sense by
// itself, short enough that several fit.
namespace gks {
namespace {

constexpr std::size_t leastBytes = static_cast<std::size_t>(passageLeastTokens) * bytesPerToken;
constexpr std::size_t mostBytes = static_cast<std::size_t>(passageMostTokens) * bytesPerToken;
constexpr std::size_t headingLimitBytes = 80; // of one of a path
constexpr std::size_t deepestHeading = 6;

std::string_view withoutTrailing(std::string_view text, char what) {
    while (!text.empty() && text.back() == what) {
        text.remove_suffix(1);
    }
    return text;
}

// "## Memory ##" is a heading of level 2; 0 for everything else.
int headingLevel(std::string_view line) {
    const std::size_t hashes = std::min(line.find_first_not_of('#'), line.size());
    const bool spaced = hashes < line.size() && (line[hashes] == ' ' || line[hashes] == '\t');
    return hashes >= 1 && hashes <= deepestHeading && spaced ? static_cast<int>(hashes) : 0;
}

bool isFence(std::string_view line) {
    const std::string_view text = trimmed(line);
    return text.starts_with("```") || text.starts_with("~~~");
}

class Paragraphs {
public:
    void add(std::string_view line) { m_lines.emplace_back(line); }
    void end() {
        if (const std::string text = join(m_lines, "\n"); !trimmed(text).empty()) {
            m_blocks.push_back({0, text});
        }
        m_lines.clear();
    }
    void heading(int level, std::string_view text) {
        end();
        m_blocks.push_back({level, std::string(text)});
    }
    std::vector<TextBlock> take() && {
        end();
        return std::move(m_blocks);
    }

private:
    std::vector<std::string> m_lines;
    std::vector<TextBlock> m_blocks;
};

// Where to tear a text that is too long: behind a sentence or a line in the last quarter before `limit`, else behind
// any blank, else between two characters.
std::size_t tearAt(std::string_view text, std::size_t limit) {
    for (const std::string_view end : {std::string_view("\n"), std::string_view(". "), std::string_view(" ")}) {
        const std::size_t at = text.rfind(end, limit - end.size());
        if (at != std::string_view::npos && (at > limit * 3 / 4 || end == " ") && at > 0) {
            return at + end.size();
        }
    }
    while (limit > 1 && (static_cast<unsigned char>(text[limit]) & 0xc0U) == 0x80U) {
        --limit;
    }
    return limit;
}

class PassageMaker {
public:
    void heading(const TextBlock& block) {
        // A section that is too short by itself goes on with the next one of its parent.
        if (m_text.size() >= leastBytes || block.level < m_level) {
            flush();
        }
        m_path.resize(static_cast<std::size_t>(block.level) - 1);
        m_path.emplace_back(trimmed(block.text));
        if (!m_text.empty()) {
            paragraph(block.text);
        }
    }
    void paragraph(std::string_view text) {
        for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
            const std::size_t used = m_text.empty() ? 0 : m_text.size() + separator.size();
            if (used + text.size() <= mostBytes) {
                add(text);
                return;
            }
            if (used >= leastBytes) { // long enough without it
                flush();
                continue;
            }
            const std::size_t room = mostBytes - used;
            const std::size_t at = tearAt(text, room);
            add(trimmed(text.substr(0, at)));
            flush();
            text.remove_prefix(at);
        }
    }
    std::vector<Passage> take() && {
        flush();
        return std::move(m_passages);
    }

private:
    static constexpr std::string_view separator = "\n\n";

    void add(std::string_view text) {
        if (m_text.empty()) {
            m_heading = path();
            m_level = static_cast<int>(m_path.size());
        } else {
            m_text += separator;
        }
        m_text += text;
    }
    std::string path() const {
        std::vector<std::string> shown;
        for (const std::string& part : m_path) {
            if (!part.empty()) {
                shown.push_back(shortened(part, headingLimitBytes));
            }
        }
        return replaceAll(join(shown, " > "), "\n", " ");
    }
    void flush() {
        if (!m_text.empty()) {
            m_passages.push_back({0, static_cast<std::int64_t>(m_passages.size()) + 1, m_heading, m_text});
        }
        m_text.clear();
    }

    std::vector<std::string> m_path; // by level; empty where a level was left out
    std::string m_heading;           // of what is being gathered
    int m_level = 0;
    std::string m_text;
    std::vector<Passage> m_passages;
};

} // namespace

DocumentText blocksOfText(std::string_view text) {
    Paragraphs paragraphs;
    for (const std::string_view line : lines(text)) {
        if (trimmed(line).empty()) {
            paragraphs.end();
        } else {
            paragraphs.add(line);
        }
    }
    return {{}, std::move(paragraphs).take()};
}

DocumentText blocksOfMarkdown(std::string_view text) {
    Paragraphs paragraphs;
    bool fenced = false;
    std::string title;
    for (const std::string_view line : lines(text)) {
        if (isFence(line)) {
            fenced = !fenced;
            paragraphs.add(line);
        } else if (const int level = fenced ? 0 : headingLevel(line); level > 0) {
            const std::string_view heading =
                trimmed(withoutTrailing(trimmed(line.substr(static_cast<std::size_t>(level))), '#'));
            paragraphs.heading(level, heading);
            title = title.empty() ? heading : title;
        } else if (!fenced && trimmed(line).empty()) {
            paragraphs.end();
        } else {
            paragraphs.add(line);
        }
    }
    return {title, std::move(paragraphs).take()};
}

std::vector<Passage> passagesOf(const std::vector<TextBlock>& blocks) {
    PassageMaker maker;
    for (const TextBlock& block : blocks) {
        if (block.level > 0) {
            maker.heading(block);
        } else {
            maker.paragraph(block.text);
        }
    }
    return std::move(maker).take();
}

} // namespace gks
