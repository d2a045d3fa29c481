// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include <QTest>
#include <csignal>
#include <sys/resource.h>

using namespace gks;

class BaseFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesAndReadsBack();
    void failedWriteKeepsTheOldContent();
    void errorsSayWhatAndWhere();
    void temporaryFolderGoesWithItsOwner();
};

void BaseFiles::writesAndReadsBack() {
    const auto folder = TemporaryDirectory::create("base-files");
    QVERIFY(folder);
    const std::string content("a\0b\n", 4);
    QVERIFY(writeFileAtomically(folder->path() / "x", content));
    QCOMPARE(readFile(folder->path() / "x").value(), content);
    QVERIFY(!readFile(folder->path() / "x", 3));
}

void BaseFiles::failedWriteKeepsTheOldContent() {
    const auto folder = TemporaryDirectory::create("base-files");
    QVERIFY(folder);
    const auto file = folder->path() / "x";
    QVERIFY(writeFileAtomically(file, "old"));
    // A file size limit stands in for a full disk: write() fails half-way.
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit before = {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit tight = {1000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &tight);
    const auto written = writeFileAtomically(file, std::string(5000, 'n'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!written);
    QCOMPARE(readFile(file).value(), std::string("old"));
    QCOMPARE(std::distance(std::filesystem::directory_iterator(folder->path()), {}), std::ptrdiff_t{1});
}

void BaseFiles::errorsSayWhatAndWhere() {
    const auto missing = readFile("/no/such/file");
    QVERIFY(!missing);
    QCOMPARE(missing.error().message(), std::string("/no/such/file: cannot read: No such file or directory"));
    QVERIFY(!readFile("/tmp"));
}

void BaseFiles::temporaryFolderGoesWithItsOwner() {
    std::filesystem::path path;
    {
        const auto folder = TemporaryDirectory::create("base-files");
        path = folder->path();
        QVERIFY(writeFileAtomically(path / "x", "y"));
    }
    QVERIFY(!std::filesystem::exists(path));
}

QTEST_APPLESS_MAIN(BaseFiles)
#include "base_files.moc"
