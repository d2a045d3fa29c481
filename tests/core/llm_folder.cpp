// SPDX-License-Identifier: GPL-3.0-or-later
// The provider "folder", with somebody else at the other side: which files appear, when a reply counts, and what a
// second program and a program that starts again make of what lies there.
#include "core/base/files.h"
#include "core/base/new_file.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/llm/chat.h"
#include "tests/support/chat_requests.h"

#include <QTest>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <future>
#include <set>
#include <thread>
#include <unistd.h>

using namespace gks;
using namespace std::chrono_literals;

namespace {

namespace fs = std::filesystem;

// One call on a thread of its own.
class Call {
public:
    Call(const fs::path& folder, std::string prompt, std::chrono::milliseconds unchanged = 50ms)
        : m_reply(std::async(std::launch::async, [this, folder, prompt = std::move(prompt), unchanged] {
            const auto provider = makeFolderProvider({folder.string(), unchanged, 5ms}).value();
            return provider->complete(ask(prompt), {}, m_stop.get_token());
        })) {}
    ~Call() {
        m_stop.request_stop();
        if (m_reply.valid()) {
            m_reply.wait();
        }
    }
    bool isWaiting() const { return m_reply.wait_for(0ms) != std::future_status::ready; }
    ChatResult reply() { return m_reply.get(); }
    ChatResult cancelled() {
        m_stop.request_stop();
        return reply();
    }

private:
    std::stop_source m_stop;
    std::future<ChatResult> m_reply;
};

std::string textOf(const ChatResult& reply) {
    return reply ? reply->text : "no reply: " + reply.error().message();
}

void put(const fs::path& path, std::string_view text, int flags = O_CREAT | O_TRUNC) {
    const int file = ::open(path.c_str(), O_WRONLY | flags, 0644);
    QVERIFY(file >= 0);
    QCOMPARE(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(file);
}

} // namespace

class LlmFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder.emplace(TemporaryDirectory::create("gks-folder-test").value()); }

    void aRequestIsWrittenAndItsReplyTaken() {
        Call call(path(), "hello");
        QVERIFY(appears("0001.request.md"));
        const std::string request = readFile(file("0001.request.md")).value();
        for (const char* part : {"# Request 0001", "`0001.reply.md`", "You are a test.", "hello"}) {
            QVERIFY2(contains(request, part), request.c_str());
        }
        QVERIFY(writeFileAtomically(file("0001.reply.md"), "f\xfcr you\n"));
        const ChatResult reply = call.reply();
        QCOMPARE(textOf(reply), std::string("f\ufffdr you\n"));
        QVERIFY(reply->tokensEstimated && reply->tokensIn > 0);
        QVERIFY(fs::exists(file("0001.taken")));
        QCOMPARE(names(), std::set<std::string>({"0001.request.md", "0001.reply.md", "0001.taken"})); // nothing is lost
    }

    void numbersGoOnAndOthersFilesStay() {
        put(file("0007.reply.md"), "of somebody else");
        put(file("notes.md"), "x");
        put(file("12.request.md"), "x"); // no name of ours
        Call call(path(), "hello");
        QVERIFY(appears("0008.request.md"));
        put(file("0008.reply.md"), "eight\n<!-- end of reply -->\n");
        QCOMPARE(textOf(call.reply()), std::string("eight\n"));
        QCOMPARE(readFile(file("0007.reply.md")).value(), std::string("of somebody else"));
    }

    // A writer that pauses for longer than a reply must be unchanged, and one that says where the end is.
    void halfAReplyIsNotTaken() {
        Call call(path(), "hello");
        QVERIFY(appears("0001.request.md"));
        const int writer = ::open(file("0001.reply.md").c_str(), O_WRONLY | O_CREAT, 0644);
        QCOMPARE(::write(writer, "first, ", 7), ssize_t{7});
        Call other(path(), "other"); // a measure of time: it is answered and taken meanwhile
        QVERIFY(appears("0002.request.md"));
        put(file("0002.reply.md"), "whole");
        QCOMPARE(textOf(other.reply()), std::string("whole"));
        QVERIFY(call.isWaiting());
        QCOMPARE(::write(writer, "second", 6), ssize_t{6});
        ::close(writer);
        QCOMPARE(textOf(call.reply()), std::string("first, second"));

        Call marked(path(), "marked", 10min);
        QVERIFY(appears("0003.request.md"));
        put(file("0003.reply.md"), "one <!-- end of reply --> two\n");
        put(file("0003.reply.md"), "three\n<!-- end of reply -->\n", O_APPEND);
        QCOMPARE(textOf(marked.reply()), std::string("one <!-- end of reply --> two\nthree\n"));
    }

    void blankRepliesAreWaitedOut() {
        Call call(path(), "hello");
        QVERIFY(appears("0001.request.md"));
        put(file("0001.reply.md"), " \n");
        Call other(path(), "other");
        QVERIFY(appears("0002.request.md"));
        put(file("0002.reply.md"), "whole");
        QCOMPARE(textOf(other.reply()), std::string("whole"));
        QVERIFY(call.isWaiting());
        put(file("0001.reply.md"), "text");
        QCOMPARE(textOf(call.reply()), std::string("text"));
    }

    void aProgramThatStartsAgainFindsItsRequest() {
        {
            Call first(path(), "hello");
            QVERIFY(appears("0001.request.md"));
            Call second(path(), "another");
            QVERIFY(appears("0002.request.md"));
            QCOMPARE(first.cancelled().error().kind, ErrorKind::cancelled);
            QCOMPARE(second.cancelled().error().kind, ErrorKind::cancelled);
        }
        put(file("0002.reply.md"), "meanwhile");
        Call again(path(), "another");
        QCOMPARE(textOf(again.reply()), std::string("meanwhile"));
        QVERIFY(!fs::exists(file("0003.request.md")));
        Call asked(path(), "another"); // the same words once more are a new request
        QVERIFY(appears("0003.request.md"));
        QVERIFY(!fs::exists(file("0001.taken")));
    }

    void equalRequestsAtOnceHaveTheirOwnFiles() {
        constexpr int calls = 6;
        std::vector<std::unique_ptr<Call>> open;
        for (int i = 0; i < calls; ++i) {
            open.push_back(std::make_unique<Call>(path(), "same"));
            QVERIFY(appears("0001.request.md")); // the others find one that looks like theirs
        }
        QVERIFY(appears("0006.request.md"));
        QVERIFY(!fs::exists(file("0007.request.md")));
        for (int i = 1; i <= calls; ++i) {
            put(file(fmt::format("000{}.reply.md", i)), std::to_string(i));
        }
        std::set<std::string> replies;
        for (const auto& call : open) {
            replies.insert(textOf(call->reply()));
        }
        QCOMPARE(join({replies.begin(), replies.end()}, "|"), std::string("1|2|3|4|5|6"));
    }

    // Another program, killed while it waits, leaves no lock behind. It is one process: whoever else had the lock would
    // keep it a little longer.
    void aRequestOfAKilledProgramIsTakenOver() {
        {
            Call call(path(), "hello");
            QVERIFY(appears("0001.request.md"));
        }
        auto holder = ChildProcess::start({.arguments = {"flock", "--no-fork", file("0001.request.md").string(), "sh",
                                                         "-c", "echo held; exec sleep 1000"}});
        QVERIFY(holder.has_value());
        std::string line;
        QVERIFY(LineReader(holder->outputDescriptor()).next(line, 1min) == LineReader::Status::line);
        Call beside(path(), "hello");
        QVERIFY(appears("0002.request.md"));
        holder->kill();
        Call after(path(), "hello");
        put(file("0001.reply.md"), "late");
        QCOMPARE(textOf(after.reply()), std::string("late"));
        QVERIFY(beside.isWaiting());
    }

    void linksAndTooLongOnesAreRefused() {
        put(file("secret"), "of the person");
        Call link(path(), "one");
        QVERIFY(appears("0001.request.md"));
        fs::create_symlink(file("secret"), file("0001.reply.md"));
        QVERIFY(contains(textOf(link.reply()), "symbolic link"));
        Call longOne(path(), "two");
        QVERIFY(appears("0002.request.md"));
        QVERIFY(writeFileAtomically(file("0002.reply.md"), std::string(replyLimitBytes + 1, 'x')));
        QVERIFY(contains(textOf(longOne.reply()), "too large"));
        // A request that is a link is nobody's: what it leads to is not locked or read.
        fs::rename(file("0002.request.md"), file("moved"));
        fs::create_symlink(file("moved"), file("0002.request.md"));
        Call other(path(), "two");
        QVERIFY(appears("0003.request.md"));
        QVERIFY(!fs::exists(file("0001.taken")) && !fs::exists(file("0002.taken")));
    }

    void badFoldersAreNamed() {
        QVERIFY(contains(makeFolderProvider({"answers"}).error().message(), "not a full path"));
        QVERIFY(contains(makeFolderProvider({file("none").string()}).error().message(), "folder not found"));
    }

    void newFilesAreNeverReplaced() {
        const fs::path name = file("a");
        QVERIFY(writeNewFile(name, "one").value().has_value());
        QVERIFY(!writeNewFile(name, "two").value().has_value());
        QCOMPARE(readFile(name).value(), std::string("one"));
        QCOMPARE(names(), std::set<std::string>({"a"}));
        QVERIFY(!writeNewFile(file("no") / "a", "x"));
    }

private:
    // A busy disk takes seconds for a file.
    bool appears(const std::string& name) const {
        return QTest::qWaitFor([&] { return fs::exists(file(name)); }, 60'000);
    }
    const fs::path& path() const { return m_folder->path(); }
    fs::path file(std::string_view name) const { return path() / name; }
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(path())) {
            found.insert(entry.path().filename().string());
        }
        return found;
    }

    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(LlmFolder)
#include "llm_folder.moc"
