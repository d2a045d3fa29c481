// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/hip_api.h"
#include "core/hipcpu/runtime/rtc_api.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <unordered_map>

using namespace gks::hipcpu;

namespace {

// What has been handed out, so that a stale handle is an error and not a crash.
struct RtcPrograms {
    std::mutex mutex;
    std::unordered_map<const RtcProgram*, std::shared_ptr<RtcProgram>> made;

    static RtcPrograms& instance() {
        static auto* const programs = new RtcPrograms;
        return *programs;
    }
    std::shared_ptr<RtcProgram> find(const RtcProgram* handle) {
        const std::lock_guard lock(mutex);
        const auto found = made.find(handle);
        return found != made.end() ? found->second : nullptr;
    }
};

// What a program is asked for; `isGiven`: the caller's other arguments are there.
template<class Asked>
RtcResult withProgram(const RtcProgram* handle, bool isGiven, Asked asked) {
    const std::shared_ptr<RtcProgram> program = RtcPrograms::instance().find(handle);
    if (!program || !isGiven) {
        return program ? rtcInvalidInput : rtcInvalidProgram;
    }
    try {
        return asked(*program);
    } catch (const std::bad_alloc&) {
        return rtcOutOfMemory;
    } catch (...) {
        return rtcInternalError;
    }
}

RtcResult noLinking() {
    std::fprintf(stderr, "hipcpu: hiprtcLink... is not supported: programs of hipRTC are not linked together\n");
    return rtcLinking;
}

RtcResult noBitcode(const char* name) {
    std::fprintf(stderr, "hipcpu: %s is not supported: hiprtcGetCode gives what hipModuleLoadData takes\n", name);
    return rtcInvalidProgram;
}

} // namespace

const char* hiprtcGetErrorString(RtcResult result) {
    static constexpr std::array names = {"HIPRTC_SUCCESS",
                                         "HIPRTC_ERROR_OUT_OF_MEMORY",
                                         "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                         "HIPRTC_ERROR_INVALID_INPUT",
                                         "HIPRTC_ERROR_INVALID_PROGRAM",
                                         "HIPRTC_ERROR_INVALID_OPTION",
                                         "HIPRTC_ERROR_COMPILATION",
                                         "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                         "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                         "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                         "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                         "HIPRTC_ERROR_INTERNAL_ERROR"};
    const auto number = static_cast<std::size_t>(result);
    return result == rtcLinking ? "HIPRTC_ERROR_LINKING" : number < names.size() ? names[number] : "unknown error";
}

RtcResult hiprtcVersion(int* major, int* minor) {
    int version = 0;
    if (!major || !minor || hipRuntimeGetVersion(&version) != hipSuccess) {
        return rtcInvalidInput;
    }
    *major = version / 10'000'000;
    *minor = version / 100'000 % 100;
    return rtcSuccess;
}

RtcResult hiprtcCreateProgram(RtcProgram** program, const char* source, const char* name, int headerCount,
                              const char* const* headers, const char* const* includeNames) {
    if (!program || !source || headerCount < 0 || (headerCount != 0 && (!headers || !includeNames))) {
        return rtcInvalidInput;
    }
    std::vector<RtcProgram::File> files;
    for (int i = 0; i < headerCount; ++i) {
        if (!headers[i] || !includeNames[i] || !RtcProgram::isHeaderName(includeNames[i])) {
            return rtcInvalidInput;
        }
        files.push_back({includeNames[i], headers[i]});
    }
    const bool isNamed = name != nullptr && *name != '\0';
    auto made = std::make_shared<RtcProgram>(RtcProgram::File{isNamed ? name : "program.cu", source}, std::move(files));
    RtcPrograms& programs = RtcPrograms::instance();
    const std::lock_guard lock(programs.mutex);
    *program = made.get();
    programs.made.emplace(made.get(), std::move(made));
    return rtcSuccess;
}

RtcResult hiprtcDestroyProgram(RtcProgram** program) {
    if (!program) {
        return rtcInvalidInput;
    }
    RtcPrograms& programs = RtcPrograms::instance();
    const std::lock_guard lock(programs.mutex);
    if (programs.made.erase(*program) == 0) {
        return rtcInvalidProgram;
    }
    *program = nullptr;
    return rtcSuccess;
}

RtcResult hiprtcAddNameExpression(RtcProgram* handle, const char* expression) {
    return withProgram(handle, expression != nullptr, [&](RtcProgram& program) { return program.addName(expression); });
}

RtcResult hiprtcCompileProgram(RtcProgram* handle, int optionCount, const char* const* options) {
    return withProgram(handle, optionCount >= 0 && (optionCount == 0 || options), [&](RtcProgram& program) {
        std::vector<std::string> words;
        for (int i = 0; i < optionCount; ++i) {
            if (!options[i]) {
                return rtcInvalidInput;
            }
            words.emplace_back(options[i]);
        }
        return program.compile(words);
    });
}

RtcResult hiprtcGetLoweredName(RtcProgram* handle, const char* expression, const char** name) {
    return withProgram(handle, expression && name,
                       [&](RtcProgram& program) { return program.loweredName(expression, *name); });
}

RtcResult hiprtcGetProgramLogSize(RtcProgram* handle, std::size_t* sizeBytes) {
    return withProgram(handle, sizeBytes != nullptr, [&](RtcProgram& program) {
        *sizeBytes = program.log().size() + 1;
        return rtcSuccess;
    });
}

RtcResult hiprtcGetProgramLog(RtcProgram* handle, char* log) {
    return withProgram(handle, log != nullptr, [&](RtcProgram& program) {
        const std::string text = program.log();
        std::memcpy(log, text.c_str(), text.size() + 1);
        return rtcSuccess;
    });
}

RtcResult hiprtcGetCodeSize(RtcProgram* handle, std::size_t* sizeBytes) {
    return withProgram(handle, sizeBytes != nullptr, [&](RtcProgram& program) {
        *sizeBytes = program.code().size();
        return *sizeBytes != 0 ? rtcSuccess : rtcInvalidProgram;
    });
}

RtcResult hiprtcGetCode(RtcProgram* handle, char* code) {
    return withProgram(handle, code != nullptr, [&](RtcProgram& program) {
        const std::string made = program.code();
        std::memcpy(code, made.data(), made.size());
        return !made.empty() ? rtcSuccess : rtcInvalidProgram;
    });
}

RtcResult hiprtcGetBitcodeSize(RtcProgram*, std::size_t*) {
    return noBitcode("hiprtcGetBitcodeSize");
}

RtcResult hiprtcGetBitcode(RtcProgram*, char*) {
    return noBitcode("hiprtcGetBitcode");
}

RtcResult hiprtcLinkCreate(unsigned, int*, void**, void**) {
    return noLinking();
}

RtcResult hiprtcLinkAddFile(void*, int, const char*, unsigned, int*, void**) {
    return noLinking();
}

RtcResult hiprtcLinkAddData(void*, int, void*, std::size_t, const char*, unsigned, int*, void**) {
    return noLinking();
}

RtcResult hiprtcLinkComplete(void*, void**, std::size_t*) {
    return noLinking();
}

RtcResult hiprtcLinkDestroy(void*) {
    return noLinking();
}
