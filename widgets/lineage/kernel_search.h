// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "widgets/common/latest_work.h"
#include "widgets/common/panel.h"

#include <QTimer>
#include <QWidget>
#include <vector>

class QLabel;

namespace gks {

// What a search of the lineage has found: from memory the words of a kernel's row, from the file its source too. Hits
// are counted in a line, which is there only while a search is on; nothing is selected until somebody walks.
class KernelSearch final : public QWidget {
    Q_OBJECT

public:
    static constexpr int hitLimit = 10'000;

    explicit KernelSearch(const PanelContext& context, QWidget* parent = nullptr);

    void setWords(const QString& words); // empty ends the search
    bool isOn() const { return !m_words.isEmpty(); }
    bool isBusy() const { return m_typing.isActive() || m_work.isBusy() || m_asked; }
    const std::vector<KernelId>& hits() const { return m_hits; } // ascending
    void walk(int direction);                                    // selects the next or previous one, in a ring
    void say(int folded);                                        // the count, and how many are not in view

Q_SIGNALS:
    void hitsChanged();

private:
    void ask();
    void add(const std::vector<KernelId>& found);

    PanelContext m_context;
    QLabel* m_count;
    QTimer m_typing;
    QString m_words;
    std::vector<KernelId> m_hits;
    LatestWork<std::vector<KernelId>> m_work;
    bool m_asked = false; // the file has not answered yet
};

} // namespace gks
