// SPDX-License-Identifier: GPL-3.0-or-later
// What of a file from elsewhere is asked about, what counts as an answer, and that the engine starts nothing without
// it.
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/engine/engine.h"
#include "core/scientist/stage_provider.h"

#include <QTest>
#include <filesystem>
#include <mutex>

using namespace gks;

namespace {

namespace fs = std::filesystem;

ModelChoice choiceOf(std::string provider, std::string server, std::string variable) {
    ModelChoice choice;
    choice.provider = std::move(provider);
    choice.baseUrl = std::move(server);
    choice.model = "m";
    choice.keyVariable = std::move(variable);
    return choice;
}

std::vector<TrustQuestion> asked(const ModelChoice& choice) {
    return modelQuestions({{"default", choice}});
}

} // namespace

class EngineTrust : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder.emplace(TemporaryDirectory::create("gks-trust").value());
        qputenv("GKS_CONFIG", (m_folder->path() / "config").c_str());
    }

    void officialServersWithTheirOwnKeyAreNoQuestion() {
        QVERIFY(asked(choiceOf("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")).empty());
        QVERIFY(asked(choiceOf("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY")).empty());
        QVERIFY(asked(choiceOf("manual", "", "")).empty());
        QVERIFY(asked(choiceOf("replay", "/recordings/a.json", "")).empty());
        QCOMPARE(asked(choiceOf("openai", "https://api.openai.com/v1", "ANTHROPIC_API_KEY")).size(), std::size_t{1});
        QCOMPARE(asked(choiceOf("anthropic", "https://api.anthropic.com.evil.example/v1", "ANTHROPIC_API_KEY")).size(),
                 std::size_t{1});
        QCOMPARE(asked(choiceOf("openai", "http://127.0.0.1:8080/v1", "")).size(), std::size_t{1});
        const auto one = asked(choiceOf("openai", "http://evil.example/v1", "ANTHROPIC_API_KEY"));
        QCOMPARE(one.front().server, std::string("http://evil.example/v1"));
        QCOMPARE(one.front().variable, std::string("ANTHROPIC_API_KEY"));
    }

    void everyStageIsAskedAboutOnceForEachPair() {
        const ModelChoice first = choiceOf("openai", "http://a.example/v1", "A_KEY");
        const ModelChoice second = choiceOf("gemini", "http://a.example/v1", "B_KEY");
        const auto questions = modelQuestions({{"default", first}, {"writer", first}, {"digest", second}});
        QCOMPARE(questions.size(), std::size_t{2});
        // A further writer too, and what stands under a name that means nothing: it costs a question, no more.
        const ModelChoice third = choiceOf("openai", "http://c.example/v1", "C_KEY");
        QCOMPARE(modelQuestions({{"default", first}, {"writer/deep", second}, {"writer/../x", third}}).size(),
                 std::size_t{3});
    }

    void commandsAndFoldersAreAskedAbout() {
        const auto command = asked(choiceOf("command", "claude -p", "A_KEY"));
        QCOMPARE(command.size(), std::size_t{1});
        QVERIFY(command.front().kind == TrustKind::command);
        QCOMPARE(command.front().text(), std::string("runs the command claude -p with the value of A_KEY"));
        const auto folder = asked(choiceOf("folder", "/tmp/answers", ""));
        QCOMPARE(folder.size(), std::size_t{1});
        QCOMPARE(folder.front().text(), std::string("exchanges prompts and replies in the folder /tmp/answers"));
        // An official address does not make a command one.
        QCOMPARE(asked(choiceOf("command", "/bin/sh", "OPENAI_API_KEY")).size(), std::size_t{1});
        // Each answer is of its own words.
        const TrustAnswers answers(m_folder->path() / "trust.json");
        QVERIFY(answers.trust("c", command) && answers.trust("c", folder));
        const auto open = [&](const ModelChoice& choice) { return answers.open("c", asked(choice)).value().size(); };
        QCOMPARE(open(choiceOf("command", "claude -p", "A_KEY")), std::size_t{0});
        QCOMPARE(open(choiceOf("command", "claude  -p", "A_KEY")), std::size_t{1});
        QCOMPARE(open(choiceOf("command", "claude -p", "B_KEY")), std::size_t{1});
        QCOMPARE(open(choiceOf("openai", "claude -p", "A_KEY")), std::size_t{1});
        QCOMPARE(open(choiceOf("folder", "/tmp/answers", "X")), std::size_t{0});
        QCOMPARE(open(choiceOf("folder", "/tmp/other", "")), std::size_t{1});
        // What is never run or opened needs no answer.
        QVERIFY(asked(choiceOf("command", "a | b", "")).empty());
        QVERIFY(asked(choiceOf("folder", "answers", "")).empty());
    }

    // The one gate of all calls: without an answer the command of a file is not run.
    void commandsRunOnlyWhenTrusted() {
        const fs::path ran = m_folder->path() / "ran";
        const ModelChoice choice = choiceOf("command", "touch " + ran.string(), "");
        CampaignSettings settings;
        settings.problem = "row-softmax";
        settings.models["default"] = choice;
        const fs::path file = m_folder->path() / "c.gks";
        QVERIFY(CampaignStore::create(file, settings).has_value());
        ScientistSinks sinks;
        sinks.mayAsk = Engine::open(file, {}).value()->mayAsk();
        const auto refused = tryModel(choice, sinks, {});
        QVERIFY2(!fs::exists(ran), "the command of the file was run");
        QVERIFY2(refused.error().message().ends_with("add --trust command"), refused.error().message().c_str());
        EngineOptions options;
        options.trusted = {TrustKind::server, TrustKind::folder, TrustKind::pack};
        QCOMPARE(Engine::open(file, options).value()->openQuestions().value().size(), std::size_t{1});
        options.trusted = {TrustKind::command};
        QVERIFY(Engine::open(file, options).value()->openQuestions().value().empty());
        (void)tryModel(choice, sinks, {});
        QVERIFY(fs::exists(ran));
        // Another file is asked about again, also one that calls itself the same campaign.
        fs::copy_file(file, m_folder->path() / "sent.gks");
        QCOMPARE(Engine::open(m_folder->path() / "sent.gks", {}).value()->openQuestions().value().size(),
                 std::size_t{1});
        fs::rename(file, m_folder->path() / "moved.gks");
        QVERIFY(Engine::open(m_folder->path() / "moved.gks", {}).value()->openQuestions().value().empty());
    }

    void packIsAskedAboutByEveryFileOfIt() {
        QVERIFY(!packQuestion(loadProblemPack("row-softmax").value()).value());
        const fs::path folder = copiedPack();
        const auto ask = [&] { return packQuestion(loadProblemPack(folder.string()).value()).value().value(); };
        const TrustQuestion first = ask();
        QVERIFY(first.kind == TrustKind::pack);
        QCOMPARE(first.folder, folder.string());
        QCOMPARE(ask().content, first.content);
        QVERIFY(makeDirectories(folder / "more").has_value());
        QVERIFY(writeFileAtomically(folder / "more" / "data.txt", "x").has_value());
        const TrustQuestion second = ask();
        QVERIFY(second.content != first.content);
        QVERIFY(writeFileAtomically(m_folder->path() / "elsewhere", "1").has_value());
        fs::create_symlink(m_folder->path() / "elsewhere", folder / "link");
        const TrustQuestion third = ask();
        QVERIFY(third.content != second.content);
        QVERIFY(writeFileAtomically(m_folder->path() / "elsewhere", "2").has_value()); // what a link leads to
        QVERIFY(ask().content != third.content);
    }

    // A name may hold what looks like the hashes of other files.
    void namesAreNoContents() {
        const fs::path folder = copiedPack();
        const auto content = [&] {
            return packQuestion(loadProblemPack(folder.string()).value()).value().value().content;
        };
        QVERIFY(writeFileAtomically(folder / "x1", "1") && writeFileAtomically(folder / "x2", "2"));
        const std::string two = content();
        fs::remove(folder / "x1");
        fs::remove(folder / "x2");
        QVERIFY(writeFileAtomically(folder / ("x1\n" + sha256Hex("2") + " x2"), "1"));
        QVERIFY(content() != two);
    }

    // "link/.." is the parent of what the link leads to, not of the link: as text this path is the built-in pack.
    void aLinkDoesNotMakeAPackBuiltIn() {
        const fs::path builtin = fs::canonical(resourceFolder() / "problems" / "row-softmax");
        const fs::path root = fs::canonical(m_folder->path());
        const fs::path foreign = root / builtin.relative_path();
        fs::create_directories(foreign.parent_path());
        fs::rename(copiedPack(), foreign);
        fs::path bottom = root; // from here as many levels lead up to `root` as from the link to "/"
        std::string path = (root / "link").string();
        for (auto level = std::next(root.begin()); level != root.end(); ++level) {
            bottom /= "d";
        }
        bottom /= "d";
        fs::create_directories(bottom);
        fs::create_directory_symlink(bottom, root / "link");
        for (auto level = root.begin(); level != root.end(); ++level) {
            path += "/..";
        }
        path += builtin.string();
        QCOMPARE(fs::path(path).lexically_normal().string(), builtin.string());
        const ProblemPack pack = loadProblemPack(path).value();
        QVERIFY(fs::equivalent(pack.folder, foreign));
        QVERIFY(!isBuiltin(pack));
        QVERIFY(packQuestion(pack).value().has_value());
    }

    void answersAreOfOneFileAndContent() {
        const fs::path file = m_folder->path() / "config" / "trust.json";
        const TrustAnswers answers(file);
        const auto question = asked(choiceOf("openai", "http://a.example/v1", "A_KEY"));
        QCOMPARE(answers.open("campaign 1", question).value().size(), std::size_t{1});
        QVERIFY(answers.trust("campaign 1", question).has_value());
        QVERIFY(TrustAnswers(file).open("campaign 1", question).value().empty());
        QCOMPARE(answers.open("campaign 2", question).value().size(), std::size_t{1});
        QCOMPARE(answers.open("campaign 1", asked(choiceOf("openai", "http://b.example/v1", "A_KEY"))).value().size(),
                 std::size_t{1});
        QCOMPARE(answers.open("campaign 1", asked(choiceOf("openai", "http://a.example/v1", "B_KEY"))).value().size(),
                 std::size_t{1});
        QVERIFY(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
        QVERIFY(writeFileAtomically(file, "{\"trusted\": [").has_value());
        QVERIFY(!answers.open("campaign 1", question));
        QVERIFY(!answers.trust("campaign 1", question));
    }

    void theSentenceNamesWhatAndTheFlag() {
        auto questions = asked(choiceOf("openai", "http://a.example/v1", "A_KEY"));
        const std::string one = notTrusted(questions, "c.gks").message();
        QVERIFY2(one == "c.gks: the file sends the value of A_KEY to http://a.example/v1. If you trust it, add --trust "
                        "server",
                 one.c_str());
        questions.push_back({TrustKind::pack, "", "", "/packs/mine", "0123456789abcdef"});
        const std::string both = notTrusted(questions, "c.gks").message();
        QVERIFY2(both.find("/packs/mine") != std::string::npos && both.ends_with("--trust server,pack"), both.c_str());
        QVERIFY(notTrusted(questions, "c.gks").kind == ErrorKind::usage);
        for (const TrustKind kind : {TrustKind::server, TrustKind::command, TrustKind::folder, TrustKind::pack}) {
            QCOMPARE(trustKindsFromText(name(kind)).value(), std::vector<TrustKind>{kind});
        }
        QVERIFY(!trustKindsFromText("command,all"));
    }

    void engineStartsNothingUnasked() {
        CampaignSettings settings;
        settings.problem = copiedPack().string();
        settings.models["default"] = choiceOf("openai", "http://a.example/v1", "A_KEY");
        const fs::path file = m_folder->path() / "c.gks";
        QVERIFY(CampaignStore::create(file, settings).has_value());
        std::mutex mutex;
        std::vector<TrustAsked> heard;
        EngineOptions options;
        options.sink = [&](const EngineEvent& event) {
            if (const auto* one = std::get_if<TrustAsked>(&event)) {
                const std::scoped_lock lock(mutex);
                heard.push_back(*one);
            }
        };
        options.trusted = {TrustKind::server};
        const auto engine = Engine::open(file, options).value();
        QCOMPARE(engine->openQuestions().value().size(), std::size_t{1});
        QVERIFY(engine->mayAsk()(settings.models["default"]).has_value());
        QVERIFY(!engine->mayAsk()(choiceOf("openai", "http://b.example/v1", "A_KEY")));
        engine->send(command::Start{});
        QVERIFY(engine->waitUntilQuiet(60));
        QVERIFY(engine->state() == EngineState::idle);
        QVERIFY(engine->steering().value().empty()); // not even begun
        const std::scoped_lock lock(mutex);
        QCOMPARE(heard.size(), std::size_t{2});
        QVERIFY(!heard.front().startRefused && heard.back().startRefused);
        QVERIFY(heard.back().questions.front().kind == TrustKind::pack);
    }

    // A pack that is not what was trusted any more is asked about again.
    void aChangedPackIsAskedAboutAgain() {
        CampaignSettings settings;
        const fs::path pack = copiedPack();
        settings.problem = pack.string();
        const fs::path file = m_folder->path() / "c.gks";
        QVERIFY(trustOwn(*CampaignStore::create(file, settings).value()).has_value());
        const auto engine = Engine::open(file, {}).value();
        QVERIFY(engine->openQuestions().value().empty());
        QVERIFY(writeFileAtomically(pack / "notes.md", "others").has_value());
        QCOMPARE(engine->openQuestions().value().size(), std::size_t{1});
        engine->send(command::Start{});
        QVERIFY(engine->waitUntilQuiet(60));
        QVERIFY(engine->state() == EngineState::idle);
    }

    // What the person names while steering is an answer; what stood in the file before is not.
    void steeringIsAnAnswer() {
        CampaignSettings settings;
        settings.problem = "row-softmax";
        settings.models["default"] = choiceOf("openai", "http://file.example/v1", "A_KEY");
        const fs::path file = m_folder->path() / "c.gks";
        QVERIFY(CampaignStore::create(file, settings).has_value());
        const auto engine = Engine::open(file, {}).value();
        auto models = settings.models;
        models["writer"] = choiceOf("openai", "http://own.example/v1", "A_KEY");
        engine->send(command::SetScientist{ScientistKind::model, models});
        QVERIFY(engine->waitUntilQuiet(60));
        const auto open = engine->openQuestions().value();
        QCOMPARE(open.size(), std::size_t{1});
        QCOMPARE(open.front().server, std::string("http://file.example/v1"));
    }

private:
    fs::path copiedPack() {
        const fs::path folder = m_folder->path() / "pack";
        fs::copy(fs::path(GKS_SOURCE_DIR) / "resources/problems/row-softmax", folder, fs::copy_options::recursive);
        return folder;
    }

    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(EngineTrust)
#include "engine_trust.moc"
