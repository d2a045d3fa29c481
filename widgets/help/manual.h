// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>
#include <vector>

namespace gks {

// One page of the manual: a Markdown file of resources/docs.
struct ManualPage {
    QString file;         // "workbench.md"
    QString title;        // its first heading
    QStringList sections; // its second-level headings
    QString text;         // Markdown
};

// The pages of a folder, the one about the workbench first. Empty when there is none.
std::vector<ManualPage> manualPages(const std::filesystem::path& folder);

// The page's text with a word in the place of each picture that the folder lacks: those of the gallery are drawn from
// the finished program. Before the first of them stands how they are made.
QString withoutMissingPictures(const QString& text, const std::filesystem::path& folder);

} // namespace gks
