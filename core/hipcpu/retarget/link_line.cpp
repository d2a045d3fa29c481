// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/link_line.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

// What the driver goes by beside its options.
std::string environment() {
    std::string all;
    for (const char* name : {"LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"}) {
        const char* const value = std::getenv(name);
        all += value != nullptr ? fmt::format("{}={}\n", name, value) : std::string();
    }
    return all;
}

bool isComplete(const std::vector<std::string>& words) {
    return std::count(words.begin(), words.end(), placeOfObjects) == 1 &&
           std::count(words.begin(), words.end(), placeOfOutput) == 1;
}

} // namespace

std::vector<std::string> wordsOfLastLine(std::string_view printed) {
    const auto all = lines(printed);
    const std::string_view line = all.empty() ? std::string_view() : all.back();
    std::vector<std::string> words;
    bool isInside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') {
            isInside = !isInside;
            if (isInside) {
                words.emplace_back();
            }
        } else if (isInside) {
            i += line[i] == '\\' && i + 1 < line.size() ? 1 : 0;
            words.back() += line[i];
        }
    }
    return words;
}

std::vector<std::string> linkLine(const Toolchain& toolchain, const std::vector<std::string>& options,
                                  const fs::path& cacheFolder) {
    if (cacheFolder.empty()) {
        return {};
    }
    const std::string key = sha256Hex(toolchain.identity() + "\n" + environment() + join(options, "\n"));
    const fs::path kept = cacheFolder / "link-lines" / key.substr(0, 24);
    if (const auto text = readFile(kept)) {
        std::vector<std::string> words;
        for (const std::string_view word : lines(*text)) {
            words.emplace_back(word);
        }
        if (isComplete(words)) {
            return words;
        }
    }
    Command command;
    command.arguments = {toolchain.clang.string(), "-###"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    const auto said = runProcess(command);
    std::vector<std::string> words = said && said->ok() ? wordsOfLastLine(said->error) : std::vector<std::string>();
    const std::string text = join(words, "\n");
    if (!isComplete(words) || lines(text).size() != words.size() || !makeDirectories(kept.parent_path()) ||
        !writeFileAtomically(kept, text)) {
        return {};
    }
    return words;
}

} // namespace gks::hipcpu
