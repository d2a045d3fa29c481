// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/help/manual.h"

#include <QDialog>
#include <filesystem>
#include <functional>

class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;
class QUrl;

namespace gks {

class FindBar;

// The manual, as it was installed with the program: no network. Pages and their sections on the left, the page on the
// right; words are searched in all pages.
class HelpWindow final : public QDialog {
    Q_OBJECT

public:
    explicit HelpWindow(const std::filesystem::path& folder, QWidget* parent = nullptr);

    // The page and, when it is not empty, its section; a page or a section that is not there shows what is nearest.
    void showTopic(const QString& file, const QString& section);
    QString shownFile() const;

private:
    QWidget* buildContents();
    void showItem(const QTreeWidgetItem* item);
    void openLink(const QUrl& link);
    void scrollTo(const QString& section);
    void goToAnother(bool forward);
    void countElsewhere();

    std::filesystem::path m_folder;
    std::vector<ManualPage> m_pages;
    int m_shown = -1;
    QTreeWidget* m_contents;
    QTextBrowser* m_text;
    FindBar* m_find;
};

} // namespace gks
