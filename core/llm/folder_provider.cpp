// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elapsed.h"
#include "core/base/hash.h"
#include "core/base/new_file.h"
#include "core/base/quantity.h"
#include "core/base/regular_file.h"
#include "core/base/settled_file.h"
#include "core/base/text.h"
#include "core/llm/chat.h"
#include "core/llm/plain_request.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sys/file.h>

// Requests and replies as files of one folder, for people and for whatever can watch a folder:
//   0001.request.md   the prompt; its head says how to reply
//   0001.reply.md     the reply, by whoever answers
//   0001.taken        the reply was taken; nobody waits any more
// Nothing is ever deleted. A request is open while its .taken is missing, and waited for by who holds the lock on it.
// So any number of calls and programs share a folder, and a program that starts again finds the request that it had
// made by its content, with the reply that came meanwhile.
namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view requestEnding = ".request.md";
constexpr std::string_view replyEnding = ".reply.md";
constexpr std::string_view takenEnding = ".taken";
constexpr std::string_view endOfReply = "<!-- end of reply -->";
constexpr std::size_t folderEntryLimit = 100'000;
constexpr int numberLimit = 100'000'000;

std::string fileName(int number, std::string_view ending) {
    return fmt::format("{:04}{}", number, ending);
}

// The number in front of the ending; 0 when the name is another one.
int numberIn(std::string_view name, std::string_view ending) {
    int number = 0;
    if (!name.ends_with(ending)) {
        return 0;
    }
    name.remove_suffix(ending.size());
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    return failure == std::errc() && end == name.data() + name.size() && fileName(number, "") == name &&
                   number < numberLimit
               ? std::max(number, 0)
               : 0;
}

struct FolderContent {
    std::set<int> requests;
    std::set<int> taken;
    int highest = 0;
};

Result<FolderContent> contentOf(const fs::path& folder) {
    FolderContent content;
    std::error_code code;
    std::size_t seen = 0;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
        if (++seen > folderEntryLimit) {
            return usageError(fmt::format("too many files (limit {})", folderEntryLimit), folder.string(),
                              "Choose an empty folder");
        }
        const std::string name = at->path().filename().string();
        const int request = numberIn(name, requestEnding);
        const int taken = numberIn(name, takenEnding);
        if (request > 0) {
            content.requests.insert(request);
        }
        if (taken > 0) {
            content.taken.insert(taken);
        }
        content.highest = std::max({content.highest, request, taken, numberIn(name, replyEnding)});
    }
    if (code) {
        return usageError(fmt::format("the folder cannot be read: {}", code.message()), folder.string(),
                          "Create it, or choose another one");
    }
    return content;
}

class FolderProvider final : public ChatProvider {
public:
    explicit FolderProvider(FolderOptions options) : m_options(std::move(options)), m_folder(m_options.folder) {}

    std::string name() const override { return std::string(folderProviderName); }

    ChatResult complete(const ChatRequest& request, const ChatSinks& sinks, const std::stop_token& stop) override {
        const auto started = std::chrono::steady_clock::now();
        const std::string prompt = plainRequest(request);
        GKS_TRY_ASSIGN(const Open open, openRequest(prompt));
        if (sinks.progress) {
            sinks.progress({ChatPhase::waiting});
        }
        GKS_TRY_ASSIGN(const std::string text, waitFor(m_folder / fileName(open.number, replyEnding), stop));
        const fs::path taken = m_folder / fileName(open.number, takenEnding);
        GKS_TRY_ASSIGN(const auto mark, writeNewFile(taken, "SHA-256 of the reply: " + sha256Hex(text) + "\n"));
        if (!mark) {
            return infrastructureError("another program has taken the reply", taken.string(),
                                       "Run the campaign again to ask once more");
        }
        ChatReply reply = plainReply(sanitizedUtf8(text), prompt);
        reply.seconds = secondsSince(started);
        if (sinks.text) {
            sinks.text(reply.text);
        }
        return reply;
    }

private:
    struct Open {
        int number = 0;
        FileDescriptor lock; // on the request's file
    };

    std::string requestText(int number, const std::string& prompt) const {
        return fmt::format(
            "# Request {0:04}\n\n"
            "Reply to what stands below the line. Write the reply, and nothing else, to `{1}` beside this "
            "file.\nIt is taken when its last line is `{2}` (which is left out), or when nobody has the "
            "file open for\nwriting and it has not changed for {3}. A file that is written under another "
            "name and renamed\nto that one is safe everywhere. `{4}` appears when the reply was taken.\n"
            "\n---\n\n{5}",
            number, fileName(number, replyEnding), endOfReply,
            formatSeconds(std::chrono::duration<double>(m_options.unchanged).count()), fileName(number, takenEnding),
            prompt);
    }

    // An open request with these words that nobody waits for, else a new one.
    Result<Open> openRequest(const std::string& prompt) const {
        GKS_TRY_ASSIGN(const FolderContent content, contentOf(m_folder));
        for (const int number : content.requests) {
            if (!content.taken.contains(number)) {
                if (auto lock = lockOf(number, requestText(number, prompt))) {
                    return Open{number, std::move(*lock)};
                }
            }
        }
        for (int number = content.highest + 1; number < numberLimit; ++number) {
            GKS_TRY_ASSIGN(auto made,
                           writeNewFile(m_folder / fileName(number, requestEnding), requestText(number, prompt)));
            if (made) {
                return Open{number, std::move(*made)};
            }
        }
        return usageError("no number is left", m_folder.string(), "Choose an empty folder");
    }

    std::optional<FileDescriptor> lockOf(int number, const std::string& text) const {
        const fs::path path = m_folder / fileName(number, requestEnding);
        auto file = openRegularFile(path, Links::refused);
        std::error_code ignored;
        if (!file || fs::file_size(path, ignored) != text.size()) {
            return std::nullopt;
        }
        const auto found = readRest(*file, path, text.size());
        if (!found || *found != text || ::flock(file->number(), LOCK_EX | LOCK_NB) != 0 ||
            fs::exists(fs::symlink_status(m_folder / fileName(number, takenEnding), ignored))) { // since we looked
            return std::nullopt;
        }
        return std::move(*file);
    }

    Result<std::string> waitFor(const fs::path& path, const std::stop_token& stop) const {
        SettledFile reply(path, replyLimitBytes, endOfReply, m_options.unchanged);
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any wake;
        while (!stop.stop_requested()) {
            GKS_TRY_ASSIGN(auto content, reply.look());
            if (content) {
                return std::move(*content);
            }
            wake.wait_for(lock, stop, m_options.pause, [] { return false; });
        }
        return cancelledError(path.string());
    }

    FolderOptions m_options;
    fs::path m_folder;
};

} // namespace

Result<std::unique_ptr<ChatProvider>> makeFolderProvider(FolderOptions options) {
    const fs::path folder(options.folder);
    std::error_code ignored;
    if (!folder.is_absolute()) {
        return usageError("is not a full path", folder.string(), "Give the full path of a folder");
    }
    if (!fs::is_directory(folder, ignored)) {
        return usageError("folder not found", folder.string(), "Create it, or choose another one");
    }
    return std::make_unique<FolderProvider>(std::move(options));
}

} // namespace gks
