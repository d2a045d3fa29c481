// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"
#include "core/campaign/database.h"
#include "core/campaign/mirror.h"
#include "tests/support/campaign_samples.h"

#include <QTest>

using namespace gks;
using namespace gks::test;
namespace fs = std::filesystem;

namespace {

std::size_t sizeOf(const ImageChange& change) {
    std::size_t bytes = 0;
    for (const PageRun& run : change.runs) {
        bytes += run.bytes.size();
    }
    return bytes;
}

Result<void> apply(Mirror& mirror, const ImageChange& change) {
    GKS_TRY(mirror.resize(change.bytes));
    for (const PageRun& run : change.runs) {
        GKS_TRY(mirror.put(run.at, run.bytes));
    }
    return mirror.commit(change.bytes);
}

std::string refusalOf(const Result<void>& result) {
    return result ? "" : result.error().message();
}

} // namespace

// A campaign of another machine as a file of this one.
class CampaignMirror : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void followsPageByPage();
    void aNewConversationBringsWhatIsMissing();
    void whatIsNoCampaignIsNotTaken();
    void nobodyRunsAMirror();
    void base64ComesBack();

private:
    std::optional<TemporaryDirectory> m_folder;
};

void CampaignMirror::init() {
    m_folder.emplace(TemporaryDirectory::create("mirror").value());
    qputenv("GKS_CACHE", m_folder->path().c_str());
}

void CampaignMirror::followsPageByPage() {
    Campaign campaign; // with its log, and open for writing
    const auto mirrored = MirroredFile::open(campaign.file).value();
    const auto mirror = Mirror::open("ssh://far/x.gks", "x.gks").value();
    QVERIFY(!mirror->isThere());
    const ImageChange whole = mirrored->look().value().value();
    QCOMPARE(sizeOf(whole), whole.bytes);
    QCOMPARE(refusalOf(apply(*mirror, whole)), std::string());
    QVERIFY(mirror->isThere() && mirror->file().filename() == "x.gks");
    QVERIFY(!mirrored->look().value()); // nothing has happened
    const auto reader = CampaignStore::open(mirror->file(), CampaignStore::Access::read).value();
    QCOMPARE(reader->population().value()->kernels.size(), std::size_t{2});
    for (int kernel = 3; kernel < 20; ++kernel) {
        QVERIFY(campaign.store->addKernel(sampleKernel(1, randomText(5000))));
        const auto change = mirrored->look().value();
        QVERIFY(change && sizeOf(*change) < change->bytes);
        QCOMPARE(refusalOf(apply(*mirror, *change)), std::string());
        const auto population = reader->population().value(); // by one who had it open all the time
        QCOMPARE(population->kernels.size(), static_cast<std::size_t>(kernel));
        QCOMPARE(reader->source(kernel).value(), campaign.store->source(kernel).value());
    }
}

// Also to a program that was started meanwhile, and after a conversation that was cut in the middle.
void CampaignMirror::aNewConversationBringsWhatIsMissing() {
    Campaign campaign;
    for (int kernel = 3; kernel < 60; ++kernel) {
        QVERIFY(campaign.store->addKernel(sampleKernel(1, randomText(20000))));
    }
    const auto lookOf = [&](const std::string& digests) {
        const auto mirrored = MirroredFile::open(campaign.file).value();
        mirrored->otherHas(digests);
        return mirrored->look().value().value();
    };
    {
        const auto mirror = Mirror::open("ssh://far/x.gks", "x.gks").value();
        QCOMPARE(mirror->begin(), std::string());
        const ImageChange whole = lookOf("");
        QCOMPARE(sizeOf(whole), whole.bytes);
        QVERIFY(mirror->resize(whole.bytes).has_value());
        QVERIFY(mirror->put(0, std::string_view(whole.runs.front().bytes).substr(0, 5 * mirrorBlockBytes)).has_value());
        const ImageChange rest = lookOf(mirror->begin()); // it was cut there
        QCOMPARE(sizeOf(rest), whole.bytes - 5 * mirrorBlockBytes);
        QCOMPARE(refusalOf(apply(*mirror, rest)), std::string());
        QCOMPARE(sizeOf(lookOf(mirror->begin())), std::size_t{0});
    }
    const auto mirror = Mirror::open("ssh://far/x.gks", "x.gks").value();
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "another")));
    const ImageChange change = lookOf(mirror->begin());
    QVERIFY2(sizeOf(change) > 0 && sizeOf(change) < change.bytes / 2, std::to_string(sizeOf(change)).c_str());
    QCOMPARE(refusalOf(apply(*mirror, change)), std::string());
    const auto reader = CampaignStore::open(mirror->file(), CampaignStore::Access::read).value();
    QCOMPARE(reader->population().value()->kernels.size(), std::size_t{60});
    QCOMPARE(reader->source(60).value(), std::string("another"));
    for (const char* wrong : {"x", "nothing of the kind that it could be, in as many letters as a digest has"}) {
        const ImageChange all = lookOf(wrong);
        QCOMPARE(sizeOf(all), all.bytes);
    }
}

void CampaignMirror::whatIsNoCampaignIsNotTaken() {
    const Campaign campaign;
    const ImageChange good = MirroredFile::open(campaign.file).value()->look().value().value();
    const auto mirror = Mirror::open("ssh://far/y.gks", "../../y.gks").value();
    QVERIFY(mirror->file().parent_path().parent_path().filename() == "mirrors"); // it stays where mirrors are
    QCOMPARE(refusalOf(apply(*mirror, good)), std::string());
    QVERIFY(!mirror->put(good.bytes + 1, "x")); // behind its end
    QVERIFY(!mirror->put(0, std::string(3 * mirrorRunBytes, 'x')));
    QVERIFY(!mirror->resize(mirrorBytes + 1));
    const auto refuse = [&](const std::string& image) {
        mirror->begin();
        return refusalOf(apply(*mirror, {image.size(), {{0, image}}}));
    };
    QVERIFY(!refuse("").empty());
    QVERIFY(!refuse("no database").empty());
    QVERIFY(!refuse(std::string(8192, '\x7f')).empty());
    QVERIFY(!refuse(good.runs.front().bytes.substr(0, 4096)).empty());
    const auto damaged = [&](const char* sql) {
        Campaign other;
        const fs::path file = m_folder->path() / "other.gks";
        fs::remove(file);
        if (!other.store->copyTo(file, false)) {
            return std::string("no copy");
        }
        const std::string text = file.string();
        Database database = Database::open(text, Database::Access::readWrite).value();
        if (const auto changed = database.execute(sql); !changed) {
            return "not changed: " + changed.error().message();
        }
        return refuse(database.image().value());
    };
    QVERIFY(damaged("CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM kernel; END").find("not changed") ==
            std::string::npos);
    QVERIFY(!damaged("CREATE TRIGGER t AFTER INSERT ON kernel BEGIN DELETE FROM kernel; END").empty());
    QVERIFY(damaged("PRAGMA application_id = 7").find("not a campaign") != std::string::npos);
    QVERIFY(damaged("PRAGMA user_version = 9999").find("schema 9999") != std::string::npos);
    mirror->begin();
    QVERIFY(!mirror->commit(good.bytes + 4096)); // nothing has come
    // As it was last seen.
    const auto reader = CampaignStore::open(mirror->file(), CampaignStore::Access::read).value();
    QCOMPARE(reader->population().value()->kernels.size(), std::size_t{2});
}

void CampaignMirror::nobodyRunsAMirror() {
    const Campaign campaign;
    const auto mirror = Mirror::open("ssh://far/z.gks", "z.gks").value();
    QVERIFY(!Mirror::open("ssh://far/z.gks", "z.gks")); // one program at a time
    QVERIFY(apply(*mirror, MirroredFile::open(campaign.file).value()->look().value().value()));
    const auto refused = CampaignStore::open(mirror->file());
    QVERIFY(!refused && refused.error().what.find("mirror") != std::string::npos);
    QCOMPARE(refused.error().next, std::string("Open ssh://far/z.gks"));
    fs::create_symlink(mirror->file(), m_folder->path() / "link.gks");
    QVERIFY(!CampaignStore::open(m_folder->path() / "link.gks"));
    QVERIFY(CampaignStore::open(mirror->file(), CampaignStore::Access::read).has_value());
}

void CampaignMirror::base64ComesBack() {
    for (std::size_t size = 0; size < 300; ++size) {
        std::string bytes;
        for (std::size_t i = 0; i < size; ++i) {
            bytes += static_cast<char>(i * 7 + size);
        }
        QCOMPARE(bytesOfBase64(base64(bytes)).value(), bytes);
    }
    for (const char* wrong : {"A", "AAA", "AA=A", "====", "A===", "AA A", "AAA\n", "%%%%"}) {
        QVERIFY2(!bytesOfBase64(wrong), wrong);
    }
}

QTEST_APPLESS_MAIN(CampaignMirror)
#include "campaign_mirror.moc"
