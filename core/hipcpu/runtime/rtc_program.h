// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gks::hipcpu {

// hiprtcResult.
enum RtcResult : int {
    rtcSuccess = 0,
    rtcOutOfMemory = 1,
    rtcProgramCreationFailure = 2,
    rtcInvalidInput = 3,
    rtcInvalidProgram = 4,
    rtcInvalidOption = 5,
    rtcCompilation = 6,
    rtcBuiltinOperationFailure = 7,
    rtcNoNameExpressionsAfterCompilation = 8,
    rtcNoLoweredNamesBeforeCompilation = 9,
    rtcNameExpressionNotValid = 10,
    rtcInternalError = 11,
    rtcLinking = 100,
};

// A source that is compiled while the program runs, by kernel-scientist-hipcc --genco as a child in a folder of its
// own.
class RtcProgram {
public:
    struct File {
        std::string name;
        std::string text;
    };
    RtcProgram(File source, std::vector<File> headers);
    // Whether a header of that name stays in the program's folder.
    static bool isHeaderName(const std::string& name);

    RtcResult addName(const char* expression);
    RtcResult compile(const std::vector<std::string>& options);
    // The lowered name lives as long as the program.
    RtcResult loweredName(const char* expression, const char*& name);
    std::string log();
    std::string code(); // empty: none has been made

private:
    struct Name {
        std::string expression; // without what makes no difference
        std::string asGiven;
        std::string lowered;
    };
    std::string sourceText(const std::string& macros) const;
    RtcResult compileIn(const std::string& folder, std::vector<std::string> options);

    std::mutex m_mutex;
    File m_source;
    std::vector<File> m_headers;
    std::vector<std::unique_ptr<Name>> m_names;
    bool m_isCompiled = false;
    std::string m_log;
    std::string m_code;
};

} // namespace gks::hipcpu
