// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/scientist/documents.h"
#include "core/scientist/knowledge.h"

#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>

using namespace gks;
namespace fs = std::filesystem;

// Files of every kind into passages, and files that are none.
class ScientistDocuments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void kindsAreRead_data();
    void kindsAreRead();
    void htmlLosesWhatIsNotText();
    void markdownKeepsFences();
    void passagesHaveTheirSize();
    void shortSectionsAreJoined();
    void longHeadingsAreShortened();
    void nothingIsLost();
    void pdfPages();
    void refused_data();
    void refused();
    void refusedPlaces();
    void pdftotextMissing();
    void deepHtmlIsRefused();
    void tooManyPassages();
    void stopEndsIt();

private:
    fs::path write(const std::string& name, const std::string& content) {
        const fs::path file = m_folder->path() / name;
        if (!writeFileAtomically(file, content)) {
            qFatal("cannot write %s", name.c_str());
        }
        return file;
    }
    std::optional<TemporaryDirectory> m_folder;
};

namespace {

bool hasPdftotext() {
    return findProgram("pdftotext").has_value();
}

// A PDF with one line of text per page; `extra` goes into its trailer. Poppler mends the missing table of objects.
std::string pdfOf(const std::vector<std::string>& pages, const std::string& extra = {}) {
    std::string kids;
    std::string objects;
    int number = 4;
    for (const std::string& page : pages) {
        const std::string content = "BT /F1 12 Tf 72 700 Td (" + page + ") Tj ET";
        kids += fmt::format("{} 0 R ", number);
        objects += fmt::format("{} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R "
                               "/Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n"
                               "{} 0 obj\n<< /Length {} >>\nstream\n{}\nendstream\nendobj\n",
                               number, number + 1, number + 1, content.size(), content);
        number += 2;
    }
    return fmt::format("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
                       "2 0 obj\n<< /Type /Pages /Kids [{}] /Count {} >>\nendobj\n"
                       "3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n{}"
                       "trailer\n<< /Root 1 0 R /Size {} {} >>\n%%EOF\n",
                       kids, pages.size(), objects, number, extra);
}

std::string words(std::size_t count, const std::string& stem) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += fmt::format("{}{} ", stem, i);
    }
    return text;
}

QString printed(const DocumentText& text) {
    std::string all = "title: " + text.title + "\n";
    for (const TextBlock& block : text.blocks) {
        all += fmt::format("{}: {}\n", block.level, replaceAll(block.text, "\n", "\\n"));
    }
    return QString::fromStdString(all);
}

} // namespace

void ScientistDocuments::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("gks-documents").value());
}

void ScientistDocuments::kindsAreRead_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("title");
    const auto row = [](const char* file, const QByteArray& content, const char* kind, const char* title) {
        QTest::newRow(file) << content << QString::fromUtf8(kind) << QString::fromUtf8(title);
    };
    row("notes.txt", "\xef\xbb\xbfThe LDS has 32 banks.", "text", "notes");
    row("README", "The LDS has 32 banks.", "text", "README");
    row("guide.md", "# A guide\n\nThe LDS has 32 banks.\n", "markdown", "A guide");
    row("guide.html", "<title>A &amp; B</title><p>The LDS has 32 banks.", "html", "A & B");
    row("page", "<!DOCTYPE html><html><body>The LDS has 32 banks.", "html", "page");
}

void ScientistDocuments::kindsAreRead() {
    QFETCH(QByteArray, content);
    const auto imported = importDocument(write(QTest::currentDataTag(), content.toStdString()));
    QVERIFY2(imported.has_value(), imported ? "" : imported.error().message().c_str());
    QTEST(QString::fromStdString(imported->document.kind), "kind");
    QTEST(QString::fromStdString(imported->document.title), "title");
    QCOMPARE(imported->document.sha256, sha256Hex(content.toStdString()));
    QCOMPARE(imported->document.passages, std::int64_t{1});
    QCOMPARE(imported->passages.size(), std::size_t{1});
    QCOMPARE(imported->passages.front().text, std::string("The LDS has 32 banks."));
    QVERIFY(imported->document.enabled);
}

void ScientistDocuments::htmlLosesWhatIsNotText() {
    const auto text = blocksOfHtml(R"html(<html><head><title> The
        guide </title><style>p { color: red }</style><script>alert("</p>")</script></head>
        <body onload="x()"><nav>Home | About</nav><h1>Memory &mdash; <b>LDS</b></h1>
        <p>One   <em>two</em>
        three&nbsp;&lt;b&gt;.<p>Second<script>document.write("evil")</script> paragraph
        <ul><li>first<li>second</ul><pre>for (i)
    x += i;</pre><table><tr><th>a<th>b<tr><td>1<td>2</table>
        <!-- comment --><svg><text>drawn</text></svg><h3>Deep</h3>end</body>)html",
                                   {})
                          .value();
    QCOMPARE(printed(text), QStringLiteral("title: The guide\n"
                                           "1: Memory \u2014 LDS\n"
                                           "0: One two three\u00a0<b>.\n"
                                           "0: Second paragraph\n"
                                           "0: - first\n"
                                           "0: - second\n"
                                           "0: for (i)\\n    x += i;\n"
                                           "0: a | b\n"
                                           "0: 1 | 2\n"
                                           "3: Deep\n"
                                           "0: end\n"));
}

void ScientistDocuments::markdownKeepsFences() {
    const auto text = blocksOfMarkdown("Intro\nmore\n\n## Two ##\n```\n# no heading\n\nx\n```\n#hash\n####### seven\n");
    QCOMPARE(printed(text), QStringLiteral("title: Two\n0: Intro\\nmore\n2: Two\n"
                                           "0: ```\\n# no heading\\n\\nx\\n```\\n#hash\\n####### seven\n"));
}

void ScientistDocuments::passagesHaveTheirSize() {
    std::vector<TextBlock> blocks;
    for (int section = 1; section <= 3; ++section) {
        blocks.push_back({1, fmt::format("Part {}", section)});
        blocks.push_back({2, "Details"});
        for (int i = 0; i < 500; ++i) { // so that every length comes close to the limit
            blocks.push_back({0, std::string(static_cast<std::size_t>(1 + i % 7), 's')});
        }
        blocks.push_back({0, words(20, "short")});
        blocks.push_back({0, words(900, "long")});             // several passages
        blocks.push_back({0, std::string(5000, 'x')});         // without a blank
        blocks.push_back({0, words(100, "\xc3\xa4\xc3\xb6")}); // of more than one byte each
    }
    const auto passages = passagesOf(blocks);
    QVERIFY(passages.size() > 12);
    for (std::size_t i = 0; i < passages.size(); ++i) {
        const Passage& passage = passages[i];
        QCOMPARE(passage.number, static_cast<std::int64_t>(i) + 1);
        QVERIFY2(estimatedTokens(passage.text) <= passageMostTokens, passage.text.c_str());
        QCOMPARE(sanitizedUtf8(passage.text), passage.text);
        QVERIFY2(passage.heading.starts_with("Part ") && passage.heading.ends_with(" > Details"),
                 passage.heading.c_str());
        const bool last = i + 1 == passages.size() || passages[i + 1].heading != passage.heading;
        QVERIFY2(last || estimatedTokens(passage.text) >= passageLeastTokens, passage.text.c_str());
    }
}

void ScientistDocuments::shortSectionsAreJoined() {
    const auto passages = passagesOf({{1, "Guide"},
                                      {2, "Banks"},
                                      {0, "There are 32."},
                                      {2, "Padding"},
                                      {0, "Four bytes."},
                                      {1, "Other"},
                                      {0, "Elsewhere."}});
    QCOMPARE(passages.size(), std::size_t{2});
    QCOMPARE(passages[0].heading, std::string("Guide > Banks"));
    QCOMPARE(passages[0].text, std::string("There are 32.\n\nPadding\n\nFour bytes."));
    QCOMPARE(passages[1].heading, std::string("Other"));
}

void ScientistDocuments::longHeadingsAreShortened() {
    const std::string heading = std::string(79, 'h') + "\xc3\xa4";
    const auto passages = passagesOf({{1, heading}, {2, "Part"}, {0, "Text."}});
    QCOMPARE(passages.front().heading, std::string(77, 'h') + "\xe2\x80\xa6 > Part");
}

void ScientistDocuments::nothingIsLost() {
    const std::string text = words(3000, "w");
    std::string together;
    for (const Passage& passage : passagesOf({{0, text}})) {
        together += passage.text + " ";
    }
    QCOMPARE(together, text);
}

void ScientistDocuments::pdfPages() {
    if (!hasPdftotext()) {
        QSKIP("pdftotext (poppler-utils) is not installed");
    }
    const auto imported = importDocument(write("isa.pdf", pdfOf({words(8, "first"), "", words(8, "third")})));
    QVERIFY2(imported.has_value(), imported ? "" : imported.error().message().c_str());
    QCOMPARE(imported->document.kind, std::string("pdf"));
    QCOMPARE(imported->document.title, std::string("isa"));
    QCOMPARE(imported->passages.front().heading, std::string("Page 1"));
    std::string all;
    for (const Passage& passage : imported->passages) {
        all += passage.text + "\n";
    }
    QVERIFY(all.find("first7") != std::string::npos);
    QVERIFY(all.find("Page 3") != std::string::npos);
    QVERIFY(all.find("third7") != std::string::npos);
}

void ScientistDocuments::refused_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* tag, const char* file, const QByteArray& content, const char* what) {
        QTest::newRow(tag) << QString::fromUtf8(file) << content << QString::fromUtf8(what);
    };
    row("empty", "e.md", "", "is empty");
    row("blanks", "b.txt", " \n\t\n", "has no text in it");
    row("binary", "b.txt", QByteArray("ELF\0\1\2", 6), "is not text");
    row("UTF-16", "u.txt", QByteArray("\xff\xfeh\0i\0", 6), "is not text");
    row("Latin-1", "l.md", "caf\xe9", "is not UTF-8");
    row("Latin-1 HTML", "l.html", "<meta charset=latin1>caf\xe9", "is not UTF-8");
    row("HTML of scripts", "s.html", "<html><script>x()</script><style>b{}</style>", "has no text in it");
    row("too much text", "t.txt", QByteArray(5 << 20, 'x'), "has more than 4 MiB of text");
    row("too much HTML text", "t.html", "<html>" + QByteArray("x ").repeated(3 << 20), "has more than 4 MiB of text");
    if (hasPdftotext()) {
        row("damaged PDF", "d.pdf", "%PDF-1.7\n" + QByteArray(3000, '\x9f'), "cannot be read as PDF (exit status 1");
        row("named PDF", "n.pdf", "just text", "cannot be read as PDF (exit status 1");
        row("scan", "scan.pdf", QByteArray::fromStdString(pdfOf({"", ""})), "has no text in it");
        row("encrypted", "c.pdf",
            QByteArray::fromStdString(
                pdfOf({"secret"}, "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] "
                                  "/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" +
                                      std::string(64, '1') + "> /U <" + std::string(64, '2') + "> >>")),
            "is password-protected");
    }
}

void ScientistDocuments::refused() {
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, what);
    const fs::path path = write(file.toStdString(), content.toStdString());
    const auto imported = importDocument(path);
    QVERIFY(!imported.has_value());
    QVERIFY2(QString::fromStdString(imported.error().what).startsWith(what), imported.error().message().c_str());
    QCOMPARE(imported.error().where, path.string());
    QCOMPARE(imported.error().kind, ErrorKind::usage);
}

void ScientistDocuments::refusedPlaces() {
    const auto complaint = [](const fs::path& path) {
        const auto imported = importDocument(path);
        return imported ? std::string("taken") : imported.error().what;
    };
    const fs::path folder = m_folder->path();
    QCOMPARE(complaint(folder / "nowhere.md"), std::string("cannot read: No such file or directory"));
    QCOMPARE(complaint(folder), std::string("is a folder, a regular file is needed"));
    fs::create_symlink(write("real.md", "text"), folder / "link.md");
    QCOMPARE(complaint(folder / "link.md"), std::string("is a symbolic link"));
    QCOMPARE(::mkfifo((folder / "pipe.md").c_str(), 0600), 0);
    QCOMPARE(complaint(folder / "pipe.md"),
             std::string("is a named pipe, a regular file is needed")); // and does not wait for a writer
    QCOMPARE(complaint("/dev/zero"), std::string("is a device, a regular file is needed"));
    const fs::path huge = write("huge.txt", "x");
    fs::resize_file(huge, documentFileLimitBytes * 2); // a hole, not bytes
    QCOMPARE(complaint(huge), std::string("too large: 64 MiB (limit 32 MiB)"));
}

void ScientistDocuments::pdftotextMissing() {
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_folder->path().c_str());
    const auto text = blocksOfPdf(pdfOf({"x"}), {});
    qputenv("PATH", path);
    QVERIFY(!text);
    QCOMPARE(text.error().kind, ErrorKind::infrastructure);
    QCOMPARE(text.error().next, std::string("apt install poppler-utils"));
}

void ScientistDocuments::deepHtmlIsRefused() {
    std::string html;
    for (int i = 0; i < 2000000; ++i) {
        html += "<div>";
    }
    const auto text = blocksOfHtml(html, {});
    QVERIFY(!text);
    QVERIFY2(text.error().what.find("deep") != std::string::npos, text.error().what.c_str());
}

void ScientistDocuments::tooManyPassages() {
    std::string text;
    for (int i = 0; i < 6000; ++i) {
        text += fmt::format("# {}\n\n{}\n\n", i, std::string(620, 'w'));
    }
    const auto imported = importDocument(write("many.md", text));
    QVERIFY(!imported);
    QCOMPARE(imported.error().what, std::string("too many passages: 6000 (limit 5000)"));
}

void ScientistDocuments::stopEndsIt() {
    std::stop_source stop;
    stop.request_stop();
    for (const char* name : {"s.txt", "s.html"}) {
        const auto imported = importDocument(write(name, "some text"), stop.get_token());
        QVERIFY(!imported && imported.error().kind == ErrorKind::cancelled);
    }
    QVERIFY(!blocksOfHtml("<p>text", stop.get_token()));
    if (hasPdftotext()) {
        const auto text = blocksOfPdf(pdfOf({"x"}), stop.get_token());
        QVERIFY(!text && text.error().kind == ErrorKind::cancelled);
    }
}

QTEST_APPLESS_MAIN(ScientistDocuments)
#include "scientist_documents.moc"
