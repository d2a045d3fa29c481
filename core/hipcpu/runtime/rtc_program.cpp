// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/rtc_program.h"

#include "core/hipcpu/lowered_names.h"
#include "core/hipcpu/runtime/module_registry.h"
#include "core/hipcpu/runtime/rtc_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

// What a source may use without naming it.
constexpr const char* frontMatter = "#include <hip/hip_runtime.h>\n"
                                    "#include <hip/hip_fp16.h>\n"
                                    "#define __HIPCC_RTC__ 1\n";

class TemporaryFolder {
public:
    TemporaryFolder() {
        const char* const place = std::getenv("TMPDIR");
        std::string name = std::string(place != nullptr && *place != '\0' ? place : "/tmp") + "/hiprtc-XXXXXX";
        m_path = ::mkdtemp(name.data()) != nullptr ? name : std::string();
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!m_path.empty()) {
            fs::remove_all(m_path, ignored);
        }
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path; // empty: there is none
};

bool writeText(const fs::path& path, const std::string& text) {
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    std::ofstream file(path, std::ios::binary);
    file << text;
    return static_cast<bool>(file.flush());
}

std::string readText(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string lineDirective(const std::string& name) {
    std::string line = "#line 1 \"";
    for (const char letter : name) {
        line +=
            letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter == '\n' ? ' ' : letter};
    }
    return line + "\"\n";
}

// "&", blanks and brackets around the whole make no other name of an expression.
std::string sameName(std::string_view expression) {
    std::string name;
    std::copy_if(expression.begin(), expression.end(), std::back_inserter(name),
                 [](unsigned char letter) { return std::isspace(letter) == 0; });
    while (name.starts_with('&') || (name.starts_with('(') && name.ends_with(')'))) {
        name = name.front() == '&' ? name.substr(1) : name.substr(1, name.size() - 2);
    }
    return name;
}

// Without one the program's device is meant.
bool namesArchitecture(const std::vector<std::string>& options) {
    return std::any_of(options.begin(), options.end(), [](const std::string& word) {
        return word.starts_with("--offload-arch=") || word.starts_with("--amdgpu-target=");
    });
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

} // namespace

RtcProgram::RtcProgram(File source, std::vector<File> headers)
    : m_source(std::move(source)), m_headers(std::move(headers)) {}

bool RtcProgram::isHeaderName(const std::string& name) {
    const fs::path path = name;
    return !name.empty() && path.is_relative() && path.has_filename() &&
           std::find(path.begin(), path.end(), "..") == path.end();
}

RtcResult RtcProgram::addName(const char* expression) {
    const std::lock_guard lock(m_mutex);
    if (m_isCompiled) {
        return rtcNoNameExpressionsAfterCompilation;
    }
    std::string name = sameName(expression);
    if (name.empty()) {
        return rtcInvalidInput;
    }
    m_names.push_back(std::make_unique<Name>(Name{std::move(name), expression, {}}));
    return rtcSuccess;
}

std::string RtcProgram::sourceText(const std::string& macros) const {
    std::string text = frontMatter + macros + lineDirective(m_source.name) + m_source.text;
    // On the device's side alone: a kernel is something else on the host's. That registers the device code where it
    // knows a kernel or a variable, which it does of no template.
    text += "\n#if defined(__HIP_DEVICE_COMPILE__)\n";
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        std::string expression = m_names[i]->asGiven;
        expression.erase(0, std::min(expression.size(), expression.find_first_not_of("& \t\n")));
        text += lineDirective("name expression " + m_names[i]->asGiven) +
                "extern \"C\" __device__ __attribute__((used)) const void* const " + loweredNamePrefix +
                std::to_string(i) + " = (const void*)&" + expression + ";\n";
    }
    return text + "#else\nextern \"C\" __device__ char " + loweredNamePrefix + "host = 0;\n#endif\n";
}

RtcResult RtcProgram::compile(const std::vector<std::string>& given) {
    const std::lock_guard lock(m_mutex);
    m_code.clear();
    std::string wrong;
    const auto options = compilerOptions(given, wrong);
    if (!options) {
        m_log = "error: unknown option " + wrong + "\n";
        return rtcInvalidOption;
    }
    const TemporaryFolder folder;
    const RtcResult result = folder.path().empty() ? rtcInternalError : compileIn(folder.path(), *options);
    m_isCompiled = m_isCompiled || result == rtcSuccess;
    return result;
}

RtcResult RtcProgram::compileIn(const std::string& folder, std::vector<std::string> options) {
    const fs::path place = folder;
    // A folder of its own: the source is none of the headers that it may name.
    const fs::path source = place / "source/program.hip", code = place / "code", names = place / "names",
                   printed = place / "log";
    bool isWritten = writeText(source, sourceText(takeMacros(options)));
    for (const File& header : m_headers) {
        isWritten = isWritten && writeText(place / "headers" / header.name, header.text);
    }
    const std::string compiler = compilerPath();
    if (!isWritten || compiler.empty()) {
        m_log = isWritten ? "error: kernel-scientist-hipcc is neither beside the HIP library nor in PATH\n"
                          : "error: the source cannot be written to " + folder + "\n";
        return rtcInternalError;
    }
    std::vector<std::string> arguments = {compiler,        "--genco",          "-o",          code.string(),
                                          source.string(), loweredNamesOption, names.string()};
    if (!m_headers.empty()) {
        arguments.insert(arguments.end(), {"-I", (place / "headers").string()});
    }
    if (!namesArchitecture(options)) {
        arguments.push_back("--offload-arch=" + std::string(nameOf(ModuleRegistry::instance().architecture())));
    }
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::optional<int> status = runToItsEnd(arguments, printed.string());
    m_log = readText(printed);
    replaceAll(m_log, (place / "headers").string() + "/", "");
    replaceAll(m_log, source.string(), m_source.name);
    enum Status { done = 0, sourceIsWrong = 1, optionIsWrong = 2 };
    if (status != done) {
        return status == sourceIsWrong ? rtcCompilation : status == optionIsWrong ? rtcInvalidOption : rtcInternalError;
    }
    m_code = readText(code);
    std::istringstream lowered(readText(names));
    std::size_t number = 0;
    for (std::string name; lowered >> number >> name;) {
        if (number < m_names.size()) {
            m_names[number]->lowered = name;
        }
    }
    return m_code.empty() ? rtcInternalError : rtcSuccess;
}

RtcResult RtcProgram::loweredName(const char* expression, const char*& name) {
    const std::lock_guard lock(m_mutex);
    if (!m_isCompiled) {
        return rtcNoLoweredNamesBeforeCompilation;
    }
    const std::string wanted = sameName(expression);
    const auto found =
        std::find_if(m_names.begin(), m_names.end(), [&](const auto& one) { return one->expression == wanted; });
    if (found == m_names.end() || (*found)->lowered.empty()) {
        return rtcNameExpressionNotValid;
    }
    name = (*found)->lowered.c_str();
    return rtcSuccess;
}

std::string RtcProgram::log() {
    const std::lock_guard lock(m_mutex);
    return m_log;
}

std::string RtcProgram::code() {
    const std::lock_guard lock(m_mutex);
    return m_code;
}

} // namespace gks::hipcpu
