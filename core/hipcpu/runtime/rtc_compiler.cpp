// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/rtc_compiler.h"

#include "core/hipcpu/lowered_names.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr const char* compilerName = "kernel-scientist-hipcc";

bool isProgram(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

bool isOfTheProgramAlone(std::string_view word) {
    static constexpr auto whole = std::to_array<std::string_view>(
        {"-c", "-h", "-shared", "--help", "--version", "--genco", "--emit-llvm", "--no-cache"});
    static constexpr auto begins =
        std::to_array<std::string_view>({"-o", "-l", "-L", "-Wl,", "--split", "--cache", loweredNamesOption});
    return std::find(whole.begin(), whole.end(), word) != whole.end() ||
           std::any_of(begins.begin(), begins.end(), [&](std::string_view one) { return word.starts_with(one); });
}

// The value of an option may be the next word.
bool takesNext(std::string_view word) {
    static constexpr auto options = std::to_array<std::string_view>(
        {"-D", "-U", "-I", "-include", "-isystem", "-iquote", "-idirafter", "-mllvm", "-x"});
    return std::find(options.begin(), options.end(), word) != options.end();
}

// Not to the end of the pipe: a child that another thread forks meanwhile holds it open.
std::string readLine(int file) {
    std::string line;
    for (char letter = 0; letter != '\n';) {
        const ssize_t got = ::read(file, &letter, 1);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return {};
        }
        line.append(static_cast<std::size_t>(std::max<ssize_t>(got, 0)), letter);
    }
    return line;
}

} // namespace

std::optional<std::vector<std::string>> compilerOptions(const std::vector<std::string>& given, std::string& wrong) {
    std::vector<std::string> options;
    bool isValue = false;
    for (const std::string& word : given) {
        const auto renamed = [&](std::string_view from, std::string_view to) {
            const bool fits = word.starts_with(from);
            if (fits) {
                options.push_back(std::string(to) + word.substr(from.size()));
            }
            return fits;
        };
        if (isValue) {
            options.push_back(word);
            isValue = false;
        } else if (!word.starts_with('-') || isOfTheProgramAlone(word)) {
            wrong = word;
            return std::nullopt;
        } else if (!renamed("--gpu-architecture=", "--offload-arch=") && !renamed("--std=", "-std=") &&
                   !renamed("--define-macro=", "-D") && !renamed("--undefine-macro=", "-U") &&
                   !renamed("--include-directory=", "-I")) {
            options.push_back(word);
            isValue = takesNext(word);
        }
    }
    if (isValue) {
        wrong = options.back();
        return std::nullopt;
    }
    return options;
}

std::string takeMacros(std::vector<std::string>& options) {
    std::string directives;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < options.size(); ++i) {
        std::string word = options[i];
        if (!word.starts_with("-D") && !word.starts_with("-U")) {
            if (word.starts_with("-include")) {
                return {};
            }
            others.push_back(word);
            if (takesNext(word)) {
                others.push_back(options[++i]);
            }
            continue;
        }
        std::string macro = word.size() > 2 ? word.substr(2) : options[++i];
        if (macro.empty() || macro.starts_with('_') || macro.starts_with("HIP") ||
            macro.find('\n') != std::string::npos) {
            return {};
        }
        const std::size_t equals = macro.find('=');
        if (word[1] == 'D') {
            macro = equals == std::string::npos ? macro + " 1" : macro.replace(equals, 1, " ");
        }
        directives += (word[1] == 'D' ? "#define " : "#undef ") + macro + "\n";
    }
    options = std::move(others);
    return directives;
}

std::string compilerPath() {
    std::error_code ignored;
    Dl_info self{};
    if (::dladdr(reinterpret_cast<const void*>(&compilerPath), &self) != 0 && self.dli_fname != nullptr) {
        const fs::path folder = fs::canonical(self.dli_fname, ignored).parent_path();
        for (const char* place : {"../../bin", "../../libexec/kernel-scientist"}) {
            if (const fs::path path = (folder / place / compilerName).lexically_normal(); isProgram(path)) {
                return path.string();
            }
        }
    }
    const char* const searched = std::getenv("PATH");
    std::string_view rest = searched != nullptr ? searched : "";
    while (!rest.empty()) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        if (const fs::path path = fs::path(folder) / compilerName; !folder.empty() && isProgram(path)) {
            return path.string();
        }
    }
    return {};
}

std::optional<int> runToItsEnd(const std::vector<std::string>& arguments, const std::string& printedPath) {
    // A program that ignores SIGCHLD, or whose handler waits for every child, takes the exit status away. So a shell
    // waits for the child and writes the status into a pipe.
    int status[2];
    if (::pipe2(status, O_CLOEXEC) != 0) {
        return std::nullopt;
    }
    std::string shell = "/bin/sh", isScript = "-c", script = "\"$@\" 3>&-; echo $? >&3";
    std::vector<char*> words = {shell.data(), isScript.data(), script.data(), shell.data()};
    for (const std::string& one : arguments) {
        words.push_back(const_cast<char*>(one.c_str()));
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    constexpr int statusOfChild = 3;
    // First: where standard streams are closed the pipe has their numbers.
    ::posix_spawn_file_actions_adddup2(&actions, status[1], statusOfChild);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, printedPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0600);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    // What this program does with signals is nothing for a compiler.
    sigset_t none, ordinary;
    ::sigemptyset(&none);
    ::sigemptyset(&ordinary);
    for (const int signal : {SIGCHLD, SIGPIPE, SIGINT, SIGTERM, SIGHUP}) {
        ::sigaddset(&ordinary, signal);
    }
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &ordinary);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, words.front(), &actions, &attributes, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    ::close(status[1]);
    const std::string line = failed == 0 ? readLine(status[0]) : std::string();
    ::close(status[0]);
    while (failed == 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    int number = 0;
    return std::from_chars(line.data(), line.data() + line.size(), number).ec == std::errc()
               ? std::optional<int>(number)
               : std::nullopt;
}

} // namespace gks::hipcpu
