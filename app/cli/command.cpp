// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/output.h"
#include "core/base/address.h"
#include "core/base/foreign_text.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno> // program_invocation_short_name
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <system_error>

namespace gks::cli {
namespace {

const std::string_view program = ::program_invocation_short_name; // also of programs of our own that take this parser

std::string synopsis(const Command& command) {
    std::string text = fmt::format("{} {}", program, command.name);
    if (!command.positional.empty()) {
        text += fmt::format(" {}", command.positional);
    }
    if (!command.rest.empty()) {
        text += fmt::format(" {}", command.rest);
    }
    for (const Option& option : command.options) {
        const std::string shown =
            option.value.empty() ? std::string(option.name) : fmt::format("{} {}", option.name, option.value);
        text += option.required ? " " + shown : " [" + shown + "]";
    }
    return text;
}

std::string overview(const std::vector<const Command*>& commands) {
    std::string text = fmt::format("{} {}: evaluate, tune and evolve GPU kernels\n\n", program, programVersion());
    Table table;
    for (const Command* command : commands) {
        table.add({fmt::format("  {}{}{}", command->name, command->positional.empty() ? "" : " ", command->positional),
                   std::string(command->summary)});
    }
    return text + table.text() +
           fmt::format("\nRun {} COMMAND --help for the options of a command.\nExit status: 0 success, 1 the kernel "
                       "failed its verdict, 2 usage error, 3 infrastructure error.\n",
                       program);
}

int refused(const std::string& message, std::string_view commandName) {
    note("{}: {}. Run {}{}{} --help\n", program, message, program, commandName.empty() ? "" : " ", commandName);
    return wrongUsage;
}

Result<void> checkValue(const Option& option, const std::string& value) {
    if (option.value.find('|') == std::string_view::npos ||
        option.value.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos) {
        return {};
    }
    const std::vector<std::string> accepted = split(option.value, '|');
    if (std::find(accepted.begin(), accepted.end(), value) == accepted.end()) {
        return usageError(fmt::format("{} must be {}, not \"{}\"", option.name, join(accepted, " or "), value));
    }
    return {};
}

} // namespace

std::string Arguments::value(std::string_view option, std::string_view otherwise) const {
    const auto at = m_values.find(option);
    return at != m_values.end() ? at->second : std::string(otherwise);
}

Result<double> Arguments::number(std::string_view option, double otherwise, double least) const {
    if (!has(option)) {
        return otherwise;
    }
    const std::string text = value(option);
    char* end = nullptr;
    const double parsed = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(parsed) || parsed < least) {
        return usageError(fmt::format("{} must be a number >= {}, not \"{}\"", option, least, text));
    }
    return parsed;
}

Result<int> Arguments::wholeNumber(std::string_view option, int otherwise, int least) const {
    GKS_TRY_ASSIGN(const double parsed, number(option, otherwise, least));
    if (parsed != std::floor(parsed) || parsed > std::numeric_limits<int>::max()) {
        return usageError(fmt::format("{} must be a whole number, not \"{}\"", option, value(option)));
    }
    return static_cast<int>(parsed);
}

Result<Arguments> parseArguments(const Command& command, const std::vector<std::string>& words) {
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!word.starts_with("--") || word == "--") {
            const bool first = arguments.m_positional.empty();
            if (word.empty()) {
                return usageError("an argument is empty");
            }
            if ((first ? command.positional : command.rest).empty()) {
                return usageError(fmt::format("unexpected argument \"{}\"", word));
            }
            if (first) {
                arguments.m_positional = word;
            } else {
                arguments.m_rest.push_back(word);
            }
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const auto option = std::find_if(command.options.begin(), command.options.end(),
                                         [&](const Option& o) { return o.name == name; });
        if (option == command.options.end()) {
            return usageError(fmt::format("unknown option {}", name));
        }
        std::string value;
        if (option->value.empty() ? equals != std::string::npos
                                  : equals == std::string::npos && i + 1 == words.size()) {
            return usageError(fmt::format("{} {}", name, option->value.empty() ? "takes no value" : "needs a value"));
        }
        if (!option->value.empty()) {
            value = equals != std::string::npos ? word.substr(equals + 1) : words[++i];
            GKS_TRY(checkValue(*option, value));
            while (option->takesMore != nullptr && i + 1 < words.size() && option->takesMore(words[i + 1])) {
                value += " " + words[++i];
            }
        }
        if (!arguments.m_values.emplace(name, std::move(value)).second) {
            return usageError(fmt::format("{} is given twice", name));
        }
    }
    if (!command.positional.empty() && !command.positional.starts_with('[') && arguments.m_positional.empty()) {
        return usageError(fmt::format("missing {}", command.positional));
    }
    for (const Option& option : command.options) {
        if (option.required && !arguments.has(option.name)) {
            return usageError(fmt::format("missing {}", option.name));
        }
    }
    for (const std::vector<std::string_view>& group : command.alternatives) {
        std::string_view first;
        for (const std::string_view option : group) {
            if (arguments.has(option) && !first.empty()) {
                return usageError(fmt::format("{} and {} do not go together", first, option));
            }
            first = arguments.has(option) ? option : first;
        }
    }
    return arguments;
}

std::string helpText(const Command& command) {
    std::string text = fmt::format("{}\n\nUsage: {}\n", command.summary, synopsis(command));
    Table table;
    for (const Option& option : command.options) {
        table.add({fmt::format("  {}{}{}", option.name, option.value.empty() ? "" : " ", option.value),
                   std::string(option.help)});
    }
    return command.options.empty() ? text : text + "\n" + table.text();
}

int failed(const Error& error) {
    // What is quoted in it may have several lines: none of them begins where the program's own do.
    note("{}: {}\n", program, replaceAll(error.message(), "\n", "\n  "));
    return statusOf(error);
}

int statusOf(const Error& error) {
    switch (error.kind) {
    case ErrorKind::usage:
        return wrongUsage;
    case ErrorKind::kernel:
        return kernelFailed;
    case ErrorKind::infrastructure:
    case ErrorKind::cancelled:
        break;
    }
    return infrastructureFailed;
}

namespace {

int statusOfWords(const std::vector<const Command*>& commands, std::vector<std::string> words) {
    if (words.size() > 1 && words.front() == "help") { // as people ask elsewhere
        words = {words[1], "--help"};
    }
    if (words.empty() || words.front() == "--help" || words.front() == "help") {
        words.empty() ? noteText(overview(commands)) : sayText(overview(commands));
        return words.empty() ? wrongUsage : done;
    }
    if (words.front() == "--version") {
        say("{} {}\n", program, programVersion());
        return done;
    }
    const auto command =
        std::find_if(commands.begin(), commands.end(), [&](const Command* c) { return c->name == words.front(); });
    if (command == commands.end()) {
        return refused(fmt::format("unknown command \"{}\"", words.front()), {});
    }
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (std::find(rest.begin(), rest.end(), "--help") != rest.end()) {
        say("{}", helpText(**command));
        return done;
    }
    const auto parsed = parseArguments(**command, rest);
    // A command says itself where it takes addresses.
    if (parsed && (*command)->positional.starts_with("FILE.gks") &&
        (*command)->positional.find("ssh://") == std::string_view::npos && isRemoteAddress(parsed->positional())) {
        return failed(
            Error{ErrorKind::usage, fmt::format("{} works on files of this machine", (*command)->name),
                  quotation(parsed->positional()),
                  "Watch it with attach ssh://..., or call this program there: ssh HOST kernel-scientist-cli"});
    }
    return parsed ? (*command)->run(*parsed) : refused(parsed.error().what, (*command)->name);
}

} // namespace

int runProgram(const std::vector<const Command*>& commands, int argumentCount, char** arguments) {
    int status = done;
    int error = 0;
    try {
        status = statusOfWords(commands, {arguments + 1, arguments + argumentCount});
    } catch (const std::system_error& failure) { // of what prints, for one
        if (std::ferror(stdout) == 0) {
            throw;
        }
        error = failure.code().value();
    }
    if (error == 0 && std::fflush(stdout) != 0) {
        error = errno;
    }
    // What somebody else was to read has not come, whatever the command came to.
    return error == 0
               ? status
               : failed(Error{ErrorKind::infrastructure, fmt::format("cannot be written: {}", systemMessage(error)),
                              "standard output", "Free space there, or write elsewhere"});
}

} // namespace gks::cli
