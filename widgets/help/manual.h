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

} // namespace gks
