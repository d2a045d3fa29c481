// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "core/base/one_line.h"
#include "core/base/quantity.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace gks::cli {
namespace {

constexpr std::size_t cellLimitBytes = 60;
constexpr std::size_t lineWidth = 100; // of the progress line, so that it does not wrap

// Columns that a text takes: characters, not bytes.
std::size_t widthOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

} // namespace

void sayText(std::string_view text) {
    fmt::print("{}", terminalText(text));
}

void noteText(std::string_view text) {
    fmt::print(stderr, "{}", terminalText(text));
}

void saySource(std::string_view source) {
    fmt::print("{}", ::isatty(STDOUT_FILENO) == 1 ? terminalText(source) : std::string(source));
}

std::string oneLine(std::string_view text) {
    std::string line = terminalLine(text);
    if (line.size() <= cellLimitBytes) {
        return line;
    }
    return std::string(beginningOf(line, cellLimitBytes)) + "...";
}

void Table::add(std::vector<std::string> row) {
    for (std::string& cell : row) {
        cell = terminalLine(cell);
    }
    m_rows.push_back(std::move(row));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], widthOf(row[column]));
        }
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += row[column] + std::string(widths[column] - widthOf(row[column]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

void sayMessage(std::string_view line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

Result<FileDescriptor> messageOutput() {
    if (::isatty(STDOUT_FILENO) == 1) {
        return usageError("it speaks to a program, not to a terminal", "standard output");
    }
    FileDescriptor output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    return output.number() >= 0 ? Result<FileDescriptor>(std::move(output))
                                : infrastructureError(systemMessage(errno), "standard output");
}

void printJson(const OrderedJson& json) {
    fmt::print("{}\n", json.dump(2, ' ', true, OrderedJson::error_handler_t::replace));
}

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::step(std::string_view name) {
    m_step = name;
    if (m_terminal) {
        draw(m_step);
    } else {
        note("{}\n", m_step);
    }
}

void ProgressLine::update(double fraction, std::string_view detail) {
    if (m_terminal) {
        draw(fmt::format("{} {:>5}  {}", m_step, formatShare(std::clamp(fraction, 0.0, 1.0)), detail));
    }
}

void ProgressLine::clear() {
    if (m_drawn) {
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
        m_drawn = false;
    }
}

void ProgressLine::draw(const std::string& text) {
    const std::string line = terminalLine(text);
    fmt::print(stderr, "\r\033[K{}", sanitizedUtf8(std::string_view(line).substr(0, lineWidth)));
    std::fflush(stderr);
    m_drawn = true;
}

} // namespace gks::cli
