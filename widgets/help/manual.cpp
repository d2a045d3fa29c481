// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/help/manual.h"

#include "core/base/files.h"
#include "widgets/common/terms.h"

#include <QRegularExpression>
#include <QStringBuilder>
#include <algorithm>
#include <system_error>

namespace gks {

std::vector<ManualPage> manualPages(const std::filesystem::path& folder) {
    std::vector<ManualPage> pages;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        const auto text = entry.path().extension() == ".md" ? readFile(entry.path()) : Result<std::string>();
        if (!text || text->empty()) {
            continue;
        }
        ManualPage page{toText(entry.path().filename().string()), {}, {}, toText(*text)};
        bool code = false;
        const QStringList lines = page.text.split(QLatin1Char('\n'));
        for (const QString& line : lines) {
            code = code != line.startsWith(QLatin1String("```"));
            if (code) {
                continue;
            }
            if (page.title.isEmpty() && line.startsWith(QLatin1String("# "))) {
                page.title = line.mid(2).trimmed();
            } else if (line.startsWith(QLatin1String("## "))) {
                page.sections.append(line.mid(3).trimmed().remove(QLatin1Char('`')));
            }
        }
        pages.push_back(std::move(page));
    }
    const auto place = [](const ManualPage& page) {
        return std::pair(page.file != QLatin1String("workbench.md"), page.title.toLower());
    };
    std::sort(pages.begin(), pages.end(),
              [&](const ManualPage& a, const ManualPage& b) { return place(a) < place(b); });
    return pages;
}

QString withoutMissingPictures(const QString& text, const std::filesystem::path& folder) {
    static const QRegularExpression picture(QStringLiteral("^!\\[([^\\]]*)\\]\\(([^)]*)\\)$"));
    QStringList lines = text.split(QLatin1Char('\n'));
    bool isTold = false;
    for (QString& line : lines) {
        const QRegularExpressionMatch match = picture.match(line);
        std::error_code none;
        if (!match.hasMatch() || std::filesystem::exists(folder / match.captured(2).toStdString(), none)) {
            continue;
        }
        const QString how = isTold
                                ? QString()
                                : QStringLiteral("**Pictures of this page are missing here.** In the program's source "
                                                 "folder, `packaging/gallery.sh` draws them; a program that is "
                                                 "installed after that has them.\n\n");
        line = how % QStringLiteral("*No picture: %1*").arg(match.captured(1));
        isTold = true;
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace gks
