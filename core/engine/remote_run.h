// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/mirror.h"
#include "core/engine/watched_run.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// ssh://[user@]host[:port]/path/FILE.gks; /~/ begins in the home folder there.
struct RemoteCampaign {
    std::string host; // "user@host", or as ssh takes it with a port
    std::string path; // absolute, or "~/..."

    std::string name() const; // of the file
    std::string text() const; // the address again
};
Result<RemoteCampaign> remoteCampaignFrom(std::string_view address);
// For a shell there: `words` of kernel-scientist-cli, then the path as one word. The program is looked for in PATH and
// where it is usually put, or is GKS_REMOTE_CLI.
std::string remoteScript(const RemoteCampaign& campaign, std::string_view words);

// By ssh, over `kernel-scientist-cli attach --serve` there: the run, and the file as a mirror. On the link's thread.
struct RemoteSinks {
    std::function<void()> mirrored = {};                             // the next moment lies in the mirror
    std::function<void(const std::optional<Error>& noRun)> run = {}; // whether anybody runs it there
};
WatchedRun::Connect remoteRun(const RemoteCampaign& campaign, std::shared_ptr<Mirror> mirror, RemoteSinks sinks);
inline constexpr WatchedRun::Rests remoteRests = {std::chrono::seconds(1), std::chrono::seconds(60)};

// What the other side says beside the run's own lines (run_lines.h).
std::vector<std::string> mirrorLines(const ImageChange& change);
std::string mirrorRunLine(const std::optional<std::string>& who); // empty: nobody runs it
std::string mirrorTroubleLine(const Error& error);                // there is no file to be mirrored
// What a viewer says first: the digests of what it has (Mirror::begin()).
std::string mirrorHasLine(const std::string& digests);
std::optional<std::string> mirrorHasFrom(std::string_view line); // nothing: another line

} // namespace gks
