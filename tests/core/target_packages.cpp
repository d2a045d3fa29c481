// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/target/packages.h"
#include "core/target/target.h"

#include <QTest>
#include <fmt/format.h>
#include <set>

using namespace gks;

// Only what exists here is suggested, whatever "here" is.
class TargetPackagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstNameThatExistsIsSuggested() {
        const std::set<std::string> known = {"clang-19", "llvm-19", "rocm-device-libs-21"};
        const auto exists = [&](const std::string& package) { return known.contains(package); };
        QCOMPARE(packageAdvice({{"clang-19"}, {"llvm-19"}}, "otherwise", exists),
                 std::string("apt install clang-19 llvm-19"));
        QCOMPARE(packageAdvice({{"rocm-device-libs", "rocm-device-libs-21"}}, "otherwise", exists),
                 std::string("apt install rocm-device-libs-21"));
        QCOMPARE(packageAdvice({{"clang-19"}, {"lld-19"}}, "otherwise", exists), std::string("otherwise"));
    }

    // apt-cache as it is: text and 0 for a package, nothing and 100 for another name, nothing and 0 for a virtual one.
    void aptIsAsked() {
        const auto folder = TemporaryDirectory::create("gks-apt");
        const std::filesystem::path program = folder->path() / "apt-cache";
        QVERIFY(writeFileAtomically(program, "#!/bin/sh\nfor last; do :; done\ncase $last in\n"
                                             "there) echo Package: there;;\nvirtual) ;;\n*) exit 100;;\nesac\n"));
        std::filesystem::permissions(program, std::filesystem::perms(0755));
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", (folder->path().string() + ":/usr/bin:/bin").c_str());
        const std::string there = packageAdvice({{"gone", "virtual", "there"}}, "otherwise");
        const std::string gone = packageAdvice({{"gone"}}, "otherwise");
        qputenv("PATH", folder->path().string().c_str()); // the script finds its shell, and nobody finds apt
        std::filesystem::remove(program);
        const std::string without = packageAdvice({{"there"}}, "otherwise");
        qputenv("PATH", path);
        QCOMPARE(there, std::string("apt install there"));
        QCOMPARE(gone, std::string("otherwise"));
        QCOMPARE(without, std::string("otherwise"));
    }

    void noFindingSuggestsWhatIsNotHere() {
        for (const ToolchainFinding& finding : inspectToolchains()) {
            constexpr std::string_view apt = "apt install ";
            if (!finding.install.starts_with(apt)) {
                continue;
            }
            const std::string first = finding.install.substr(apt.size());
            QVERIFY2(packageAdvice({{first.substr(0, first.find(' '))}}, "") != "", finding.install.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TargetPackagesTest)
#include "target_packages.moc"
