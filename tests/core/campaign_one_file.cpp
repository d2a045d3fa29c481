// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/file_lock.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <csignal>
#include <random>
#include <sys/resource.h>

using namespace gks;
using namespace gks::test;

// A campaign is one file: nothing lies beside it when nobody has it open, a copy is whole or not there, and another
// name is no other campaign.
class CampaignOneFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLeftBeside_data();
    void nothingIsLeftBeside();
    void killedWriterIsPutAwayByTheNextReader();
    void copyIsOfItsMoment();
    void copyOverwritesNothing();
    void copyReplacesOnlyFreeCampaigns();
    void copyOnAFullDiskLeavesNothing();
    void cancelledCopyLeavesNothing();
    void hardLinkIsNoOtherCampaign();
    void relativeNamesAreNames();
};

namespace {

namespace fs = std::filesystem;

std::vector<std::string> filesIn(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::size_t kernelsIn(const fs::path& file) {
    return CampaignStore::open(file, CampaignStore::Access::read).value()->population().value()->kernels.size();
}

void addKernel(Campaign& campaign, const std::string& source) {
    QVERIFY(campaign.store->addKernel(sampleKernel(1, source)));
}

// More than a step of a copy takes: 400 texts that have nothing in common, so that none is small beside another.
void addKernelsForSeveralSteps(Campaign& campaign) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 400; ++i) {
        std::string source(16000, ' ');
        for (char& c : source) {
            c = static_cast<char>('!' + random() % 90);
        }
        addKernel(campaign, source);
    }
}

std::string refusal(const Result<void>& copied) {
    return copied ? std::string("not refused") : copied.error().message();
}

#define VERIFY_SAYS(text, part) QVERIFY2((text).find(part) != std::string::npos, (text).c_str())

} // namespace

void CampaignOneFile::nothingIsLeftBeside_data() {
    QTest::addColumn<bool>("writerFirst");
    QTest::newRow("writer-closes-last") << false;
    QTest::newRow("reader-closes-last") << true;
}

void CampaignOneFile::nothingIsLeftBeside() {
    QFETCH(bool, writerFirst);
    Campaign campaign;
    const std::vector<std::string> alone = {campaign.file.filename().string()};
    auto reader = CampaignStore::open(campaign.file, CampaignStore::Access::read).value();
    QCOMPARE(reader->population().value()->kernels.size(), 2u);
    addKernel(campaign, "int a;");
    if (writerFirst) {
        campaign.store.reset();
        // Complete already while somebody reads.
        const auto place = TemporaryDirectory::create("copy").value();
        fs::copy_file(campaign.file, place.path() / "copy.gks");
        QCOMPARE(kernelsIn(place.path() / "copy.gks"), 3u);
    }
    reader.reset();
    campaign.store.reset();
    QCOMPARE(filesIn(campaign.folder.path()), alone);
    QCOMPARE(kernelsIn(campaign.file), 3u); // a reader that comes alone
    QCOMPARE(filesIn(campaign.folder.path()), alone);
}

void CampaignOneFile::killedWriterIsPutAwayByTheNextReader() {
    Campaign campaign;
    const auto place = TemporaryDirectory::create("killed").value();
    addKernel(campaign, "int a;");
    for (const char* suffix : {"", "-wal"}) { // what a kill leaves
        fs::copy_file(campaign.file.string() + suffix, place.path() / (std::string("k.gks") + suffix));
    }
    QCOMPARE(kernelsIn(place.path() / "k.gks"), 3u);
    QCOMPARE(filesIn(place.path()), std::vector<std::string>{"k.gks"});
}

void CampaignOneFile::copyIsOfItsMoment() {
    Campaign campaign;
    addKernelsForSeveralSteps(campaign);
    const auto place = TemporaryDirectory::create("copy").value();
    const fs::path copy = place.path() / "copy.gks";
    const auto reader = CampaignStore::open(campaign.file, CampaignStore::Access::read).value();
    int steps = 0;
    QVERIFY(reader->copyTo(copy, false, [&](double) {
        addKernel(campaign, "int later;" + std::to_string(++steps));
        return true;
    }));
    QVERIFY(steps > 1);
    QCOMPARE(filesIn(place.path()), std::vector<std::string>{"copy.gks"});
    QCOMPARE(kernelsIn(copy), 402u);
    QCOMPARE(campaign.store->population().value()->kernels.size(), 402u + static_cast<std::size_t>(steps));
    QVERIFY(CampaignStore::open(copy)); // a campaign like any other
}

void CampaignOneFile::copyOverwritesNothing() {
    Campaign campaign;
    const fs::path folder = campaign.folder.path();
    QVERIFY(writeFileAtomically(folder / "letter.txt", "Dear diary"));
    QVERIFY(writeFileAtomically(folder / "old.gks-wal", "frames"));
    const auto before = filesIn(folder);
    const std::string there = refusal(campaign.store->copyTo(folder / "letter.txt", false));
    VERIFY_SAYS(there, "already exists");
    VERIFY_SAYS(refusal(campaign.store->copyTo(folder / "letter.txt", true)), "not a SQLite database");
    VERIFY_SAYS(refusal(campaign.store->copyTo(campaign.file, true)), "the campaign itself");
    VERIFY_SAYS(refusal(campaign.store->copyTo(folder, true)), "a folder");
    VERIFY_SAYS(refusal(campaign.store->copyTo(folder / "old.gks", false)), "log of another campaign");
    VERIFY_SAYS(refusal(campaign.store->copyTo(folder / "no" / "such.gks", false)), "cannot create");
    QCOMPARE(readFile(folder / "letter.txt").value(), std::string("Dear diary"));
    QCOMPARE(filesIn(folder), before);
}

void CampaignOneFile::copyReplacesOnlyFreeCampaigns() {
    Campaign campaign;
    Campaign other;
    addKernel(campaign, "int a;");
    VERIFY_SAYS(refusal(campaign.store->copyTo(other.file, true)), "in use by process");
    other.store.reset();
    QCOMPARE(kernelsIn(other.file), 2u);
    VERIFY_SAYS(refusal(campaign.store->copyTo(other.file, false)), "already exists");
    QVERIFY(campaign.store->copyTo(other.file, true));
    QCOMPARE(kernelsIn(other.file), 3u);
    QVERIFY(!FileLock::isHeld(other.file));
    QCOMPARE(filesIn(other.folder.path()).size(), 1u);
}

void CampaignOneFile::copyOnAFullDiskLeavesNothing() {
    Campaign campaign;
    addKernel(campaign, randomText(100'000));
    const auto place = TemporaryDirectory::create("full").value();
    rlimit old = {};
    ::getrlimit(RLIMIT_FSIZE, &old);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limited = {50'000, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
    const std::string said = refusal(campaign.store->copyTo(place.path() / "copy.gks", false));
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    VERIFY_SAYS(said, "disk is full");
    VERIFY_SAYS(said, "Nothing was left there");
    QVERIFY(filesIn(place.path()).empty());
    QVERIFY(campaign.store->copyTo(place.path() / "copy.gks", false));
}

void CampaignOneFile::cancelledCopyLeavesNothing() {
    Campaign campaign;
    addKernelsForSeveralSteps(campaign);
    const auto place = TemporaryDirectory::create("cancelled").value();
    const auto copied = campaign.store->copyTo(place.path() / "copy.gks", false, [](double) { return false; });
    QVERIFY(!copied && copied.error().kind == ErrorKind::cancelled);
    QVERIFY(filesIn(place.path()).empty());
    addKernel(campaign, "int still;"); // the connection is free again
}

void CampaignOneFile::hardLinkIsNoOtherCampaign() {
    Campaign campaign;
    const fs::path link = campaign.folder.path() / "link.gks";
    fs::create_hard_link(campaign.file, link);
    QVERIFY(FileLock::isHeld(link));
    for (const auto access : {CampaignStore::Access::write, CampaignStore::Access::read}) {
        const auto opened = CampaignStore::open(link, access);
        QVERIFY(!opened);
        VERIFY_SAYS(opened.error().message(), "2 names");
    }
    // Whoever has it open already goes on, and answers its own questions.
    addKernel(campaign, "int a;");
    QCOMPARE(kernelsIn(campaign.file), 3u);
    campaign.store.reset();
    QVERIFY(!CampaignStore::open(link));
    QVERIFY(!CampaignStore::open(campaign.file));
    fs::remove(link);
    QCOMPARE(kernelsIn(campaign.file), 3u);
}

void CampaignOneFile::relativeNamesAreNames() {
    const auto folder = TemporaryDirectory::create("relative").value();
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    {
        const auto store = CampaignStore::create("a.gks", {}, samplePack());
        QVERIFY2(store, store ? "" : store.error().message().c_str());
        QVERIFY(!store.value()->readOnly());
        QCOMPARE(refusal(store.value()->copyTo("b.gks", false)), std::string("not refused"));
        VERIFY_SAYS(refusal(store.value()->copyTo("a.gks", true)), "the campaign itself");
    }
    const auto again = CampaignStore::open("b.gks");
    fs::current_path(before);
    QVERIFY(again && !again.value()->readOnly());
    QCOMPARE(filesIn(folder.path()).front(), std::string("a.gks"));
}

QTEST_APPLESS_MAIN(CampaignOneFile)
#include "campaign_one_file.moc"
