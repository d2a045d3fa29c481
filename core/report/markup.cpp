// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/markup.h"

#include "core/base/terminal_text.h"
#include "core/base/text.h"

namespace gks {

std::string htmlEscaped(std::string_view text) {
    std::string result;
    for (const char c : sanitizedUtf8(text)) {
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            // Control characters are not allowed in HTML, not even escaped.
            result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
        }
    }
    return result;
}

std::string markdownEscaped(std::string_view text) {
    std::string result;
    for (const char c : terminalLine(sanitizedUtf8(text))) { // people look at it with cat
        if (c == '<') {
            result += "&lt;";
        } else if (c == '&') {
            result += "&amp;";
        } else {
            if (std::string_view("\\`*_{}[]#!|>~").find(c) != std::string_view::npos) {
                result += '\\';
            }
            result += c;
        }
    }
    return result;
}

HtmlTable::HtmlTable(const std::vector<std::string>& header) {
    for (const std::string& cell : header) {
        m_header += "<th>" + htmlEscaped(cell) + "</th>";
    }
}

void HtmlTable::add(const std::vector<std::string>& cells, std::string_view rowClass) {
    m_rows += rowClass.empty() ? "<tr>" : "<tr class=\"" + htmlEscaped(rowClass) + "\">";
    for (const std::string& cell : cells) {
        m_rows += "<td>" + htmlEscaped(cell) + "</td>";
    }
    m_rows += "</tr>\n";
}

std::string HtmlTable::html() const {
    return "<table><thead><tr>" + m_header + "</tr></thead><tbody>\n" + m_rows + "</tbody></table>\n";
}

} // namespace gks
