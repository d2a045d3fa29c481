// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/remote_run.h"

#include "core/base/base64.h"
#include "core/base/error_drain.h"
#include "core/base/foreign_text.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/campaign/compression.h"
#include "core/engine/event_json.h"
#include "core/engine/run_lines.h"
#include "core/judge/json_fields.h"
#include "core/remote/remote_shell.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gks {
namespace {

constexpr std::string_view sshScheme = "ssh://";
constexpr std::size_t addressBytes = 4096;
constexpr std::chrono::seconds greetingPatience(60); // ssh gives up within half a minute
constexpr std::chrono::milliseconds partingPatienceThere(2000);

// What ssh is given as a host: no option of its own, and nothing that a shell would read.
bool isHostName(std::string_view host) {
    constexpr std::string_view known = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@:[]%";
    return !host.empty() && host.front() != '-' && host.find_first_not_of(known) == std::string_view::npos;
}

std::string mirrorLine(OrderedJson what) {
    return eventLine({{"mirror", std::move(what)}});
}

// What one conversation has said so far.
struct Conversation {
    std::shared_ptr<Mirror> mirror;
    RemoteSinks sinks;
    std::size_t bytes = 0; // of the file
    std::optional<Error> trouble = {};

    std::optional<Error> take(std::string_view line);

private:
    Result<void> takeFields(const Json& what);
};

Result<void> Conversation::takeFields(const Json& what) {
    FieldReader fields(what, "the mirror");
    if (const Json* error = fields.object("trouble")) {
        GKS_TRY_ASSIGN(trouble, errorFromJson(*error));
        return tl::unexpected(*trouble);
    }
    if (what.contains("bytes")) {
        fields.read("bytes", bytes);
        GKS_TRY(fields.finish());
        return mirror->resize(bytes);
    }
    if (what.contains("data")) {
        std::size_t at = 0;
        std::string data;
        fields.read("at", at);
        fields.read("data", data);
        GKS_TRY(fields.finish());
        GKS_TRY_ASSIGN(const std::string packed, bytesOfBase64(data));
        GKS_TRY_ASSIGN(const std::string pages, decompressed(packed, "the mirror", {}, 2 * mirrorRunBytes));
        return mirror->put(at, pages);
    }
    if (what.contains("whole")) {
        GKS_TRY(mirror->commit(bytes));
        if (sinks.mirrored) {
            sinks.mirrored();
        }
        return {};
    }
    if (what.contains("run")) {
        std::optional<std::string> who;
        fields.read("run", who);
        GKS_TRY(fields.finish());
        if (sinks.run) {
            sinks.run(who ? std::nullopt
                          : std::optional(Error{ErrorKind::usage, "nobody runs it there", "the run",
                                                "Start it there with: kernel-scientist-cli run"}));
        }
        return {};
    }
    return usageError("a line that nobody knows", "the mirror");
}

std::optional<Error> Conversation::take(std::string_view line) {
    const auto json = parseJson(line, "the mirror");
    if (!json || !json->is_object() || !json->contains("mirror") || !json->at("mirror").is_object()) {
        return Error{ErrorKind::usage, "a line that nobody knows", "the mirror", {}};
    }
    const auto taken = takeFields(json->at("mirror"));
    return taken ? std::nullopt : std::optional(taken.error());
}

// What has to be there while one talks with it; in this order.
struct Other {
    ChildProcess child;
    ErrorDrain errors{child.errorDescriptor()};

    explicit Other(ChildProcess started) : child(std::move(started)) {}

    // How it ended, and the last line that ssh or the program there has written.
    std::string end(const std::stop_token& stop) {
        const auto exit = child.wait(partingPatienceThere, stop);
        const std::string text = exit ? exit->text() : "no answer", last = errors.lastLine();
        return last.empty() ? text : fmt::format("{}: {}", text, sanitizedUtf8(last));
    }
};

FileDescriptor copyOf(int descriptor) {
    return FileDescriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
}

} // namespace

std::string RemoteCampaign::name() const {
    return path.substr(path.rfind('/') + 1);
}
std::string RemoteCampaign::text() const {
    const std::string place = host.starts_with(sshScheme) ? host : std::string(sshScheme) + host;
    return place + (path.starts_with('/') ? "" : "/") + path;
}

Result<RemoteCampaign> remoteCampaignFrom(std::string_view address) {
    const auto wrong = [&](const char* why) {
        return usageError(why, quotation(address), "Write ssh://[user@]host[:port]/path/FILE.gks");
    };
    if (!address.starts_with(sshScheme) || address.size() > addressBytes) {
        return wrong("is no address of a campaign on another machine");
    }
    const std::string_view rest = address.substr(sshScheme.size());
    const std::size_t slash = rest.find('/');
    const std::string_view host = rest.substr(0, slash);
    if (slash == std::string_view::npos || !isHostName(host)) {
        return wrong("names no machine, or no file on it");
    }
    const std::string_view path = rest.substr(slash);
    const bool isOneLine = path.find_first_of(std::string_view("\n\r\0", 3)) == std::string_view::npos;
    if (!isOneLine || path.size() < 2 || path.ends_with('/')) {
        return wrong("names no file there");
    }
    // With a port ssh wants the whole of it.
    const bool hasPort = host.rfind(':') != std::string_view::npos && !host.ends_with(']');
    RemoteCampaign campaign;
    campaign.host = hasPort ? std::string(sshScheme) + std::string(host) : std::string(host);
    campaign.path = path.starts_with("/~/") ? path.substr(1) : path;
    return campaign;
}

std::string remoteScript(const RemoteCampaign& campaign, std::string_view words) {
    const std::string path = campaign.path.starts_with("~/") ? "\"$HOME\"/" + shellQuoted(campaign.path.substr(2))
                                                             : shellQuoted(campaign.path);
    const char* const named = std::getenv("GKS_REMOTE_CLI");
    const std::string first = named != nullptr && *named != '\0' ? shellQuoted(named) : "kernel-scientist-cli";
    return fmt::format("for p in {} \"$HOME/.local/bin/kernel-scientist-cli\" /usr/local/bin/kernel-scientist-cli "
                       "/opt/kernel-scientist/bin/kernel-scientist-cli; do "
                       "command -v \"$p\" >/dev/null 2>&1 && exec \"$p\" {} {}; done; "
                       "echo 'kernel-scientist-cli: not found' >&2; exit 127",
                       first, words, path);
}

WatchedRun::Connect remoteRun(const RemoteCampaign& campaign, std::shared_ptr<Mirror> mirror, RemoteSinks sinks) {
    return [campaign, mirror = std::move(mirror),
            sinks = std::move(sinks)](RunLink::Heard heard, const std::stop_token& stop) -> Result<WatchedRun::Line> {
        const RemoteShell shell(campaign.host);
        Command command;
        command.arguments = shell.command(remoteScript(campaign, "attach --serve"));
        GKS_TRY_ASSIGN(ChildProcess started, ChildProcess::start(command));
        const auto other = std::make_shared<Other>(std::move(started));
        // Where nobody reads it nobody will greet either, and that says why.
        static_cast<void>(other->child.write(mirrorHasLine(mirror->begin()) + "\n", greetingPatience, stop));
        const auto said = std::make_shared<Conversation>(Conversation{mirror, sinks});
        heard.other = [said](std::string_view line) { return said->take(line); };
        // What a start asks for is answered there: the answers of this machine are not that one's.
        heard.event = [event = heard.event](const EngineEvent& heardEvent) {
            const auto* asked = std::get_if<TrustAsked>(&heardEvent);
            event(asked == nullptr
                      ? heardEvent
                      : WarningRaised{Error{ErrorKind::usage, "nobody there has answered for what the file names",
                                            "trust", "Start it there with: kernel-scientist-cli run --trust KINDS"},
                                      "trust",
                                      {},
                                      {}});
        };
        auto link = RunLink::over(
            LineChannel(copyOf(other->child.outputDescriptor()), copyOf(other->child.inputDescriptor()), runLineBytes),
            std::move(heard), greetingPatience, stop);
        if (!link) {
            if (said->trouble || link.error().kind == ErrorKind::cancelled) {
                return tl::unexpected(said->trouble.value_or(link.error()));
            }
            return tl::unexpected(shell.explained(other->end(stop)));
        }
        return WatchedRun::Line{other, std::move(*link)};
    };
}

std::vector<std::string> mirrorLines(const ImageChange& change) {
    std::vector<std::string> lines = {mirrorLine({{"bytes", change.bytes}})};
    for (const PageRun& run : change.runs) {
        lines.push_back(mirrorLine({{"at", run.at}, {"data", base64(compressed(run.bytes))}}));
    }
    lines.push_back(mirrorLine({{"whole", true}}));
    return lines;
}

std::string mirrorRunLine(const std::optional<std::string>& who) {
    return mirrorLine({{"run", who ? OrderedJson(*who) : OrderedJson()}});
}
std::string mirrorTroubleLine(const Error& error) {
    return mirrorLine({{"trouble", errorJson(error)}});
}

std::string mirrorHasLine(const std::string& digests) {
    return mirrorLine({{"has", digests}});
}

std::optional<std::string> mirrorHasFrom(std::string_view line) {
    const auto json = parseJson(line, "the mirror");
    const bool isOne = json && json->is_object() && json->contains("mirror") && json->at("mirror").is_object() &&
                       json->at("mirror").contains("has") && json->at("mirror").at("has").is_string();
    return isOne ? std::optional(json->at("mirror").at("has").get<std::string>()) : std::nullopt;
}

} // namespace gks
