// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What every subcommand is made of. A new one is a file with a `const Command` and a line in main.cpp.
namespace gks::cli {

enum ExitStatus { done = 0, kernelFailed = 1, wrongUsage = 2, infrastructureFailed = 3 };

struct Option {
    std::string_view name;  // "--target"
    std::string_view value; // placeholder, "cpu|amd|nvidia"; empty: a switch. Lower-case words with '|' are the only
                            // values accepted.
    std::string_view help;
    bool required = false;
    // Which words behind the value are more of it; they come joined by spaces.
    bool (*takesMore)(std::string_view word) = nullptr;
};

struct Command;

// What was given, already checked against the command's own list.
class Arguments {
public:
    const std::string& positional() const { return m_positional; }
    const std::vector<std::string>& rest() const { return m_rest; } // what stands behind it
    bool has(std::string_view option) const { return m_values.contains(option); }
    std::string value(std::string_view option, std::string_view otherwise = {}) const;
    // A finite number not below `least`.
    Result<double> number(std::string_view option, double otherwise, double least) const;
    Result<int> wholeNumber(std::string_view option, int otherwise, int least) const;

private:
    friend Result<Arguments> parseArguments(const Command& command, const std::vector<std::string>& words);
    std::string m_positional;
    std::vector<std::string> m_rest;
    std::map<std::string, std::string, std::less<>> m_values;
};

struct Command {
    std::string_view name;
    std::string_view positional; // placeholder of the first positional argument, "KERNEL.hip"; "[ARCH]" may be left
                                 // out; empty: none
    std::string_view summary;
    std::vector<Option> options; // beside --help
    int (*run)(const Arguments& arguments);
    std::string_view rest = {}; // placeholder of any number of further ones; empty: none
    std::vector<std::vector<std::string_view>> alternatives = {}; // options of which one at most is given
};

Result<Arguments> parseArguments(const Command& command, const std::vector<std::string>& words);
std::string helpText(const Command& command);

// Prints the error to stderr; the status that its kind asks for.
int failed(const Error& error);
int statusOf(const Error& error); // of one that was printed already

// The whole program: finds the command, parses, runs.
int runProgram(const std::vector<const Command*>& commands, int argumentCount, char** arguments);

} // namespace gks::cli
