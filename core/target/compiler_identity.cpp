// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/compiler_identity.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/target/runtime_files.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <sys/stat.h>
#include <vector>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t identityDigits = 12;
constexpr std::size_t printedLimitBytes = 65536;

// "Debian clang version 21.1.8 (14)" -> "21.1.8"
std::string versionIn(const std::string& printed) {
    const std::string rest = valueAfter(printed, "clang version");
    return rest.substr(0, rest.find(' '));
}

// A small program with the compiler in shared libraries, as distributions build it.
bool holdsCompiler(const fs::path& library) {
    const std::string name = library.filename().string();
    return name.starts_with("libLLVM") || name.starts_with("libclang");
}

// Bitcode begins with a block that names its writer, as a string of six bits a letter at no byte's border.
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
constexpr std::size_t letterBits = 6;
constexpr std::size_t writerBytes = 64; // the string is in the first of them

char letterAt(std::string_view bytes, std::size_t bit) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < letterBits; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[(bit + i) / 8]);
        value |= static_cast<std::size_t>((byte >> ((bit + i) % 8)) & 1U) << i;
    }
    return letters[value];
}

std::string textAt(std::string_view bytes, std::size_t bit, std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i < length && (bit + (i + 1) * letterBits) <= bytes.size() * 8; ++i) {
        text += letterAt(bytes, bit + i * letterBits);
    }
    return text;
}

} // namespace

std::string printedBy(const fs::path& program, const std::string& option) {
    Command command;
    command.arguments = {program.string(), option};
    RunOptions options;
    options.timeout = std::chrono::seconds(20);
    options.outputLimitBytes = printedLimitBytes;
    const auto run = runProcess(command, options);
    return run && run->ok() ? run->output : std::string();
}

std::string fileIdentity(const fs::path& file) {
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) {
        return {};
    }
    std::error_code ignored;
    return fmt::format("{} {} {}.{:09}\n", fs::weakly_canonical(file, ignored).string(), status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::string folderIdentity(const fs::path& folder, std::string_view extension) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().extension() == extension) {
            files.push_back(at->path().filename().string() + " " + fileIdentity(at->path()));
        }
    }
    std::sort(files.begin(), files.end());
    return sha256Hex(join(files, "")).substr(0, identityDigits);
}

CompilerFacts clangFacts(const fs::path& program) {
    CompilerFacts facts;
    const std::string printed = printedBy(program, "--version");
    const std::string version = versionIn(printed);
    if (version.empty()) {
        return facts;
    }
    facts.version = "clang " + version;
    std::from_chars(version.data(), version.data() + version.size(), facts.major);
    facts.folder = valueAfter(printed, "InstalledDir: ");
    facts.resources = trimmed(printedBy(program, "-print-resource-dir"));
    std::string files = printed + fileIdentity(program);
    const fs::path real = facts.folder / "clang";
    files += fileIdentity(real);
    for (const fs::path& library : neededLibraries(isThere(real) ? real : program)) {
        files += holdsCompiler(library) ? fileIdentity(library) : std::string();
    }
    facts.identity = sha256Hex(files).substr(0, identityDigits);
    return facts;
}

int bitcodeProducer(std::string_view bytes) {
    constexpr std::string_view writer = "LLVM";
    const std::string_view start = bytes.substr(0, writerBytes);
    for (std::size_t bit = 0; bit + writer.size() * letterBits <= start.size() * 8; ++bit) {
        if (textAt(start, bit, writer.size()) == writer) {
            int major = 0;
            const std::string digits = textAt(start, bit + writer.size() * letterBits, 3);
            std::from_chars(digits.data(), digits.data() + digits.size(), major);
            return major;
        }
    }
    return 0;
}

int bitcodeProducerIn(const fs::path& deviceLibraries) {
    return bitcodeProducer(readFile(deviceLibraries / "ocml.bc").value_or(std::string()));
}

} // namespace gks
