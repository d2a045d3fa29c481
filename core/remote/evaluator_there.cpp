// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/evaluator_there.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <map>
#include <mutex>

namespace gks {
namespace {

constexpr std::size_t archiveLimitBytes = std::size_t{512} << 20;
constexpr std::size_t nameDigits = 16;
constexpr std::chrono::minutes lookTime(2);
constexpr std::chrono::minutes copyTime(30);

struct Archive {
    std::string name; // of the folder
    std::string bytes;
};

// Read once: it does not change while a program runs.
Result<const Archive*> archive() {
    static std::mutex mutex;
    static std::optional<Archive> known;
    const std::lock_guard lock(mutex);
    if (!known) {
        const auto path = evaluatorArchive();
        auto bytes = readFile(path, archiveLimitBytes);
        if (!bytes) {
            return infrastructureError(
                fmt::format("the evaluator for other machines is not there: {}", bytes.error().what),
                path.lexically_normal().string(), "Build everything (\"cmake --build\"), or install the program again");
        }
        known.emplace(Archive{sha256Hex(*bytes).substr(0, nameDigits), std::move(*bytes)});
    }
    return &*known;
}

// The folder's name is that of its content, so that nothing there is ever changed; $d is it.
std::string inFolder(const Archive& of) {
    return fmt::format("b=\"${{XDG_CACHE_HOME:-$HOME/.cache}}/kernel-scientist/evaluators\"; d=\"$b/{}\"; ", of.name);
}

} // namespace

Result<std::string> evaluatorThere(const RemoteShell& shell, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const Archive* packed, archive());
    // Of one machine one at a time: those who wait find it there.
    static std::mutex mutex;
    static std::map<std::string, std::mutex> machines;
    std::unique_lock all(mutex);
    std::mutex& machine = machines[shell.host()];
    all.unlock();
    const std::lock_guard lock(machine);

    RunOptions options;
    options.timeout = lookTime;
    options.stop = stop;
    const std::string look = inFolder(*packed) +
                             "if [ -x \"$d/bin/kernel-scientist-evaluator\" ]; then echo \"there $d\"; "
                             "else echo missing; fi";
    GKS_TRY_ASSIGN(std::string said, shell.output(look, options));
    const auto placeIn = [](const std::string& text) -> std::string { // a login may have greeted before
        for (const std::string_view line : lines(text)) {
            if (line.starts_with("there /")) {
                return std::string(line.substr(6));
            }
        }
        return {};
    };
    std::string place = placeIn(said);
    if (!place.empty()) {
        return place;
    }
    // Whole or not at all; of two who copy at the same time the second finds that it is there.
    const std::string copy =
        inFolder(*packed) +
        "set -e; umask 077; mkdir -p \"$b\"; t=$(mktemp -d \"$b/new.XXXXXX\"); trap 'rm -rf \"$t\"' EXIT; "
        "tar -xzf - -C \"$t\"; mv -T \"$t\" \"$d\" 2>/dev/null || [ -x \"$d/bin/kernel-scientist-evaluator\" ]; "
        "echo \"there $d\"";
    options.timeout = copyTime;
    options.input = packed->bytes;
    GKS_TRY_ASSIGN(said, shell.output(copy, options));
    place = placeIn(said);
    if (place.empty()) {
        return infrastructureError("the evaluator could not be put there", shell.host(),
                                   "Look at its cache folder (~/.cache/kernel-scientist) and at the space there");
    }
    return place;
}

} // namespace gks
