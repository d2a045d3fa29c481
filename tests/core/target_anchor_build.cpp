// SPDX-License-Identifier: GPL-3.0-or-later
// How a library that a problem names is found and linked.
#include "core/base/files.h"
#include "core/target/anchor_build.h"
#include "core/target/toolchain.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>

using namespace gks;

namespace {

namespace fs = std::filesystem;

AnchorSpec specOf(std::vector<std::string> libraries) {
    AnchorSpec anchor;
    anchor.name = "blas";
    anchor.title = "BLAS";
    anchor.target = "nvidia";
    anchor.source = "anchors/blas.cpp";
    anchor.libraries = std::move(libraries);
    return anchor;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

class TargetAnchorBuild : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_folder.emplace(TemporaryDirectory::create("gks-libraries").value());
        for (const char* const file : {"one/libblas.so.13", "one/libblas.so.13.1.0", "one/libblasx.so",
                                       "two/libblas.so", "two/libsolver.so", "one/libother.so.md"}) {
            QVERIFY(makeDirectories((m_folder->path() / file).parent_path()));
            QVERIFY(writeFileAtomically(m_folder->path() / file, "x"));
        }
    }

    // The first folder that has it, in whatever form; each library by its own name.
    void librariesAreFound() {
        const auto both = findAnchorLibraries(specOf({"blas", "solver"}), folders({"one", "two"}));
        QVERIFY2(both, both ? "" : both.error().message().c_str());
        QCOMPARE(both->files, (std::vector<fs::path>{m_folder->path() / "one/libblas.so.13",
                                                     m_folder->path() / "two/libsolver.so"}));
        QCOMPARE(both->folders().size(), std::size_t{2});
        const auto plain = findAnchorLibraries(specOf({"blas", "solver"}), folders({"two", "one"}));
        QCOMPARE(plain->files.front(), m_folder->path() / "two/libblas.so");
        QCOMPARE(plain->folders().size(), std::size_t{1});
    }

    void missingOnesAreNamed() {
        for (const char* const name : {"blasy", "other", "bla"}) {
            const auto found = findAnchorLibraries(specOf({"blas", name}), folders({"one", "two"}));
            QVERIFY2(!found, name);
            QCOMPARE(found.error().what, fmt::format("lib{}.so is not installed here", name));
            QCOMPARE(found.error().kind, ErrorKind::infrastructure);
        }
    }

    void linksWhatIsNamedAndNoMore() {
        if (!toolchain().cuda) {
            QSKIP("no CUDA toolkit");
        }
        const std::string before = qEnvironmentVariable("LD_LIBRARY_PATH").toStdString();
        qputenv("LD_LIBRARY_PATH", (m_folder->path() / "one").c_str());
        const TemporaryDirectory place = TemporaryDirectory::create("gks-anchor-build").value();
        BuildRequest request;
        request.target = commonTarget(TargetKind::nvidia);
        request.source = "#pragma unroll FACTOR\n";
        request.header = "#pragma once\n";
        request.folder = place.path();
        const auto build = planAnchorBuild(request, specOf({"blas", "m"}));
        qputenv("LD_LIBRARY_PATH", before.c_str());
        QVERIFY2(build, build ? "" : build.error().message().c_str());
        const std::vector<std::string>& words = build->step.arguments;
        QVERIFY(has(words, "-shared") && has(words, "-lm") && has(words, "-l:libblas.so.13"));
        QVERIFY(has(words, "-L" + (m_folder->path() / "one").string()));
        QVERIFY(has(words, "-rpath=" + (m_folder->path() / "one").string()));
        QVERIFY(has(words, "-DGKS_FP8_OCP=1"));
        QVERIFY(build->step.writable == std::vector<fs::path>{place.path()});
        QVERIFY(std::find(build->readable.begin(), build->readable.end(), m_folder->path() / "one") !=
                build->readable.end());
        QVERIFY(readFile(place.path() / "kernel.cu").value().starts_with("#line 1 \"anchors/blas.cpp\"\n"));
        BuildRequest other = request;
        other.source += "// another\n";
        qputenv("LD_LIBRARY_PATH", (m_folder->path() / "one").c_str());
        const auto another = planAnchorBuild(other, specOf({"blas", "m"}));
        qputenv("LD_LIBRARY_PATH", before.c_str());
        QVERIFY(another && another->key != build->key);
    }

private:
    std::vector<fs::path> folders(std::initializer_list<const char*> names) const {
        std::vector<fs::path> all;
        for (const char* const name : names) {
            all.push_back(m_folder->path() / name);
        }
        return all;
    }

    std::optional<TemporaryDirectory> m_folder;
};

QTEST_APPLESS_MAIN(TargetAnchorBuild)
#include "target_anchor_build.moc"
