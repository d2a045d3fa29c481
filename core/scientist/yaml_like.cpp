// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/reply.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

// Some models answer in YAML whatever they are asked for. Recursive descent over lines; a deeper block needs a deeper
// indentation, so the depth is bounded, and every step consumes a line.
namespace gks {
namespace {

constexpr int depthLimit = 16;

struct Line {
    std::size_t indent = 0;
    std::string_view text; // without indentation
    std::string_view raw;
    int number = 0;
};

class YamlLike {
public:
    explicit YamlLike(std::string_view text) {
        int number = 0;
        for (const std::string_view line : lines(text)) {
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            m_lines.push_back({indent, trimmed(line), line, ++number});
        }
    }

    Result<Json> parse() {
        skipBlank();
        if (m_at == m_lines.size()) {
            return usageError("the reply is empty");
        }
        GKS_TRY_ASSIGN(Json result, block(m_lines[m_at].indent, 0));
        skipBlank();
        if (m_at < m_lines.size()) {
            return notUnderstood();
        }
        return result;
    }

private:
    tl::unexpected<Error> notUnderstood() const {
        return usageError(fmt::format("line {} is not understood: \"{}\"", m_lines[m_at].number,
                                      abbreviated(m_lines[m_at].text, 80)));
    }

    void skipBlank() {
        while (m_at < m_lines.size() &&
               (m_lines[m_at].text.empty() || m_lines[m_at].text.starts_with('#') || m_lines[m_at].text == "---")) {
            ++m_at;
        }
    }

    static bool isItem(std::string_view text) { return text == "-" || text.starts_with("- "); }

    // Where the value begins, npos for a line without a key.
    static std::size_t afterKey(std::string_view text) {
        const std::size_t colon = text.find(':');
        const bool plain = colon != std::string_view::npos && colon > 0 &&
                           (colon + 1 == text.size() || text[colon + 1] == ' ') &&
                           std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
                               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                      c == '_' || c == '"';
                           });
        return plain ? colon + 1 : std::string_view::npos;
    }

    Result<Json> block(std::size_t indent, int depth) {
        if (depth > depthLimit) {
            return usageError("the reply is nested too deeply");
        }
        return isItem(m_lines[m_at].text) ? list(indent, depth) : mapping(indent, depth);
    }

    Result<Json> list(std::size_t indent, int depth) {
        Json result = Json::array();
        for (skipBlank(); m_at < m_lines.size() && m_lines[m_at].indent == indent && isItem(m_lines[m_at].text);
             skipBlank()) {
            Line& line = m_lines[m_at];
            const std::string_view rest = trimmed(line.text.substr(1));
            if (!rest.empty() && afterKey(rest) != std::string_view::npos) {
                // "- key: value": a mapping whose first line stands behind the dash.
                line.indent += static_cast<std::size_t>(rest.data() - line.text.data());
                line.text = rest;
                GKS_TRY_ASSIGN(Json item, mapping(line.indent, depth + 1));
                result.push_back(std::move(item));
            } else {
                GKS_TRY_ASSIGN(Json item, value(rest, indent, depth, true));
                result.push_back(std::move(item));
            }
        }
        return result;
    }

    Result<Json> mapping(std::size_t indent, int depth) {
        Json result = Json::object();
        for (skipBlank(); m_at < m_lines.size() && m_lines[m_at].indent == indent; skipBlank()) {
            const std::string_view text = m_lines[m_at].text;
            const std::size_t from = afterKey(text);
            if (from == std::string_view::npos || isItem(text)) {
                return notUnderstood();
            }
            const std::string key = replaceAll(std::string(text.substr(0, from - 1)), "\"", "");
            GKS_TRY_ASSIGN(Json item, value(trimmed(text.substr(from)), indent, depth, false));
            result[key] = std::move(item);
        }
        return result;
    }

    // The value that begins behind a key or a dash on the present line; consumes that line. A list may stand right
    // below its key, but below a dash it is the next item.
    Result<Json> value(std::string_view text, std::size_t indent, int depth, bool behindDash) {
        ++m_at;
        if (text == "|" || text == "|-" || text == ">" || text == ">-" || text == "|+") {
            return blockText(indent);
        }
        if (!text.empty()) {
            std::string whole(text);
            // Folded plain text: deeper lines that are neither keys nor items belong to it.
            while (m_at < m_lines.size() && !m_lines[m_at].text.empty() && m_lines[m_at].indent > indent &&
                   !isItem(m_lines[m_at].text) && afterKey(m_lines[m_at].text) == std::string_view::npos) {
                whole += " " + std::string(m_lines[m_at++].text);
            }
            return scalar(whole);
        }
        skipBlank();
        const bool deeper =
            m_at < m_lines.size() && (m_lines[m_at].indent > indent ||
                                      (!behindDash && m_lines[m_at].indent == indent && isItem(m_lines[m_at].text)));
        if (!deeper) {
            return Json("");
        }
        return block(m_lines[m_at].indent, depth + 1);
    }

    Json blockText(std::size_t indent) {
        std::size_t margin = std::string::npos;
        std::string text;
        for (; m_at < m_lines.size() && (m_lines[m_at].text.empty() || m_lines[m_at].indent > indent); ++m_at) {
            const Line& line = m_lines[m_at];
            margin = margin == std::string::npos && !line.text.empty() ? line.indent : margin;
            text += std::string(line.text.empty() ? "" : line.raw.substr(std::min(margin, line.indent))) + "\n";
        }
        return text;
    }

    static Json scalar(const std::string& text) {
        // Numbers, true, false, quoted text and [a, b] are the same in JSON; whatever is not, is text.
        if (auto json = parseJson(text, "value"); json && !json->is_object()) {
            return std::move(*json);
        }
        const bool quoted = text.size() >= 2 && text.front() == '\'' && text.back() == '\'';
        return quoted ? text.substr(1, text.size() - 2) : text;
    }

    std::vector<Line> m_lines;
    std::size_t m_at = 0;
};

} // namespace

Result<Json> parseYamlLike(std::string_view text) {
    return YamlLike(text).parse();
}

} // namespace gks
