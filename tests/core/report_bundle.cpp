// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/report/bundle.h"
#include "core/report/replay.h"
#include "tests/support/evidence_samples.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace gks;
using namespace gks::test;

// What a bundle holds, what it must not hold, and that nothing in it can be changed unseen.
class ReportBundle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void agreesWithItself();
    void sameCampaignSameBytes();
    void everyFlippedByteIsSeenAndNamed();
    void missingAndAddedFilesAreNamed();
    void onlyPlainFilesAreRead();
    void linksAndOddNamesAreRefused();
    void publishedRootIsCompared();
    void pathsThatLeaveTheBundleAreRefused();
    void oneKernelAlone();
    void folderInUseIsRefused();
    void aFullDiskLeavesNothing();
    void keysAndPathsStayHome();
    void sourceWithAKeyIsRefused();
    void librariesAreInTheReport();
    void hostileTextStaysText();
    void launchPlansAreShownAsText();
    void plansThatCannotBeReadAreNoted();
    void pageNeedsNothingElse();

private:
    std::filesystem::path bundle(const std::string& name, const std::string& hostile = "harmless",
                                 std::optional<KernelId> only = {}) {
        const auto file = m_folder->path() / (name + ".gks");
        makeEvidenceCampaign(file, hostile);
        const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
        const auto written = writeBundle(readEvidence(*store, only).value(), m_folder->path() / name);
        if (!written) {
            qFatal("%s", written.error().message().c_str());
        }
        return written->folder;
    }
    static std::vector<std::string> damageOf(const std::filesystem::path& folder) {
        return readBundle(folder).value().damage;
    }

    std::optional<TemporaryDirectory> m_folder;
};

namespace {

bool names(const std::vector<std::string>& damage, const std::string& path) {
    return std::any_of(damage.begin(), damage.end(),
                       [&](const std::string& line) { return line.find(path) != std::string::npos; });
}

} // namespace

void ReportBundle::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("gks-report").value());
}

void ReportBundle::agreesWithItself() {
    const Bundle read = readBundle(bundle("whole")).value();
    const BundleCheck check = checkBundle(read);
    QCOMPARE(QString::fromStdString(claimLines(check.claims)), QString());
    QCOMPARE(check.verdicts.size(), 5u);
    QVERIFY(check.subject.has_value());
    QCOMPARE(check.verdicts[*check.subject].evaluation.purpose, std::string(confirmationPurpose));
    QCOMPARE(check.root.size(), 64u);
    for (const char* path : {"campaign.json", "steering.json", "exchanges/00001.json", "problem/problem.h",
                             "problem/reference.cpp", "problem/seeds/naive.hip", "verdicts/00001-1/build.log"}) {
        QVERIFY2(read.files.contains(path), path);
    }
}

void ReportBundle::sameCampaignSameBytes() {
    const auto first = bundle("first");
    const auto store = CampaignStore::open(m_folder->path() / "first.gks", CampaignStore::Access::read).value();
    QVERIFY(writeBundle(readEvidence(*store).value(), m_folder->path() / "second"));
    QVERIFY(readAll(first) == readAll(m_folder->path() / "second"));
}

void ReportBundle::everyFlippedByteIsSeenAndNamed() {
    const auto folder = bundle("flipped");
    QVERIFY(damageOf(folder).empty());
    for (const auto& [path, content] : readAll(folder)) {
        for (const std::size_t at : {std::size_t{0}, content.size() / 2, content.size() - 1}) {
            if (content.empty()) { // a build log without a word: a byte more must be seen too
                QVERIFY(writeFileAtomically(folder / path, "x"));
            } else {
                std::string changed = content;
                changed[at] = static_cast<char>(changed[at] ^ 1);
                QVERIFY(writeFileAtomically(folder / path, changed));
            }
            QVERIFY2(names(damageOf(folder), path), path.c_str());
        }
        QVERIFY(writeFileAtomically(folder / path, content));
    }
    QVERIFY(damageOf(folder).empty());
}

void ReportBundle::missingAndAddedFilesAreNamed() {
    const auto folder = bundle("missing");
    for (const auto& [path, content] : readAll(folder)) {
        if (path == manifestName) {
            continue;
        }
        std::filesystem::remove(folder / path);
        QVERIFY2(names(damageOf(folder), path + ": is missing"), path.c_str());
        QVERIFY(writeFileAtomically(folder / path, content));
    }
    QVERIFY(writeFileAtomically(folder / "verdicts" / "extra.json", "{}"));
    QVERIFY(names(damageOf(folder), "verdicts/extra.json: is not listed"));
    std::filesystem::remove(folder / "verdicts" / "extra.json");
    std::filesystem::remove(folder / manifestName);
    QVERIFY(readBundle(folder).error().kind == ErrorKind::usage);
}

void ReportBundle::onlyPlainFilesAreRead() {
    const auto folder = bundle("special");
    const auto outside = m_folder->path() / "outside";
    QVERIFY(makeDirectories(outside));
    QVERIFY(writeFileAtomically(outside / "secret.txt", "not for a bundle"));
    std::filesystem::create_directory_symlink(outside, folder / "linked");
    QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    std::filesystem::path deep = folder;
    for (int i = 0; i < 20; ++i) {
        deep /= "deep";
    }
    QVERIFY(makeDirectories(deep));
    QVERIFY(writeFileAtomically(deep / "file.txt", "x"));
    const Bundle read = readBundle(folder).value(); // comes back although nobody writes to the pipe
    for (const char* name : {"linked: not a bundle", "pipe: not a bundle", "deep/deep: not a bundle"}) {
        QVERIFY2(names(read.damage, name), name);
    }
    for (const auto& [path, content] : read.files) {
        QVERIFY2(content != "not for a bundle", path.c_str());
    }
    // A verdict that is nested deeper than any parser should follow.
    const auto hostile = bundle("nested");
    const std::string verdict = "verdicts/00002-2/verdict.json";
    QVERIFY(writeFileAtomically(hostile / verdict, std::string(1'000'000, '[')));
    forgeManifest(hostile);
    const std::string problems = claimLines(checkBundle(readBundle(hostile).value()).claims);
    QVERIFY2(problems.find(verdict + ": verdict: a verdict | unreadable") != std::string::npos, problems.c_str());
}

void ReportBundle::linksAndOddNamesAreRefused() {
    const auto folder = bundle("links");
    const auto target = folder / "report.md";
    const std::string content = readFile(target).value();
    QVERIFY(writeFileAtomically(m_folder->path() / "elsewhere.md", content));
    std::filesystem::remove(target);
    std::filesystem::create_symlink(m_folder->path() / "elsewhere.md", target);
    QVERIFY(names(damageOf(folder), "report.md: not a bundle file"));
    std::filesystem::remove(target);
    QVERIFY(writeFileAtomically(target, content));
    QVERIFY(writeFileAtomically(folder / ".hidden", "x"));
    QVERIFY(names(damageOf(folder), ".hidden"));
}

void ReportBundle::publishedRootIsCompared() {
    const auto folder = bundle("rooted");
    const std::string root = readBundle(folder).value().manifest.root();
    QVERIFY(readBundle(folder, root).value().damage.empty());
    QVERIFY(names(readBundle(folder, std::string(64, '0')).value().damage, root));
    QVERIFY(readFile(folder / "report.html").value().find(root) != std::string::npos);
    // A forger can make hashes fit, but not the root that was published.
    replaceInFile(folder / "steering.json", "set hint", "set pint");
    forgeManifest(folder);
    QVERIFY(damageOf(folder).empty());
    QVERIFY(!readBundle(folder, root).value().damage.empty());
}

void ReportBundle::pathsThatLeaveTheBundleAreRefused() {
    QVERIFY(isBundlePath("verdicts/00001-1/verdict.json"));
    for (const char* path : {"", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/.b", "a\\b", "a b", "a/b/c/d/e",
                             "a\n", "caf\xc3\xa9"}) {
        QVERIFY2(!isBundlePath(path), path);
    }
    Manifest manifest;
    manifest.files = {{"../../outside", std::string(64, '0'), 1}};
    QVERIFY(!manifestFromText(manifest.text()));
}

void ReportBundle::oneKernelAlone() {
    const auto folder = bundle("one", "harmless", KernelId{2});
    const Bundle read = readBundle(folder).value();
    const BundleCheck check = checkBundle(read);
    QCOMPARE(QString::fromStdString(claimLines(check.claims)), QString());
    QCOMPARE(check.verdicts.size(), 1u);
    QCOMPARE(check.verdicts[0].evaluation.kernel, KernelId{2});
    QVERIFY(check.verdicts[0].baselineSource.has_value());
}

void ReportBundle::folderInUseIsRefused() {
    const auto folder = bundle("used");
    const auto store = CampaignStore::open(m_folder->path() / "used.gks", CampaignStore::Access::read).value();
    const auto again = writeBundle(readEvidence(*store).value(), folder);
    QVERIFY(!again && again.error().kind == ErrorKind::usage);
    QVERIFY(damageOf(folder).empty());
}

// A file that may not grow stands for a disk without room.
void ReportBundle::aFullDiskLeavesNothing() {
    const auto file = m_folder->path() / "full.gks";
    makeEvidenceCampaign(file, "harmless");
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    const Evidence evidence = readEvidence(*store).value();
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    const rlimit small = {4096, usual.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto written = writeBundle(evidence, m_folder->path() / "full");
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &usual), 0);
    std::signal(SIGXFSZ, before);
    QVERIFY(!written && !std::filesystem::exists(m_folder->path() / "full"));
    QVERIFY(std::ranges::none_of(std::filesystem::directory_iterator(m_folder->path()), [](const auto& entry) {
        return entry.path().filename().string().ends_with(".part");
    }));
}

void ReportBundle::keysAndPathsStayHome() {
    // A key of this environment, keys as providers shape them, a password in an address.
    const std::string planted = "a-key-that-nobody-may-see";
    qputenv("GKS_TEST_API_KEY", planted.c_str());
    const std::string shaped = "sk-abcdefghijklmnopqrstuvwx0123456789";
    const auto file = m_folder->path() / "keys.gks";
    makeEvidenceCampaign(file);
    {
        const auto store = CampaignStore::open(file).value();
        Exchange exchange;
        exchange.stage = "writer";
        exchange.experiment = 1;
        exchange.prompt =
            "Authorization: Bearer " + shaped + " and " + planted + " from /home/somebody/secret/plan.txt";
        exchange.reply = "see https://somebody:pass1word@host.example/v1, -I/home/somebody/include/deep";
        QVERIFY(store->addExchange(exchange));
    }
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    const auto written = writeBundle(readEvidence(*store).value(), m_folder->path() / "keys");
    qunsetenv("GKS_TEST_API_KEY");
    QVERIFY(written.has_value());
    for (const auto& [path, content] : readAll(written->folder)) {
        for (const std::string& secret :
             {planted, shaped, std::string("pass1word"), std::string("/home/somebody"), m_folder->path().string()}) {
            QVERIFY2(content.find(secret) == std::string::npos, (path + " holds " + secret).c_str());
        }
    }
    const std::string exchange = readFile(written->folder / "exchanges" / "00002.json").value();
    QVERIFY(exchange.find("plan.txt") != std::string::npos && exchange.find("host.example/v1") != std::string::npos);
    const std::string log = readFile(written->folder / "verdicts" / "00001-1" / "build.log").value();
    QVERIFY2(log.find("[folder]/kernel.hip") != std::string::npos, log.c_str());
}

void ReportBundle::sourceWithAKeyIsRefused() {
    const std::string planted = "another-key-nobody-may-see";
    const auto file = m_folder->path() / "source-key.gks";
    makeEvidenceCampaign(file, planted);
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    qputenv("GKS_TEST_CAMPAIGN_KEY", planted.c_str());
    const auto written = writeBundle(readEvidence(*store).value(), m_folder->path() / "source-key");
    qunsetenv("GKS_TEST_CAMPAIGN_KEY");
    QVERIFY(!written && written.error().kind == ErrorKind::usage);
    QVERIFY(written.error().message().find(planted) == std::string::npos);
    QVERIFY(!std::filesystem::exists(m_folder->path() / "source-key"));
}

// The pages are made from the bundle alone, so figures of libraries are in it, and so is their source.
void ReportBundle::librariesAreInTheReport() {
    const auto folder = bundle("libraries");
    for (const char* page : {"report.html", "report.md"}) {
        const std::string text = readFile(folder / page).value();
        QVERIFY2(text.find("CUB harmless") != std::string::npos, page);
        QVERIFY2(text.find("1.60x") != std::string::npos, page); // 2 of the best / 1.25
        QVERIFY2(text.find("reads twice harmless") != std::string::npos, page);
    }
    QVERIFY(readFile(folder / "report.html").value().find("class=\"anchor\"") != std::string::npos);
    // What is replayed of a bundle is a kernel: no file of it is asked for as a library.
    const Bundle all = readBundle(folder).value();
    for (const EvidenceItem& item : checkBundle(all).verdicts) {
        const TemporaryDirectory place = TemporaryDirectory::create("gks-again").value();
        const auto request = requestAgain(all, item, place.path());
        QVERIFY(request && request->anchor.empty() && request->source == item.source);
    }
    QCOMPARE(QString::fromStdString(claimLines(checkBundle(readBundle(folder).value()).claims)), QString());
}

void ReportBundle::hostileTextStaysText() {
    const auto folder =
        bundle("hostile", "<script>alert(1)</script><img src=x onerror=\"a\">\"'--></svg>|`[x](javascript:y)\x01");
    const std::string html = readFile(folder / "report.html").value();
    for (const char* forbidden : {"<script", "<img", "onerror=\"a", "--></svg>"}) {
        QVERIFY2(html.find(forbidden) == std::string::npos, forbidden);
    }
    QVERIFY(html.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
    QVERIFY(html.find('\x01') == std::string::npos);
    const std::string markdown = readFile(folder / "report.md").value();
    QVERIFY(markdown.find("<script") == std::string::npos && markdown.find("[x](") == std::string::npos);
    QCOMPARE(QString::fromStdString(claimLines(checkBundle(readBundle(folder).value()).claims)), QString());
}

// What a kernel is called is in a plan, which may be anybody's.
// One verdict's plans are of a newer version: the report says so there, and the others are whole.
void ReportBundle::plansThatCannotBeReadAreNoted() {
    const auto file = m_folder->path() / "unreadable.gks";
    makeEvidenceCampaign(file);
    makePlansUnreadable(file, 2);
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    const auto evidence = readEvidence(*store);
    QVERIFY2(evidence, evidence ? "" : evidence.error().message().c_str());
    const auto folder = m_folder->path() / "unreadable";
    QVERIFY(writeBundle(*evidence, folder));
    const BundleCheck check = checkBundle(readBundle(folder).value());
    QCOMPARE(QString::fromStdString(claimLines(check.claims)), QString());
    for (const EvidenceItem& item : check.verdicts) {
        const Verdict& verdict = item.evaluation.verdict;
        const bool isUnreadable = item.evaluation.id == 2;
        QCOMPARE(verdict.plans == nullptr, isUnreadable || !isAccepted(verdict.kind));
        QCOMPARE(verdict.warnings.size(), isUnreadable ? 1u : 0u);
    }
    const std::string warning = check.verdicts[1].evaluation.verdict.warnings.front();
    QVERIFY2(warning.starts_with("its launch plans are missing here, for they cannot be read: "), warning.c_str());
}

void ReportBundle::launchPlansAreShownAsText() {
    const auto folder = bundle("plans");
    const std::string path = manifestFromText(readFile(folder / manifestName).value()).value().subject;
    const auto plans = folder / replaceAll(path, "verdict.json", "plans.json");
    const auto page = [&](const char* name) { return readFile(folder / name).value(); };
    for (const char* report : {"report.html", "report.md"}) {
        const std::string text = page(report);
        QVERIFY2(text.find("What solve() asks of the device") != std::string::npos, text.c_str());
        QVERIFY2(text.find("gemm(Problem)") != std::string::npos && text.find("solve() took") != std::string::npos,
                 text.c_str());
    }
    replaceInFile(plans, "_Z4gemm7Problem", "<script>x</script>|y|");
    forgeEverything(folder);
    QVERIFY(page("report.html").find("<script") == std::string::npos);
    QVERIFY(page("report.html").find("&lt;script&gt;x") != std::string::npos);
    QVERIFY(page("report.md").find("<script") == std::string::npos);
    QVERIFY(page("report.md").find("|y|") == std::string::npos);
    QCOMPARE(QString::fromStdString(claimLines(checkBundle(readBundle(folder).value()).claims)), QString());
}

void ReportBundle::pageNeedsNothingElse() {
    const std::string html = readFile(bundle("page") / "report.html").value();
    for (const char* outside : {"http:", "https:", "src=", "url(", "@import", "<script", "<link", "href="}) {
        QVERIFY2(html.find(outside) == std::string::npos, outside);
    }
    for (const char* part : {"prefers-color-scheme: dark", "class=\"lineage\"", "<polyline", "00003", "Spend",
                             "Rejected kernels and experiments", "faster", "Times are of this CPU"}) {
        QVERIFY2(html.find(part) != std::string::npos, part);
    }
}

QTEST_APPLESS_MAIN(ReportBundle)
#include "report_bundle.moc"
