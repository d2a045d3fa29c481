// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/harness.h"

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/problem/toml_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <pwd.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t harnessManifestBytes = std::size_t{64} << 10;
constexpr std::size_t sourceNameBytes = 100;
constexpr std::size_t wordLimit = 64; // of a command
constexpr std::size_t repetitionLimit = 100'000;
constexpr double longestCommandSeconds = 3600;
constexpr double mostMemoryGib = 4096;

bool isWithin(const fs::path& inner, const fs::path& outer) {
    const auto [end, ignored] = std::ranges::mismatch(outer, inner);
    return end == outer.end();
}

// By the database of accounts: HOME may point elsewhere.
fs::path homeOfAccount() {
    std::vector<char> buffer(std::size_t{64} << 10);
    passwd account{};
    passwd* found = nullptr;
    const bool isKnown =
        ::getpwuid_r(::getuid(), &account, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
    return isKnown && account.pw_dir != nullptr ? fs::path(account.pw_dir) : fs::path();
}

// Why no kernel may read there, which anybody may have written; empty where nothing speaks against it. What lies in the
// home is named one by one.
std::string secretsIn(const fs::path& folder) {
    constexpr std::array keyFolders = {".ssh", ".gnupg", ".aws", ".kube", ".password-store"};
    for (const fs::path& part : folder) {
        if (std::ranges::find(keyFolders, part) != keyFolders.end()) {
            return "it is for keys";
        }
    }
    for (const char* const system : {"/proc", "/sys", "/dev", "/run"}) {
        if (isWithin(folder, system)) {
            return "what runs on this machine is seen there";
        }
    }
    const char* const variable = std::getenv("HOME");
    for (const fs::path& named : {fs::path(variable == nullptr ? "" : variable), homeOfAccount()}) {
        const fs::path home = fs::weakly_canonical(named);
        if (home.has_relative_path() && isWithin(home, folder)) { // "/" is the home of accounts without one
            return "it holds your home folder";
        }
    }
    for (const fs::path& own : {configFolder(), stateFolder(), dataFolder()}) {
        const fs::path known = fs::weakly_canonical(own);
        if (isWithin(known, folder) || isWithin(folder, known)) {
            return "this program keeps its own files there";
        }
    }
    return {};
}

class HarnessReader : TomlFields {
public:
    HarnessReader(const fs::path& file, const toml::table& root) : TomlFields(file), m_root(root) {}

    Result<void> read(Harness& harness) const {
        GKS_TRY(onlyKeys(
            m_root, "",
            {"name", "title", "source", "build", "verify", "measure", "times", "seconds", "memory_gib", "readable"}));
        GKS_TRY_ASSIGN(harness.name, text(m_root, "name"));
        GKS_TRY_ASSIGN(harness.title, text(m_root, "title"));
        if (m_root.contains("source")) {
            GKS_TRY_ASSIGN(harness.source, text(m_root, "source"));
            if (harness.source.find('/') != std::string::npos || harness.source.front() == '.') {
                return refuse(*m_root.get("source"), "\"source\" must be a plain file name");
            }
            const bool isPrintable =
                std::ranges::none_of(harness.source, [](unsigned char c) { return c < ' ' || c == 0x7f; });
            if (!isPrintable || harness.source.size() > sourceNameBytes) {
                return refuse(*m_root.get("source"),
                              fmt::format("\"source\" must be one line of at most {} bytes", sourceNameBytes));
            }
        }
        if (m_root.contains("build")) {
            GKS_TRY_ASSIGN(harness.build, words("build"));
        }
        GKS_TRY_ASSIGN(harness.verify, words("verify"));
        GKS_TRY_ASSIGN(harness.measure, words("measure"));
        if (m_root.contains("times")) {
            GKS_TRY_ASSIGN(harness.times,
                           oneOf<Harness::Times>(m_root, "times",
                                                 {{"lines", Harness::Times::lines}, {"json", Harness::Times::json}}));
        }
        GKS_TRY_ASSIGN(harness.seconds, number("seconds", harness.seconds, longestCommandSeconds));
        const double gib = static_cast<double>(harness.memoryBytes) / static_cast<double>(std::size_t{1} << 30);
        GKS_TRY_ASSIGN(const double memory, number("memory_gib", gib, mostMemoryGib));
        harness.memoryBytes = static_cast<std::size_t>(memory * static_cast<double>(std::size_t{1} << 30));
        return readFolders(harness);
    }

private:
    Result<std::vector<std::string>> words(const char* key) const {
        GKS_TRY_ASSIGN(const toml::array* array, arrayAt(m_root, key));
        if (array->size() > wordLimit) {
            return refuse(*array, fmt::format("\"{}\" has more than {} words", key, wordLimit));
        }
        return texts(*array, fmt::format("a word of \"{}\"", key));
    }

    Result<double> number(const char* key, double usual, double most) const {
        const toml::node* const node = m_root.get(key);
        const double value = node == nullptr ? usual : node->value_or(0.0);
        return value > 0 && value <= most
                   ? Result<double>(value)
                   : Result<double>(refuse(*node, fmt::format("\"{}\" must be above 0 and at most {}", key, most)));
    }

    // What else the harness needs to see, such as a toolkit; never to write.
    Result<void> readFolders(Harness& harness) const {
        if (!m_root.contains("readable")) {
            return {};
        }
        GKS_TRY_ASSIGN(const toml::array* array, arrayAt(m_root, "readable"));
        GKS_TRY_ASSIGN(const std::vector<std::string> named, texts(*array, "a folder in \"readable\""));
        for (std::size_t i = 0; i < named.size(); ++i) {
            std::error_code code;
            const fs::path folder = fs::canonical(named[i], code);
            if (!fs::path(named[i]).is_absolute() || code || !fs::is_directory(folder, code) ||
                folder == folder.root_path()) {
                return refuse(*array->get(i), fmt::format("\"{}\" is no folder by its whole path", named[i]));
            }
            if (const std::string held = secretsIn(folder); !held.empty()) {
                return refuse(*array->get(i), fmt::format("\"{}\" is not shown to a harness: {}", named[i], held));
            }
            harness.readable.push_back(folder);
        }
        return {};
    }

    const toml::table& m_root;
};

Result<double> timeFrom(double us, std::string_view text) {
    constexpr double leastUs = 1e-4, mostUs = 1e11; // a tenth of a nanosecond, a day
    return us >= leastUs && us <= mostUs
               ? Result<double>(us)
               : Result<double>(usageError(fmt::format("\"{}\" is no time in microseconds", abbreviated(text, 40))));
}

Result<std::vector<double>> timesOnLines(std::string_view output) {
    std::vector<double> times;
    for (const std::string_view line : lines(output)) {
        const std::string_view text = trimmed(line);
        if (text.empty() || text.front() == '#') {
            continue;
        }
        double us = 0;
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, us);
        GKS_TRY_ASSIGN(const double time, timeFrom(read.ec == std::errc() && read.ptr == end ? us : -1, text));
        times.push_back(time);
    }
    return times;
}

Result<std::vector<double>> timesInJson(std::string_view output) {
    GKS_TRY_ASSIGN(const Json json, parseJson(output, "the output"));
    const auto list = json.is_object() ? json.find("us") : json.end();
    if (!json.is_object() || list == json.end() || !list->is_array()) {
        return usageError("has no array \"us\"");
    }
    std::vector<double> times;
    for (const Json& one : *list) {
        GKS_TRY_ASSIGN(const double time, timeFrom(one.is_number() ? one.get<double>() : -1, one.dump()));
        times.push_back(time);
    }
    return times;
}

} // namespace

std::string judgedByHarness() {
    return fmt::format("judged by {}", harnessLabel);
}

bool isHarness(const fs::path& folder) {
    std::error_code code;
    return fs::is_regular_file(folder / harnessFile, code) && !fs::exists(folder / "problem.toml", code);
}

Result<Harness> loadHarness(const fs::path& folder) {
    const fs::path file = folder / harnessFile;
    GKS_TRY_ASSIGN(const std::string content, readFile(file, harnessManifestBytes));
    Harness harness;
    std::error_code code;
    harness.folder = fs::canonical(folder, code);
    try {
        const toml::table root = toml::parse(content, file.string());
        GKS_TRY(HarnessReader(file, root).read(harness));
    } catch (const toml::parse_error& error) {
        return usageError(std::string(error.description()),
                          fmt::format("{}:{}", file.string(), error.source().begin.line));
    }
    return harness;
}

std::vector<std::string> harnessWords(const std::vector<std::string>& words, const Harness& harness,
                                      const fs::path& scratch) {
    std::vector<std::string> filled;
    for (const std::string& word : words) {
        std::string text = replaceAll(word, "{kernel}", (scratch / harness.source).string());
        text = replaceAll(text, "{scratch}", scratch.string());
        filled.push_back(replaceAll(text, "{pack}", harness.folder.string()));
    }
    return filled;
}

Result<std::vector<double>> harnessTimes(std::string_view output, Harness::Times form) {
    GKS_TRY_ASSIGN(std::vector<double> times,
                   form == Harness::Times::json ? timesInJson(output) : timesOnLines(output));
    if (times.empty() || times.size() > repetitionLimit) {
        return usageError(times.empty() ? std::string("holds no time")
                                        : fmt::format("holds more than {} times", repetitionLimit));
    }
    return times;
}

} // namespace gks
