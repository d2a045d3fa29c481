// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/regular_file.h"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace gks::cli {

// The only ways in which a command writes to the terminal (a test checks that): whatever of the text came from a file
// or a model is shown and never obeyed (terminalText). `say` for results, on stdout; `note` for progress and errors.
void sayText(std::string_view text);
void noteText(std::string_view text);
template<class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
    sayText(fmt::format(format, std::forward<Values>(values)...));
}
template<class... Values>
void note(fmt::format_string<Values...> format, Values&&... values) {
    noteText(fmt::format(format, std::forward<Values>(values)...));
}
// A kernel's source on stdout: as it is when it goes to a file or another program.
void saySource(std::string_view source);

// The beginning of a text as a cell of a table.
std::string oneLine(std::string_view text);

// Rows of cells without line breaks, columns as wide as their widest cell, two spaces between them.
class Table {
public:
    void add(std::vector<std::string> row);
    bool empty() const { return m_rows.empty(); }
    std::string text() const;

private:
    std::vector<std::vector<std::string>> m_rows;
};

// A message of a protocol between programs: the line and its end, at once. It is ASCII.
void sayMessage(std::string_view line);
// The same for a program that waits for nobody: a descriptor of its own, and never a terminal's.
Result<FileDescriptor> messageOutput();

// JSON results, indented, to stdout; in ASCII, so that a terminal has nothing to obey.
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
