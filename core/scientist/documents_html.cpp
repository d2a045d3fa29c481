// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/documents.h"

#include <fmt/format.h>
#include <libxml/HTMLparser.h>
#include <memory>
#include <set>

// HTML through libxml2's parser in its event form: no tree is built, so neither depth nor size of the markup costs more
// than its text, and a stop request is heard between two pieces.
namespace gks {
namespace {

constexpr std::size_t pieceBytes = std::size_t{64} << 10;
constexpr int openElementsLimit = 1000; // of open elements; the parser's own work grows with it

const std::set<std::string_view> leftOut = {"script", "style",  "noscript", "template", "svg",   "nav",
                                            "iframe", "object", "math",     "select",   "button"};
const std::set<std::string_view> breaking = {
    "p",      "div",        "section", "article", "main",    "aside",   "header",  "footer", "ul",  "ol",
    "li",     "dl",         "dt",      "dd",      "table",   "tr",      "thead",   "tbody",  "pre", "blockquote",
    "figure", "figcaption", "hr",      "form",    "address", "details", "summary", "body"};

int levelOfTag(std::string_view name) {
    return name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6' ? name[1] - '0' : 0;
}

class Reader {
public:
    void open(std::string_view name) {
        ++m_depth;
        if (leftOut.contains(name)) {
            ++m_leftOut;
        }
        if (m_leftOut > 0) {
            return;
        }
        if (name == "title") {
            m_inTitle = m_text.title.empty();
        } else if (levelOfTag(name) > 0 || breaking.contains(name)) {
            end(0);
        } else if (name == "br") {
            m_block += '\n';
        } else if ((name == "td" || name == "th") && !trimmed(m_block).empty()) {
            m_block += " | ";
        }
        m_verbatim += name == "pre" ? 1 : 0;
        if (name == "li") {
            m_block += "- ";
        }
    }
    void close(std::string_view name) {
        --m_depth;
        if (leftOut.contains(name)) {
            m_leftOut = std::max(0, m_leftOut - 1);
            return;
        }
        if (m_leftOut > 0) {
            return;
        }
        if (name == "title") {
            m_inTitle = false;
        } else if (levelOfTag(name) > 0 || breaking.contains(name)) {
            end(levelOfTag(name));
        }
        m_verbatim = std::max(0, m_verbatim - (name == "pre" ? 1 : 0));
    }
    void text(std::string_view piece) {
        if (m_leftOut > 0) {
            return;
        }
        std::string& target = m_inTitle ? m_text.title : m_block;
        m_size += piece.size();
        if (m_verbatim > 0 && !m_inTitle) {
            target += piece;
            return;
        }
        for (const char c : piece) {
            const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
            if (!blank) {
                target += c;
            } else if (!target.empty() && target.back() != ' ' && target.back() != '\n') {
                target += ' ';
            }
        }
    }
    int depth() const { return m_depth; }
    std::size_t size() const { return m_size; }
    DocumentText take() && {
        end(0);
        m_text.title = std::string(trimmed(m_text.title));
        return std::move(m_text);
    }

private:
    void end(int level) {
        const std::string block = replaceAll(m_verbatim > 0 ? m_block : std::string(trimmed(m_block)), " \n", "\n");
        m_block.clear();
        if (!trimmed(block).empty() && trimmed(block) != "-") {
            m_text.blocks.push_back({level, sanitizedUtf8(block)});
        }
    }

    DocumentText m_text;
    std::string m_block;
    bool m_inTitle = false;
    int m_leftOut = 0;
    int m_verbatim = 0;
    int m_depth = 0;
    std::size_t m_size = 0;
};

std::string_view viewOf(const xmlChar* text) {
    return reinterpret_cast<const char*>(text);
}
void onStart(void* reader, const xmlChar* name, const xmlChar** /*attributes*/) {
    static_cast<Reader*>(reader)->open(viewOf(name));
}
void onEnd(void* reader, const xmlChar* name) {
    static_cast<Reader*>(reader)->close(viewOf(name));
}
void onText(void* reader, const xmlChar* text, int length) {
    static_cast<Reader*>(reader)->text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)});
}

struct FreeContext {
    void operator()(htmlParserCtxtPtr context) const { htmlFreeParserCtxt(context); }
};

} // namespace

Result<DocumentText> blocksOfHtml(std::string_view html, const std::stop_token& stop) {
    Reader reader;
    htmlSAXHandler handler = {};
    handler.startElement = onStart;
    handler.endElement = onEnd;
    handler.characters = onText;
    handler.ignorableWhitespace = onText;
    // Scripts and styles arrive by another way (cdataBlock), which nobody listens to.
    const std::unique_ptr<std::remove_pointer_t<htmlParserCtxtPtr>, FreeContext> context(
        htmlCreatePushParserCtxt(&handler, &reader, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8));
    if (!context) {
        return infrastructureError("the HTML parser cannot be started");
    }
    htmlCtxtUseOptions(context.get(), HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR |
                                          HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
    for (std::string_view left = html; !left.empty();) {
        const std::string_view piece = left.substr(0, pieceBytes);
        left.remove_prefix(piece.size());
        htmlParseChunk(context.get(), piece.data(), static_cast<int>(piece.size()), 0);
        if (stop.stop_requested()) {
            return cancelledError();
        }
        if (reader.depth() > openElementsLimit) {
            return usageError(fmt::format("elements nested too deeply (limit {})", openElementsLimit), {},
                              "Save the page as text");
        }
        if (reader.size() > documentTextLimitBytes) {
            return usageError(fmt::format("has more than {} of text", formatBytes(documentTextLimitBytes)), {},
                              "Use a shorter excerpt");
        }
    }
    htmlParseChunk(context.get(), nullptr, 0, 1);
    return std::move(reader).take();
}

} // namespace gks
