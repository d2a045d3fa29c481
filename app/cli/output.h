// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks::cli {

// Text of foreign origin as a terminal may see it: valid UTF-8, no control characters but newline and tab.
std::string printable(std::string_view text);

// Its beginning as a cell of a table: printable, no line breaks.
std::string oneLine(std::string_view text);

// Rows of cells, columns as wide as their widest cell, two spaces between them.
class Table {
public:
    void add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }
    bool empty() const { return m_rows.empty(); }
    std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

// JSON results, indented, to stdout.
void printJson(const OrderedJson& json);

// Progress on stderr: one line that renews itself on a terminal, otherwise one plain line per step.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void step(std::string_view name);
    void update(double fraction, std::string_view detail);
    void clear();

private:
    void draw(const std::string& text);

    bool m_terminal;
    bool m_drawn = false;
    std::string m_step;
};

} // namespace gks::cli
