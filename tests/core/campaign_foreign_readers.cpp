// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <fcntl.h>
#include <functional>
#include <unistd.h>

using namespace gks;
using namespace gks::test;

// Other programs and other parts of this one look at a campaign while it is written. A process loses its POSIX locks on
// a file when it closes any descriptor of it, and a log without locks is removed by the next program that comes along,
// with all that is written from then on.
class CampaignForeignReaders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLost_data();
    void nothingIsLost();
};

namespace {

// As a person at a shell: the real program, a process of its own.
std::string kernelsBySqlite3(const std::filesystem::path& file) {
    const auto done = runProcess({{"sqlite3", file.string(), "SELECT count(*) FROM kernel"}});
    if (!done || !done->ok()) {
        qFatal("sqlite3: %s", done ? done->error.c_str() : done.error().message().c_str());
    }
    return done->output;
}

} // namespace

void CampaignForeignReaders::nothingIsLost_data() {
    QTest::addColumn<QString>("look");
    QTest::newRow("reader-of-our-own") << "reader";
    QTest::newRow("second-writer-that-is-refused") << "writer";
    QTest::newRow("whatever-opens-and-closes-the-file") << "touch"; // a file dialog that looks what a file is
}

void CampaignForeignReaders::nothingIsLost() {
    QFETCH(QString, look);
    Campaign campaign;
    {
        const auto other =
            CampaignStore::open(campaign.file, look == QLatin1String("writer") ? CampaignStore::Access::write
                                                                               : CampaignStore::Access::read);
        QCOMPARE(other.has_value(), look != QLatin1String("writer"));
        if (look == QLatin1String("touch")) {
            ::close(::open(campaign.file.c_str(), O_RDONLY | O_CLOEXEC));
        }
        QCOMPARE(kernelsBySqlite3(campaign.file), std::string("2\n"));
    }
    QCOMPARE(kernelsBySqlite3(campaign.file), std::string("2\n"));
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int a;")));
    QVERIFY(campaign.store->addSteering({0, Author::person, "ban", "00001", 0}));
    QCOMPARE(kernelsBySqlite3(campaign.file), std::string("3\n"));
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int b;")));
    campaign.reopen();
    QCOMPARE(campaign.store->population().value()->kernels.size(), 4u);
    QCOMPARE(campaign.store->steering().value().size(), 1u);
    campaign.store.reset();
    QCOMPARE(kernelsBySqlite3(campaign.file), std::string("4\n"));
}

QTEST_APPLESS_MAIN(CampaignForeignReaders)
#include "campaign_foreign_readers.moc"
