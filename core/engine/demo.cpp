// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/demo.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/campaign/templates.h"
#include "core/engine/new_campaign.h"

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view sampleName = "fp8-gemm-h200.gks";
constexpr std::string_view demoName = "fp8-gemm-demo.gks";

fs::path samplePath() {
    return dataFolder() / "samples" / sampleName;
}

bool isCopied(const fs::path& shipped, const fs::path& copy) {
    std::error_code code;
    const bool isThere = fs::exists(copy, code) && fs::file_size(copy, code) == fs::file_size(shipped, code);
    return isThere && fs::last_write_time(copy, code) >= fs::last_write_time(shipped, code);
}

} // namespace

Result<fs::path> sampleCampaign() {
    const fs::path shipped = resourceFolder() / "samples" / sampleName;
    const fs::path copy = samplePath();
    if (isCopied(shipped, copy)) {
        return copy;
    }
    GKS_TRY(makeDirectories(copy.parent_path()));
    GKS_TRY_ASSIGN(const std::string content, readFile(shipped));
    GKS_TRY(writeFileAtomically(copy, content));
    return copy;
}

bool isSampleCampaign(const fs::path& file) {
    std::error_code code;
    return fs::equivalent(file, samplePath(), code) && !code;
}

Result<fs::path> demoCampaign() {
    const fs::path file = dataFolder() / demoName;
    std::error_code code;
    if (!fs::exists(file, code)) {
        GKS_TRY(makeDirectories(dataFolder()));
        GKS_TRY_ASSIGN(const CampaignTemplate demo, campaignTemplate(demoTemplateName));
        GKS_TRY(makeCampaign({.file = file, .settings = demo.settings}));
    }
    return file;
}

} // namespace gks
