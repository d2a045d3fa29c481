// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// The only ways in which foreign text gets into a report. Titles, descriptions, reasons and sources are written by
// models: none of it may become markup.
namespace gks {

// For element content and quoted attributes of HTML and SVG.
std::string htmlEscaped(std::string_view text);
// For a line or a table cell of Markdown: one line, nothing that renders.
std::string markdownEscaped(std::string_view text);

// One table; cells are escaped.
class HtmlTable {
public:
    explicit HtmlTable(const std::vector<std::string>& header);
    void add(const std::vector<std::string>& cells, std::string_view rowClass = {});
    std::string html() const;
    bool empty() const { return m_rows.empty(); }

private:
    std::string m_header;
    std::string m_rows;
};

} // namespace gks
