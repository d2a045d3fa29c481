// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/split_build.h"

#include "core/base/locations.h"

#include <QtGlobal>

namespace gks::test {

CompletedProcess splitBuild(const std::filesystem::path& source, const std::filesystem::path& folder) {
    Command command;
    command.arguments = {siblingProgram("kernel-scientist-hipcc").string(),
                         "-shared",
                         "--split",
                         folder.string(),
                         "-I",
                         folder.string(),
                         source.string()};
    auto run = runProcess(command);
    if (!run) {
        qFatal("%s", run.error().message().c_str());
    }
    return std::move(*run);
}

} // namespace gks::test
