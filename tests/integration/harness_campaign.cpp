// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "tests/support/cli_run.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>

using namespace gks;
using namespace gks::test;
namespace fs = std::filesystem;

// A whole campaign on a command pack: a harness of somebody's own, clang, the wall, the tuner and a model.
class HarnessCampaign : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theTunerImprovesIt();
    void aModelWritesForIt();
    void wrongIsSaidInItsWords();
    void whatItHasNotIsRefused();
    void itsSourceIsExported();
    void anExchangedPackIsAskedAbout();
    void anotherKindOfPackGetsNoReport();
    void aPackThatIsGoneIsSaidOnce();
    void kernelsAreFilesOfItsKind();

private:
    void write(const char* name, const std::string& text) const {
        if (!makeDirectories((m_pack / name).parent_path()) || !writeFileAtomically(m_pack / name, text)) {
            qFatal("%s is not written", name);
        }
    }
    void make(std::vector<std::string> more = {}) const {
        std::vector<std::string> words = {"new", m_file, "--problem", m_pack.string(), "--measure-seconds", "0.05"};
        words.insert(words.end(), more.begin(), more.end());
        const auto made = runCli(std::move(words));
        QVERIFY2(made.ok() && contains(made.output, "judged by the user's harness"), said(made).c_str());
    }
    static bool contains(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
    static std::string said(const CompletedProcess& run) { return run.output + run.error; }

    std::optional<TemporaryDirectory> m_folder;
    fs::path m_pack;
    std::string m_file;
};

namespace {

// Its time is what it says itself, another one at each call, as of a real clock: the same on every machine.
std::string kernelOf(const char* title, const char* cost, const char* expression = "2 * x[i]") {
    return fmt::format("// {}\n#define COST {}\nextern \"C\" int cost() {{ return COST; }}\n"
                       "extern \"C\" void twice(const float* x, float* y, int n) {{\n"
                       "    for (int i = 0; i < n; ++i) {{\n        y[i] = {};\n    }}\n}}\n",
                       title, cost, expression);
}

constexpr const char* mainProgram = R"(#include <cstdio>
#include <cstring>
extern "C" int cost();
extern "C" void twice(const float* x, float* y, int n);
int main(int, char** words) {
    if (std::strcmp(words[1], "check") == 0) {
        float x[4] = {1, 2, 3, 4}, y[4] = {};
        twice(x, y, 4);
        for (int i = 0; i < 4; ++i) {
            if (y[i] != 2 * x[i]) {
                std::printf("y[%d] is %g, not %g\n", i, y[i], 2 * x[i]);
                return 1;
            }
        }
        return 0;
    }
    unsigned calls = 0;
    if (std::FILE* file = std::fopen("calls", "r")) {
        calls = std::fscanf(file, "%u", &calls) == 1 ? calls : 0;
        std::fclose(file);
    }
    std::FILE* file = std::fopen("calls", "w");
    std::fprintf(file, "%u", calls + 1);
    std::fclose(file);
    const unsigned noise = calls * calls * 37 % 101;
    std::printf("# microseconds\n%d\n%d.1%03u\n%d.3\n", cost(), cost(), noise, cost());
}
)";

const Json& row(const Json& campaign, const char* id) {
    const auto& kernels = campaign["kernels"];
    const auto found =
        std::ranges::find_if(kernels, [&](const Json& one) { return one["id"].get<std::string>() == id; });
    if (found == kernels.end()) {
        qFatal("no kernel %s: %s", id, campaign.dump(1).c_str());
    }
    return *found;
}

} // namespace

void HarnessCampaign::init() {
    m_folder.emplace(TemporaryDirectory::create("gks-harness-campaign").value());
    m_pack = m_folder->path() / "pack";
    m_file = (m_folder->path() / "c.gks").string();
    qputenv("GKS_CONFIG", (m_folder->path() / "config").c_str());
    qputenv("GKS_STATE", (m_folder->path() / "state").c_str());
    write("harness.toml", R"(name = "twice"
title = "y = 2x, by a harness of our own"
source = "kernel.cpp"
build = ["clang++-19", "-O1", "-o", "run", "{pack}/main.cpp", "{kernel}"]
verify = ["./run", "check"]
measure = ["./run", "time"]
)");
    write("main.cpp", mainProgram);
    write("notes.md", "Doubles every number of an array.\n");
    write("seeds/naive.cpp", kernelOf("One at a time", "40 // @tune COST 40 20 10"));
}

void HarnessCampaign::theTunerImprovesIt() {
    make();
    const auto run = runCli({"run", m_file, "--evaluations", "4"});
    QVERIFY2(run.ok(), said(run).c_str());
    const Json campaign = cliJson({"show", m_file});
    const std::string best = campaign["best"].get<std::string>();
    const double us = row(campaign, best.c_str())["geomean_us"].get<double>();
    QVERIFY2(best != "00001" && us > 10.09 && us < 10.21, campaign.dump(1).c_str());
    QVERIFY2(campaign["judged_by"] == "the user's harness", campaign.dump(1).c_str());
    const std::string headline = campaign["headline"]["text"];
    QVERIFY2(contains(headline, "confirmed, faster than baseline") &&
                 headline.ends_with("judged by the user's harness"),
             headline.c_str());
    const Json verdict = cliJson({"show", m_file, "--kernel", best})["newest_verdict"];
    QVERIFY2(verdict["judged_by"] == "the user's harness" && verdict["verdict"] == "faster", verdict.dump(1).c_str());
    QVERIFY(verdict["environment"]["pack_sha256"].get<std::string>().size() == 64);
    QVERIFY(verdict["reason"].get<std::string>().ends_with("judged by the user's harness"));
    QVERIFY(verdict["measurements"][0]["samples"].get<int>() >= 10); // five rounds of A B B A
    QVERIFY(!verdict.contains("static") && verdict["measurements"][0]["floor_us"] == 0);
    QVERIFY(contains(runCli({"show", m_file}).output, "judged by the user's harness"));
    for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
             {"--check"}, {"--best"}, {"--kernel", best}, {"--compare", "1," + best}, {"--shapes"}}) {
        std::vector<std::string> words = {"show", m_file};
        words.insert(words.end(), more.begin(), more.end());
        const auto shown = runCli(words);
        QVERIFY2(shown.ok() && (more[0] != "--compare" || contains(shown.output, "udged by the user's harness")),
                 (more[0] + "\n" + said(shown)).c_str());
    }

    const std::string folder = (m_folder->path() / "report").string();
    const auto report = runCli({"report", m_file, "--out", folder});
    QVERIFY2(report.ok() && contains(report.output, "No evidence bundle: judged by the user's harness"),
             said(report).c_str());
    for (const char* page : {"report.html", "report.md"}) {
        const std::string text = readFile(fs::path(folder) / page).value();
        const std::size_t claim = text.find("Confirmed against baseline");
        QVERIFY2(claim != std::string::npos && contains(text.substr(claim, 120), "judged by the user"), text.c_str());
        QVERIFY(contains(text, "nothing of it is proved") && !contains(text, "Root hash"));
    }
    QVERIFY(!runCli({"replay", folder}).ok());
    const auto fork = (m_folder->path() / "f.gks").string();
    QVERIFY(runCli({"fork", m_file, best, fork}).ok());
    QVERIFY(cliJson({"show", fork})["judged_by"] == "the user's harness");
}

// A model as a command: what it is told is kept.
void HarnessCampaign::aModelWritesForIt() {
    const std::string folder = m_folder->path().string();
    const auto put = [&](const char* name, const std::string& text) {
        QVERIFY(writeFileAtomically(m_folder->path() / name, text));
    };
    put("selector", R"({"rationale": "the only one", "basis_code": "00001", "basis_reference": ""})");
    Json design = {{"lessons", Json::array()},
                   {"diagnosis", Json::array()},
                   {"avenues", {"a table", "wider loads", "fewer branches", "other order", "another type"}},
                   {"experiments", Json::array()}};
    for (int i = 1; i <= 5; ++i) {
        design["experiments"].push_back({{"avenue", std::to_string(i)},
                                         {"limit", "loads"},
                                         {"shapes", "all"},
                                         {"kind", i == 1 ? "rewrite" : "change"},
                                         {"description", fmt::format("Idea number {} of five", i)},
                                         {"rubric", "do it"},
                                         {"disproof", "no gain"},
                                         {"gain", {1.0, 1.5}},
                                         {"innovation", 10 * i},
                                         {"uses", Json::array()}});
    }
    put("designer", design.dump());
    put("writer", "Analysis.\n```hip\n" + kernelOf("Adds it to itself", "8", "x[i] + x[i]") +
                      "```\n```json\n{\"report\": [{\"item\": \"do it\", \"used\": true, \"note\": \"done\"}], "
                      "\"title\": \"adds\"}\n```\n");
    put("checker", R"({"items": [{"number": 1, "verdict": "done", "evidence": "it is there"}]})");
    put("answer.sh", R"(cd ")" + folder + R"("
cat > asked
for stage in selector designer writer checker; do
  case $stage in
    selector) mark="Evolutionary Selector" ;;
    designer) mark="Experiment Designer" ;;
    writer) mark="the Kernel Writer of a team that makes GPU kernels faster. You write" ;;
    checker) mark="You check what the Kernel Writer" ;;
  esac
  if grep -q "$mark" asked; then cp asked "asked-$stage"; cat "$stage"; exit 0; fi
done
exit 1
)");
    make({"--command", fmt::format("sh {}/answer.sh", folder)});
    const auto run = runCli({"run", m_file, "--evaluations", "2"});
    QVERIFY2(run.ok(), said(run).c_str());
    const Json campaign = cliJson({"show", m_file});
    const Json& written = row(campaign, "00002");
    QVERIFY2(written["verdict"] == "faster" && written["author"] == "model", campaign.dump(1).c_str());
    const double us = written["geomean_us"].get<double>();
    QVERIFY2(us > 8.09 && us < 8.21, campaign.dump(1).c_str());
    const std::string designer = readFile(m_folder->path() / "asked-designer").value();
    const std::string writer = readFile(m_folder->path() / "asked-writer").value();
    for (const std::string& prompt : {designer, writer}) {
        QVERIFY2(contains(prompt, "./run check") && contains(prompt, "./run time") &&
                     contains(prompt, "judged by the user's harness") && contains(prompt, "Doubles every number") &&
                     contains(prompt, "return COST"),
                 prompt.c_str());
        for (const char* ofOurJudge : {"struct Problem", "hipError_t", "solve()` picks", "HIP source",
                                       "\"probe\": no kernel", "workspace", "Peak rates: "}) {
            QVERIFY2(!contains(prompt, ofOurJudge), (ofOurJudge + ("\n" + prompt)).c_str());
        }
    }
    QVERIFY(contains(writer, "one complete source file, `kernel.cpp`"));
}

void HarnessCampaign::wrongIsSaidInItsWords() {
    write("seeds/other.cpp", kernelOf("Thrice", "5", "3 * x[i]"));
    make();
    QVERIFY(runCli({"run", m_file, "--evaluations", "2"}).ok());
    const Json campaign = cliJson({"show", m_file});
    const Json& wrong = row(campaign, "00002");
    QVERIFY2(wrong["verdict"] == "wrong", campaign.dump(1).c_str());
    const std::string reason = cliJson({"show", m_file, "--kernel", "2"})["newest_verdict"]["reason"];
    QCOMPARE(reason, std::string("wrong: y[0] is 3, not 2; judged by the user's harness"));
}

void HarnessCampaign::whatItHasNotIsRefused() {
    make();
    const auto refuses = [&](std::vector<std::string> words, const char* part) {
        const auto refused = runCli(std::move(words));
        QVERIFY2(!refused.ok() && contains(refused.error, part), said(refused).c_str());
    };
    refuses({"run", m_file, "--lanes", "ssh:nowhere"}, "judged on this machine alone");
    refuses({"run", m_file, "--lanes", "folder:" + m_folder->path().string()}, "judged on this machine alone");
    refuses({"tune", (m_pack / "seeds/naive.cpp").string(), "--problem", m_pack.string()}, "is a command pack");
    refuses({"inspect", (m_pack / "seeds/naive.cpp").string(), "--problem", m_pack.string()}, "is a command pack");
    const std::string other = (m_folder->path() / "o.gks").string();
    refuses({"new", other, "--problem", m_pack.string(), "--probes", "--command", "cat"}, "has no probes");
    write("harness.toml",
          "name = \"t\"\ntitle = \"t\"\nsource = \"k.py\"\nverify = [\"true\"]\nmeasure = [\"true\"]\n");
    refuses({"new", other, "--problem", m_pack.string()}, "HIP, CUDA, OpenCL, C or C++");
    QVERIFY(!fs::exists(other));

    init();
    make();
    QVERIFY(runCli({"run", m_file, "--evaluations", "3"}).ok());
    const std::string best = cliJson({"show", m_file})["best"].get<std::string>();
    for (const char* form : {"library", "torch", "hf-kernel", "flashinfer"}) {
        refuses({"export", m_file, best, "--as", form, "--to", (m_folder->path() / "e").string()},
                "a command pack has neither");
    }
    refuses({"export", m_file, best, "--as", "header", "--check", "--to", (m_folder->path() / "e").string()},
            "built by its harness");
    QVERIFY(!fs::exists(m_folder->path() / "e"));
    refuses({"show", m_file, "--kernel", best, "--roofline"}, "is a command pack");
}

// With the words of its harness, labelled as those, and whatever they say of the pack.
void HarnessCampaign::itsSourceIsExported() {
    make();
    QVERIFY(runCli({"run", m_file, "--evaluations", "4"}).ok());
    const Json campaign = cliJson({"show", m_file});
    const std::string best = campaign["best"].get<std::string>();
    const fs::path folder = m_folder->path() / "header";
    const auto header = runCli({"export", m_file, "--as", "header", "--to", folder.string()});
    QVERIFY2(header.ok() && contains(header.output, "judged by the user's harness"), said(header).c_str());
    const std::string name = "twice_k" + best;
    const Json kernel = cliJson({"show", m_file, "--kernel", best});
    QCOMPARE(readFile(folder / (name + ".cpp")).value(), kernel["source"].get<std::string>());
    const std::string evidence = readFile(folder / "EVIDENCE.md").value();
    const std::string pack = kernel["newest_verdict"]["environment"]["pack_sha256"];
    for (const std::string& part : {std::string("Judged by the user's harness"), pack, std::string("./run time"),
                                    std::string("there is no evidence bundle")}) {
        QVERIFY2(contains(evidence, part), evidence.c_str());
    }
    QVERIFY(contains(readFile(folder / "README.md").value(), "Judged by the user's harness") &&
            fs::exists(folder / "LICENSE.md"));
    const fs::path tree = m_folder->path() / "tree";
    QVERIFY(makeDirectories(tree));
    Command git;
    git.arguments = {"git", "init", "-q"};
    git.folder = tree;
    QVERIFY(runProcess(git).value().ok());
    const fs::path patches = m_folder->path() / "patch";
    const auto patch =
        runCli({"export", m_file, "--as", "patch", "--into", tree.string(), "--path", "src", "--to", patches.string()});
    QVERIFY2(patch.ok(), said(patch).c_str());
    git.arguments = {"git", "apply", (patches / (name + ".patch")).string()};
    QVERIFY(runProcess(git).value().ok());
    QCOMPARE(readFile(tree / "src" / (name + ".cpp")).value(), kernel["source"].get<std::string>());
    QVERIFY(contains(readFile(tree / "src" / (name + ".md")).value(), "Judged by the user's harness"));
    const auto baseline = runCli({"export", m_file, "1", "--as", "header", "--to", (m_folder->path() / "b").string()});
    QVERIFY2(!baseline.ok() && contains(baseline.error, "is the baseline"), said(baseline).c_str());
}

// What runs is what the person has said yes to.
void HarnessCampaign::anExchangedPackIsAskedAbout() {
    make();
    write("main.cpp", std::string(mainProgram) + "// changed\n");
    const auto refused = runCli({"run", m_file, "--evaluations", "1"});
    QVERIFY2(!refused.ok() && contains(refused.error, "--trust pack"), said(refused).c_str());
    QVERIFY(runCli({"run", m_file, "--evaluations", "1", "--trust", "pack"}).ok());
    // A pack of our own judge in its place: its verdicts are none of this campaign's.
    const fs::path ours = fs::path(GKS_SOURCE_DIR) / "resources/problems/row-softmax";
    fs::remove_all(m_pack);
    fs::copy(ours, m_pack, fs::copy_options::recursive);
    const auto mixed = runCli({"run", m_file, "--evaluations", "2", "--trust", "pack"});
    QVERIFY2(!mixed.ok(), said(mixed).c_str());
    QVERIFY2(contains(said(mixed), "here the user's harness judges"), said(mixed).c_str());
}

// Whose the verdicts are is the campaign's own knowledge, not that of the folder as it stands now.
void HarnessCampaign::anotherKindOfPackGetsNoReport() {
    make();
    QVERIFY(runCli({"run", m_file, "--evaluations", "2"}).ok());
    const fs::path ours = fs::path(GKS_SOURCE_DIR) / "resources/problems/row-softmax";
    // a problem.toml beside the harness.toml goes before it
    fs::copy(ours, m_pack, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    const std::string folder = (m_folder->path() / "report").string();
    const auto report = runCli({"report", m_file, "--out", folder});
    QVERIFY2(!report.ok() && contains(report.error, "by our own judge, and here the user's harness judges"),
             said(report).c_str());
    QVERIFY(!fs::exists(folder));
    fs::remove_all(m_pack);
    const auto gone = runCli({"report", m_file, "--out", folder});
    QVERIFY2(!gone.ok() && contains(gone.error, "pack is gone or has no harness.toml. Put it back") &&
                 !contains(gone.error, "problem.toml"),
             said(gone).c_str());
    for (const char* option : {"--compare", "--search"}) { // which need no pack
        const std::string value = std::string(option) == "--compare" ? "1,2" : "time";
        const auto shown = runCli({"show", m_file, option, value});
        QVERIFY2(shown.ok() && contains(shown.output, "udged by the user's harness"), said(shown).c_str());
        const Json json = cliJson({"show", m_file, option, value});
        QVERIFY2(json["judged_by"] == "the user's harness", json.dump(1).c_str());
    }
    QVERIFY(cliJson({"show", m_file, "--shapes"})["judged_by"] == "the user's harness");
}

void HarnessCampaign::aPackThatIsGoneIsSaidOnce() {
    make();
    QVERIFY(runCli({"run", m_file, "--evaluations", "1"}).ok());
    fs::remove(m_pack / "harness.toml");
    const auto run = runCli({"run", m_file, "--evaluations", "3"});
    const std::string text = said(run);
    const std::size_t first = text.find("is gone or has no harness.toml");
    QVERIFY2(!run.ok() && first != std::string::npos, text.c_str());
    QVERIFY2(contains(text, "Put it back, then run again") && !contains(text, "problem.toml") &&
                 !contains(text, "is disabled"),
             text.c_str());
    QVERIFY2(text.find("is gone or has no harness.toml", first + 1) == std::string::npos, text.c_str()); // once
    // the campaign knows what judged it all the same
    const auto shown = runCli({"show", m_file});
    QVERIFY2(contains(shown.output, "Harness twice: build clang++-19 -O1 -o run {pack}/main.cpp {kernel}; verify ./run "
                                    "check; measure ./run time"),
             said(shown).c_str());
    QVERIFY(contains(cliJson({"show", m_file})["harness"].get<std::string>(), "verify ./run check"));
    QVERIFY2(cliJson({"show", m_file})["lanes_out"].empty(), text.c_str());
}

void HarnessCampaign::kernelsAreFilesOfItsKind() {
    const fs::path own = m_folder->path() / "own";
    QVERIFY(makeDirectories(own));
    const std::string cpp = (own / "mine.cpp").string();
    const std::string hip = (own / "mine.hip").string();
    QVERIFY(writeFileAtomically(cpp, kernelOf("Mine", "7")) && writeFileAtomically(hip, kernelOf("Other", "6")));
    const auto refused = runCli({"new", m_file, "--problem", m_pack.string(), "--kernels", hip});
    QVERIFY2(!refused.ok() && contains(refused.error, "takes files like kernel.cpp"), said(refused).c_str());
    QVERIFY(!fs::exists(m_file));
    make();
    QVERIFY(runCli({"run", m_file, "--evaluations", "1"}).ok());
    const auto imported = runCli({"import", m_file, cpp});
    QVERIFY2(imported.ok(), said(imported).c_str());
    const auto other = runCli({"import", m_file, hip});
    QVERIFY2(!other.ok() && contains(other.error, "takes files like kernel.cpp"), said(other).c_str());
    QVERIFY(runCli({"run", m_file, "--evaluations", "2"}).ok());
    const Json campaign = cliJson({"show", m_file});
    QVERIFY2(std::ranges::any_of(campaign["kernels"],
                                 [](const Json& one) { return one["title"] == "Mine" && one["verdict"] == "faster"; }),
             campaign.dump(1).c_str());
}

QTEST_APPLESS_MAIN(HarnessCampaign)
#include "harness_campaign.moc"
