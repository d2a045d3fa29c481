// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small device modules written as IR, retargeted with the real device library; the result is looked at as final IR.

#include "core/base/files.h"
#include "core/hipcpu/retarget/retarget.h"

#include <QTest>
#include <optional>
#include <string>

namespace gks::hipcpu {

struct Retargeted {
    Result<RetargetOutcome> outcome;
    std::string ir;
};

class DeviceIr : public QObject {
public:
    static constexpr const char* head = R"(target triple = "amdgcn-amd-amdhsa"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.workitem.id.x()
)";

protected:
    void makeFolder() {
        auto folder = TemporaryDirectory::create("hipcpu-retarget");
        QVERIFY(folder.has_value());
        m_folder.emplace(std::move(*folder));
    }

    Retargeted run(const std::string& text, bool tellsAccesses = false) {
        const std::filesystem::path ir = m_folder->path() / "final.ll";
        Retargeted result{retargeted(text, {}, ir, tellsAccesses), {}};
        if (result.outcome) {
            result.ir = *readFile(ir);
        }
        return result;
    }

    Result<RetargetOutcome> retargeted(const std::string& text, const std::filesystem::path& cache,
                                       const std::filesystem::path& ir = {}, bool tellsAccesses = false) {
        const std::filesystem::path source = m_folder->path() / "device.ll";
        if (!writeFileAtomically(source, head + text)) {
            qFatal("cannot write %s", source.c_str());
        }
        RetargetOptions options;
        options.deviceLibrary = std::filesystem::path(GKS_BINARY_DIR) / "lib/kernel-scientist/hipcpu_device.bc";
        options.compilationUnitId = "test";
        options.cacheFolder = cache;
        options.irPath = ir;
        options.tellsAccesses = tellsAccesses;
        return retarget(source, m_folder->path(), "device", options);
    }

    static const char* message(const Retargeted& r) { return r.outcome ? "" : r.outcome.error().what.c_str(); }

    static KernelSummary kernel(const Retargeted& r, const std::string& name) {
        for (const KernelSummary& summary : r.outcome->kernels) {
            if (summary.name == name) {
                return summary;
            }
        }
        return {};
    }

    // The text of one function.
    static std::string body(const Retargeted& r, const std::string& name) {
        std::size_t begin = r.ir.find("@" + name + "(");
        begin = begin == std::string::npos ? begin : r.ir.rfind("define", begin);
        return begin == std::string::npos ? std::string() : r.ir.substr(begin, r.ir.find("\n}", begin) - begin);
    }

    static int count(const std::string& text, const std::string& what) {
        int found = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
            ++found;
        }
        return found;
    }

    std::optional<TemporaryDirectory> m_folder;
};

} // namespace gks::hipcpu
