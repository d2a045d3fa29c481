// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/regular_file.h"
#include "core/base/whole_folder.h"

#include <QTest>
#include <algorithm>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace gks;

class BaseFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesAndReadsBack();
    void failedWriteKeepsTheOldContent();
    void foldersAppearWholeOrNotAtAll();
    void errorsSayWhatAndWhere();
    void whatIsNoFileIsRefusedAtOnce();
    void temporaryFolderGoesWithItsOwner();
    void whatAKilledProgramLeftIsRemoved();
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

void BaseFiles::foldersAppearWholeOrNotAtAll() {
    namespace fs = std::filesystem;
    const auto folder = TemporaryDirectory::create("base-files");
    QVERIFY(folder);
    const auto entries = [&](const fs::path& of) {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(of)) {
            names.push_back(entry.path().lexically_relative(of).string());
        }
        std::ranges::sort(names);
        return names;
    };
    const std::map<std::string, std::string> files = {{"a.txt", "1"}, {"deep/b.txt", "2"}};
    const std::vector<std::string> whole = {"a.txt", "deep", "deep/b.txt"};
    const fs::path fresh = folder->path() / "parent/fresh/"; // with a slash, as a shell completes it
    const auto refused = writeFolderAtomically(fresh, files, [&](const fs::path& staged) -> Result<void> {
        return entries(staged) == whole ? usageError("not this one") : usageError("not all files");
    });
    QVERIFY(!refused && refused.error().what == "not this one");
    QVERIFY(entries(folder->path()) == std::vector<std::string>({"parent"}));
    QVERIFY(writeFolderAtomically(fresh, files));
    QVERIFY(entries(folder->path() / "parent/fresh") == whole);
    QVERIFY(!writeFolderAtomically(fresh, files)); // not empty
    const auto file = writeFolderAtomically(folder->path() / "parent/fresh/a.txt", files);
    QVERIFY(!file && file.error().what == "is no folder");
    // One that is there stays the same folder: a shell may stand in it.
    const fs::path there = folder->path() / "there";
    QVERIFY(makeDirectories(there));
    struct stat before = {};
    struct stat after = {};
    QVERIFY(::stat(there.c_str(), &before) == 0);
    QVERIFY(!writeFolderAtomically(there, files, [](const fs::path&) -> Result<void> { return usageError("no"); }));
    QVERIFY(entries(there).empty());
    QVERIFY(writeFolderAtomically(there, files));
    QVERIFY(entries(there) == whole && ::stat(there.c_str(), &after) == 0 && before.st_ino == after.st_ino);
    // As people type it: one word, of the folder that they are in.
    const fs::path home = fs::current_path();
    fs::current_path(folder->path());
    const auto alone = writeFolderAtomically("alone", files);
    const auto slash = writeFolderAtomically("slash/", files);
    fs::current_path(home);
    QVERIFY(alone && slash);
    const auto nameless = writeFolderAtomically("", files);
    QVERIFY(!nameless && nameless.error().what == "no folder is named");
    QVERIFY(entries(folder->path() / "alone") == whole && entries(folder->path() / "slash") == whole);
}

void BaseFiles::errorsSayWhatAndWhere() {
    const auto missing = readFile("/no/such/file");
    QVERIFY(!missing);
    QCOMPARE(missing.error().message(), std::string("/no/such/file: cannot read: No such file or directory"));
    QVERIFY(!readFile("/tmp"));
}

void BaseFiles::whatIsNoFileIsRefusedAtOnce() {
    const auto folder = TemporaryDirectory::create("base-files");
    const auto pipe = folder->path() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    const auto read = readFile(pipe); // nobody writes to it, ever
    QVERIFY(!read);
    QCOMPARE(read.error().what, std::string("is a named pipe, a regular file is needed"));
    QCOMPARE(readFile("/dev/zero").error().what, std::string("is a device, a regular file is needed"));
    QCOMPARE(readFile(folder->path()).error().what, std::string("is a folder, a regular file is needed"));
    QCOMPARE(writeFileAtomically(pipe, "x").error().what,
             std::string("is a named pipe, a regular file or a new name is needed"));
    QCOMPARE(specialFile(pipe), std::string("a named pipe"));
    const auto link = folder->path() / "link";
    std::filesystem::create_symlink(folder->path() / "target", link);
    QVERIFY(writeFileAtomically(folder->path() / "target", "y"));
    QVERIFY(openRegularFile(link));
    QCOMPARE(openRegularFile(link, Links::refused).error().what, std::string("is a symbolic link"));
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

void BaseFiles::whatAKilledProgramLeftIsRemoved() {
    const auto place = TemporaryDirectory::create("base-files");
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", place->path().c_str());
    const auto held = TemporaryDirectory::create("held-files");
    const auto abandoned = place->path() / "first-files-4711.k3Xq9Z";
    const auto fresh = place->path() / "first-files-4712.k3Xq9Z";
    // Somebody's work: of another name, or open to others
    const std::vector<std::filesystem::path> works = {
        place->path() / "somebody-else", place->path() / "first-files-static", place->path() / "first-files-v2.static",
        place->path() / "first-files-4713.k3Xq9Z"};
    std::vector<std::filesystem::path> all = works;
    all.insert(all.end(), {abandoned, fresh});
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& folder : all) {
        QVERIFY(makeDirectories(folder / "inside").has_value());
        std::filesystem::permissions(folder, std::filesystem::perms(folder == works.back() ? 0750 : 0700));
        if (folder != fresh) {
            std::filesystem::last_write_time(folder, old);
        }
    }
    std::filesystem::last_write_time(held->path(), old);
    const auto first = TemporaryDirectory::create("first-files");
    removeAbandonedDirectories("held-files");
    qputenv("TMPDIR", before);
    QVERIFY(!std::filesystem::exists(abandoned));
    for (const auto& folder : works) {
        QVERIFY2(std::filesystem::exists(folder / "inside"), folder.c_str());
    }
    for (const auto& folder : {fresh, held->path(), first->path()}) {
        QVERIFY2(std::filesystem::exists(folder), folder.c_str());
    }
}

QTEST_APPLESS_MAIN(BaseFiles)
#include "base_files.moc"
