// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/options/compiler_options.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kernelOptionLimit = 64;
constexpr std::size_t kernelOptionBytes = 256;

enum class Use {
    frontEnd,
    preprocessor, // of the front end, and every other compiler has it too
    folder,       // of the front end, its value is a folder
    firstInclude, // of the front end, its value is a file that is read before the source
    thread,       // of the front end and the linker
    host,
    linker,
    deviceBackEnd,
    ignored,
    optimisation,
    architecture,
    language,
    compileOnly,
    otherMachine,
    deviceLinking,
    noOutput,
};

enum class Form {
    exact,
    prefix, // the value, if there is one, stands in the same word
    value,  // the value is the rest of the word, or the next word
    next,   // the value is the next word
};

struct Rule {
    std::string_view text;
    Form form;
    Use use;
};

// The first that fits counts.
constexpr auto rules = std::to_array<Rule>({
    {"-std=", Form::prefix, Use::preprocessor},
    {"-D", Form::value, Use::preprocessor},
    {"-U", Form::value, Use::preprocessor},
    {"-include", Form::next, Use::firstInclude},
    {"-isystem", Form::value, Use::folder},
    {"-iquote", Form::value, Use::folder},
    {"-idirafter", Form::value, Use::folder},
    {"-I", Form::value, Use::folder},
    {"-fgpu-rdc", Form::exact, Use::deviceLinking},
    {"-fno-gpu-rdc", Form::exact, Use::deviceLinking},
    {"-fuse-ld=", Form::prefix, Use::ignored},
    {"-fopenmp", Form::exact, Use::thread},
    {"-fsyntax-only", Form::exact, Use::noOutput},
    {"-f", Form::prefix, Use::frontEnd},
    {"-Wl,", Form::prefix, Use::linker},
    {"-W", Form::prefix, Use::frontEnd},
    {"-w", Form::exact, Use::frontEnd},
    {"-pthread", Form::exact, Use::thread},
    {"-g", Form::prefix, Use::host},
    {"-O", Form::prefix, Use::optimisation},
    {"-l", Form::value, Use::linker},
    {"-L", Form::value, Use::linker},
    {"-x", Form::value, Use::language},
    {"-c", Form::exact, Use::compileOnly},
    {"--offload-arch=", Form::prefix, Use::architecture},
    {"--amdgpu-target=", Form::prefix, Use::architecture},
    {"--target=", Form::prefix, Use::otherMachine},
    {"-target", Form::next, Use::otherMachine},
    {"--hip-link", Form::exact, Use::ignored}, // device code is linked where there is some to link
    {"--save-temps", Form::prefix, Use::ignored},
    {"-save-temps", Form::prefix, Use::ignored},
    {"-pipe", Form::exact, Use::ignored},
    {"-R", Form::prefix, Use::deviceBackEnd}, // remarks of optimisation passes
    {"-mllvm", Form::next, Use::deviceBackEnd},
    {"-mllvm=", Form::prefix, Use::deviceBackEnd},
    {"--gpu-max-threads-per-block=", Form::prefix, Use::frontEnd},
    {"-munsafe-fp-atomics", Form::exact, Use::frontEnd},
    {"-mno-unsafe-fp-atomics", Form::exact, Use::frontEnd},
    {"-mcumode", Form::exact, Use::deviceBackEnd},
    {"-mwavefrontsize64", Form::exact, Use::deviceBackEnd},
    {"-mno-wavefrontsize64", Form::exact, Use::otherMachine},
    {"-mcode-object-version=", Form::prefix, Use::deviceBackEnd},
    {"-march=native", Form::exact, Use::ignored}, // host code is for this CPU in any case
    {"-mcpu=native", Form::exact, Use::ignored},
    {"-march=", Form::prefix, Use::otherMachine},
    {"-mcpu=", Form::prefix, Use::otherMachine},
    {"-m32", Form::exact, Use::otherMachine},
    {"-mx32", Form::exact, Use::otherMachine},
    {"-m16", Form::exact, Use::otherMachine},
    {"-m", Form::prefix, Use::ignored},
});

bool fits(const Rule& rule, std::string_view word) {
    return rule.form == Form::exact || rule.form == Form::next ? word == rule.text : word.starts_with(rule.text);
}

// What stands behind the option: in its word, or in the next. nullopt when a next word is needed and none is there.
std::optional<std::string> valueOf(const Rule& rule, const std::vector<std::string>& words, std::size_t at,
                                   std::size_t& taken) {
    const std::string& word = words[at];
    const bool inNext = rule.form == Form::next || (rule.form == Form::value && word.size() == rule.text.size());
    if (!inNext) {
        return word.substr(rule.text.size());
    }
    if (at + 1 == words.size()) {
        return std::nullopt;
    }
    taken = 2;
    return words[at + 1];
}

std::optional<int> levelFrom(std::string_view value) {
    if (value.size() == 1 && value[0] >= '0' && value[0] <= '3') {
        return value[0] - '0';
    }
    if (value == "fast") {
        return 3;
    }
    if (value == "s" || value == "z") {
        return 2;
    }
    return value.empty() || value == "g" ? std::optional<int>(1) : std::nullopt;
}

// Of "gfx942", "gfx942:sramecc+:xnack-", and lists of them those that are known.
std::vector<Architecture> architecturesIn(std::string_view list) {
    std::vector<Architecture> known;
    for (const std::string_view part : split(list, ',')) {
        if (const auto architecture = architectureFrom(part)) {
            known.push_back(*architecture);
        }
    }
    return known;
}

tl::unexpected<Error> otherMachine(std::string word, std::string what) {
    return usageError(std::move(what), std::move(word), "Leave the option out");
}

// The libraries of HIP that libhipcpu.so stands for.
bool isPartOfHip(const Rule& rule, std::string_view value) {
    return rule.text == "-l" && (value == "amdhip64" || value == "hiprtc" || value == "hiprtc-builtins");
}

Result<void> apply(const Rule& rule, const std::vector<std::string>& given, const std::string& value,
                   CompilerOptions& into) {
    const auto addTo = [&](std::vector<std::string>& list) { list.insert(list.end(), given.begin(), given.end()); };
    switch (rule.use) {
    case Use::folder:
        into.folders.emplace_back(value);
        addTo(into.frontEnd);
        addTo(into.preprocessor);
        break;
    case Use::firstInclude:
        into.includesFirst = true;
        addTo(into.frontEnd);
        addTo(into.preprocessor);
        break;
    case Use::preprocessor:
        addTo(into.frontEnd);
        addTo(into.preprocessor);
        break;
    case Use::frontEnd:
        addTo(into.frontEnd);
        break;
    case Use::thread:
        addTo(into.frontEnd);
        addTo(into.linker);
        break;
    case Use::host:
        addTo(into.host);
        break;
    case Use::linker:
        addTo(isPartOfHip(rule, value) ? into.ignored : into.linker);
        break;
    case Use::deviceBackEnd:
        addTo(into.deviceBackEnd);
        break;
    case Use::ignored:
        addTo(into.ignored);
        break;
    case Use::compileOnly:
        into.compileOnly = true;
        break;
    case Use::optimisation:
        into.optimisationLevel = levelFrom(value);
        if (value == "fast") {
            into.frontEnd.emplace_back("-ffast-math");
        }
        break;
    case Use::language:
        if (value != "hip") {
            return otherMachine("-x " + value, "only HIP sources can be built");
        }
        addTo(into.ignored);
        break;
    case Use::architecture: {
        const std::vector<Architecture> known = architecturesIn(value);
        if (known.empty() && into.otherArchitecture.empty()) {
            into.otherArchitecture = given.front();
        }
        into.architectures.insert(into.architectures.end(), known.begin(), known.end());
        break;
    }
    case Use::otherMachine:
        return otherMachine(join(given, " "), "this would build code for another machine");
    case Use::deviceLinking:
        into.linksDeviceCode = given.front() == "-fgpu-rdc";
        addTo(into.frontEnd);
        break;
    case Use::noOutput:
        return usageError("nothing would be built", given.front(), "Leave the option out");
    }
    return {};
}

bool leavesFolder(const fs::path& path) {
    return path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

// Where #include may look. A whole path gives no more than the source can name itself, and the sandbox shows system
// folders alone.
bool isKernelFolder(const fs::path& path) {
    return path.is_absolute() ? path == path.lexically_normal() : !leavesFolder(path);
}

// Of a word that is passed on to a compiler: neither a path nor a way to load code, and nothing that writes a file of
// its own or leaves out what was to be made.
bool isPlain(std::string_view word) {
    static constexpr auto parts =
        std::to_array<std::string_view>({"/", "..", "plugin", "module", "file", "sanitize", "-Wp,", "-Wa,", "-load",
                                         "record", "time-trace", "dump", "crash", "syntax-only", "prefix-map"});
    return std::none_of(parts.begin(), parts.end(),
                        [&](std::string_view part) { return word.find(part) != std::string_view::npos; });
}

Result<void> checkKernelWord(const std::string& word) {
    const bool printable =
        std::all_of(word.begin(), word.end(), [](unsigned char letter) { return letter >= ' ' && letter < 0x7f; });
    if (word.empty() || word.size() > kernelOptionBytes || !printable) {
        return usageError("invalid compiler option", abbreviated(sanitizedUtf8(word), kernelOptionBytes),
                          fmt::format("Use up to {} printable characters", kernelOptionBytes));
    }
    return {};
}

} // namespace

Result<std::size_t> readOption(const std::vector<std::string>& words, std::size_t at, CompilerOptions& into) {
    const std::string& word = words[at];
    const auto* rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& each) { return fits(each, word); });
    if (rule == rules.end()) {
        return 0;
    }
    std::size_t taken = 1;
    const auto value = valueOf(*rule, words, at, taken);
    if (!value) {
        return usageError("missing value", word);
    }
    if (rule->use == Use::optimisation && !levelFrom(*value)) {
        return 0;
    }
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    GKS_TRY(apply(*rule, {first, first + static_cast<std::ptrdiff_t>(taken)}, *value, into));
    return taken;
}

Result<void> checkArchitectures(const CompilerOptions& options) {
    if (!options.otherArchitecture.empty() && options.architectures.empty()) {
        return otherMachine(options.otherArchitecture,
                            fmt::format("device code is built for {} and {} only", nameOf(Architecture::gfx942),
                                        nameOf(Architecture::gfx950)));
    }
    return {};
}

Result<CompilerOptions> kernelOptions(const std::vector<std::string>& words) {
    if (words.size() > kernelOptionLimit) {
        return usageError(fmt::format("too many compiler options (limit {})", kernelOptionLimit));
    }
    for (const std::string& word : words) {
        GKS_TRY(checkKernelWord(word));
    }
    CompilerOptions options;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t folders = options.folders.size();
        GKS_TRY_ASSIGN(const std::size_t taken, readOption(words, at, options));
        if (taken == 0) {
            return usageError("unknown compiler option", words[at], "Leave the option out");
        }
        const bool isMacro = words[at].starts_with("-D") || words[at].starts_with("-U");
        const bool isFile = words[at] == "-include";
        const bool isAllowed = isMacro  ? true
                               : isFile ? !leavesFolder(words[at + 1])
                               : options.folders.size() != folders
                                   ? isKernelFolder(options.folders.back())
                                   : isPlain(words[at]) && isPlain(words[at + taken - 1]);
        if (!isAllowed) {
            return usageError(
                "refused for kernels: it names a path, loads code into the compiler or writes other files",
                join({words.begin() + static_cast<std::ptrdiff_t>(at),
                      words.begin() + static_cast<std::ptrdiff_t>(at + taken)},
                     " "),
                "Leave the option out");
        }
        at += taken;
    }
    if (options.linksDeviceCode) {
        return usageError("refused for kernels: there is one source", "-fgpu-rdc", "Leave the option out");
    }
    GKS_TRY(checkArchitectures(options));
    const auto linked = std::find_if(options.linker.begin(), options.linker.end(),
                                     [](const std::string& word) { return word != "-pthread"; });
    if (linked != options.linker.end()) {
        return usageError("refused for kernels: nothing may be linked to them", *linked, "Leave the option out");
    }
    return options;
}

} // namespace gks::hipcpu
