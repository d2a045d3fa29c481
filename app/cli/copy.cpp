// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/campaign/store.h"

#include <fmt/format.h>

namespace gks::cli {
namespace {

Result<void> copy(const Arguments& arguments) {
    if (arguments.rest().size() != 1) {
        return usageError("one name for the copy is needed", "copy", "Use: copy FILE.gks TO.gks");
    }
    GKS_TRY_ASSIGN(const auto store, CampaignStore::open(arguments.positional(), CampaignStore::Access::read));
    ProgressLine progress;
    progress.step("copying");
    return store->copyTo(arguments.rest().front(), arguments.has("--replace"), [&](double fraction) {
        progress.update(fraction, "");
        return true;
    });
}

int runCopy(const Arguments& arguments) {
    if (const auto copied = copy(arguments); !copied) {
        return failed(copied.error());
    }
    say("{}\n", arguments.rest().front());
    return done;
}

} // namespace

const Command copyCommand = {"copy",
                             "FILE.gks",
                             "Copy a campaign as it is now into one file, also while it runs",
                             {{"--replace", "", "replace a campaign that no program has open", false}},
                             runCopy,
                             "TO.gks"};

} // namespace gks::cli
