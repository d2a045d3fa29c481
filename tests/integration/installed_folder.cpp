// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/process.h"
#include "core/base/sanitized.h"
#include "core/base/text.h"
#include "tests/support/completed.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <regex>
#include <unistd.h>

using namespace gks;
namespace fs = std::filesystem;

// The folder that `cmake --install` makes, moved elsewhere and used there by a user without rights, without a sandbox
// program and with an empty environment: what a person does who copies it to a machine with a GPU.
class InstalledFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theJudgeNeedsNothingFromOutside();
    void theJudgeExaminesItsMachine();
    void theJudgeSaysWhatItLacksForTheCpuTarget();
    void theJudgeInspectsKernels();
    void theJudgeBringsItsCalibration();
    void withTheCpuTargetASeedIsEvaluated();
    void theWholeProductRunsACampaign();

private:
    fs::path installed(const std::string& name, const std::vector<std::string>& components);
    CompletedProcess run(const fs::path& folder, std::vector<std::string> arguments);

    std::optional<TemporaryDirectory> m_folder;
    fs::path m_judge;
    fs::path m_product;
    fs::path m_home;
    fs::path m_tools; // all programs of the system but bubblewrap
};

namespace {

constexpr int nobody = 65534;

// What every Linux has that runs C++ programs; the same list as in packaging/cmake/Install.cmake.
const std::regex baseLibrary(R"((ld-linux.*|linux-vdso|lib(c|m|pthread|dl|rt|resolv|util|gcc_s|stdc\+\+))\.so.*)");

const std::string seed = "share/kernel-scientist/resources/problems/sum-reduction/seeds/";

Json parsed(const CompletedProcess& done) {
    const auto json = parseJson(done.output, "output");
    if (!json) {
        qFatal("%s %s", json.error().message().c_str(), done.error.c_str());
    }
    return *json;
}

std::vector<fs::path> elfFiles(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && readFile(entry.path())
                                           .value_or("")
                                           .starts_with("\x7f"
                                                        "ELF")) {
            found.push_back(entry.path());
        }
    }
    return found;
}

} // namespace

fs::path InstalledFolder::installed(const std::string& name, const std::vector<std::string>& components) {
    const fs::path first = m_folder->path() / "first" / name;
    for (const std::string& component : components) {
        std::vector<std::string> arguments = {GKS_CMAKE, "--install", GKS_BINARY_DIR, "--prefix", first.string()};
        if (!component.empty()) {
            arguments.insert(arguments.end(), {"--component", component});
        }
        const CompletedProcess done = test::completed({.arguments = arguments});
        if (!done.ok()) {
            qFatal("%s %s", done.output.c_str(), done.error.c_str());
        }
    }
    fs::path moved = m_folder->path() / "moved somewhere else" / name;
    fs::create_directories(moved.parent_path());
    fs::rename(first, moved);
    return moved;
}

// Runs a program of the folder as a user without rights, who has bubblewrap in no folder of PATH.
CompletedProcess InstalledFolder::run(const fs::path& folder, std::vector<std::string> arguments) {
    arguments.front() = (folder / "bin" / arguments.front()).string();
    Command command;
    if (::geteuid() == 0) {
        command.arguments = {"/usr/bin/setpriv", fmt::format("--reuid={}", nobody), fmt::format("--regid={}", nobody),
                             "--clear-groups", "--no-new-privs"};
    }
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.environment = {{"PATH", m_tools.string()}, {"HOME", m_home.string()}, {"LC_ALL", "C.UTF-8"}};
    command.folder = m_home;
    return test::completed(command);
}

void InstalledFolder::initTestCase() {
    m_folder.emplace(*TemporaryDirectory::create("gks-installed"));
    fs::permissions(m_folder->path(), fs::perms(0755));
    m_home = m_folder->path() / "home";
    fs::create_directory(m_home);
    if (::geteuid() == 0) {
        QCOMPARE(::chown(m_home.c_str(), nobody, nobody), 0);
    }
    m_tools = m_folder->path() / "tools";
    fs::create_directory(m_tools);
    for (const auto& entry : fs::directory_iterator("/usr/bin")) {
        if (entry.path().filename() != "bwrap") {
            fs::create_symlink(entry.path(), m_tools / entry.path().filename());
        }
    }
    m_judge = installed("judge", {"judge"});
    m_product = installed("product", {""});
}

void InstalledFolder::theJudgeNeedsNothingFromOutside() {
    const auto files = elfFiles(m_judge);
    QVERIFY(files.size() >= 5);
    for (const fs::path& file : files) {
        if (file.parent_path().filename() == "deps") {
            continue; // looked at as the programs load them, which say where they are
        }
        const CompletedProcess done = test::completed({.arguments = {"/usr/bin/ldd", file.string()}});
        for (const std::string_view line : lines(done.output)) {
            const std::string text(trimmed(line));
            const std::string name = text.substr(0, text.find(' '));
            const std::size_t arrow = text.find("=> ");
            const std::string place = arrow == std::string::npos ? "" : text.substr(arrow + 3);
            const bool inside = place.find(m_judge.string()) == 0;
            const bool base = std::regex_match(fs::path(name).filename().string(), baseLibrary);
            const bool ofSanitizer = isSanitized && name.find("san.so") != std::string::npos;
            QVERIFY2(inside || base || ofSanitizer || text == "statically linked",
                     fmt::format("{}: {}", file.string(), text).c_str());
            QVERIFY2(text.find("Qt") == std::string::npos, text.c_str());
        }
    }
}

void InstalledFolder::theJudgeExaminesItsMachine() {
    const CompletedProcess done = run(m_judge, {"kernel-scientist-cli", "doctor", "--json"});
    const Json doctor = parsed(done);
    QCOMPARE(doctor.at("sandbox").at("level").get<std::string>(), std::string("landlock"));
    for (const Json& attempt : doctor.at("sandbox").at("escapes")) {
        QVERIFY2(attempt.at("stopped").get<bool>(), attempt.dump().c_str());
    }
    const Json problems = parsed(run(m_judge, {"kernel-scientist-cli", "problems", "--json"}));
    QVERIFY(problems.dump().find("fp8-gemm") != std::string::npos);
}

void InstalledFolder::theJudgeSaysWhatItLacksForTheCpuTarget() {
    const CompletedProcess done =
        run(m_judge, {"kernel-scientist-cli", "evaluate", (m_judge / seed / "naive.hip").string(), "--problem",
                      "sum-reduction", "--target", "cpu", "--json"});
    QCOMPARE(done.exit.status, std::optional<int>(3));
    const Json verdict = parsed(done);
    QCOMPARE(verdict.at("verdict").get<std::string>(), std::string("infrastructure-failed"));
    QVERIFY2(verdict.at("reason").get<std::string>().find("libhipcpu.so not found") != std::string::npos,
             verdict.dump().c_str());
}

// A report needs clang, and nothing of the cpu target.
void InstalledFolder::theJudgeInspectsKernels() {
    for (const char* problem : {"sum-reduction", "fp8-gemm"}) {
        const fs::path kernel = m_judge / "share/kernel-scientist/resources/problems" / problem / "seeds" / "naive.hip";
        const Json report =
            parsed(run(m_judge, {"kernel-scientist-cli", "inspect", kernel.string(), "--problem", problem, "--json"}));
        QVERIFY2(!report.at("kernels").empty(), report.dump().c_str());
    }
}

void InstalledFolder::theJudgeBringsItsCalibration() {
    const CompletedProcess done = run(m_judge, {"judge_calibration", "aa", "--help"});
    QVERIFY2(done.ok(), done.error.c_str());
    QVERIFY(done.output.find("--target") != std::string::npos);
}

void InstalledFolder::withTheCpuTargetASeedIsEvaluated() {
    const fs::path folder = installed("judge and cpu", {"judge", "cpu"});
    const CompletedProcess done =
        run(folder, {"kernel-scientist-cli", "evaluate", (folder / seed / "naive.hip").string(), "--problem",
                     "sum-reduction", "--target", "cpu", "--shapes", "quick", "--measure-seconds", "0.1", "--json"});
    QVERIFY2(done.ok(), (done.error + done.output).c_str());
    const Json verdict = parsed(done);
    QCOMPARE(verdict.at("verdict").get<std::string>(), std::string("correct"));
    QCOMPARE(verdict.at("sandbox").get<std::string>(), std::string("landlock"));
}

void InstalledFolder::theWholeProductRunsACampaign() {
    const std::string file = (m_home / "sum.gks").string();
    const CompletedProcess created = run(m_product, {"kernel-scientist-cli", "new", file, "--problem", "sum-reduction",
                                                     "--target", "cpu", "--measure-seconds", "0.05"});
    QVERIFY2(created.ok(), created.error.c_str());
    const CompletedProcess ran = run(m_product, {"kernel-scientist-cli", "run", file, "--evaluations", "2"});
    QVERIFY2(ran.ok(), ran.error.c_str());
    const Json shown = parsed(run(m_product, {"kernel-scientist-cli", "show", file, "--json"}));
    QVERIFY2(!shown.at("best").get<std::string>().empty(), shown.dump().c_str());

    if (!fs::exists(m_product / "bin" / "kernel-scientist")) {
        QSKIP("the workbench is not built here");
    }
    // What the Help menu opens.
    for (const char* page : {"workbench.md", "workbench.png", "scientists.md"}) {
        QVERIFY2(fs::exists(m_product / "share/kernel-scientist/resources/docs" / page), page);
    }
    const std::string picture = (m_home / "window.png").string();
    const CompletedProcess drawn =
        run(m_product, {"kernel-scientist", file, "--screenshot", picture, "--size", "1280x800"});
    QVERIFY2(drawn.ok(), drawn.error.c_str());
    // The first chunk of a PNG file: width and height, most significant byte first.
    const std::string bytes = readFile(picture).value_or("");
    QCOMPARE(bytes.substr(1, 3), std::string("PNG"));
    QCOMPARE(bytes.substr(16, 8), std::string("\0\0\x05\0\0\0\x03\x20", 8));
}

QTEST_APPLESS_MAIN(InstalledFolder)
#include "installed_folder.moc"
