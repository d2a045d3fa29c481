// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/code/kernel_listings.h"

#include <QWidget>
#include <utility>

class QLabel;

namespace gks {

class DiffView;

// How the machine code of two kernels differs: instructions without their registers, and how many of each cost there
// are. Both are compiled and compared beside the window.
class MachineCodeDifference final : public QWidget {
    Q_OBJECT

public:
    explicit MachineCodeDifference(EngineBridge* bridge, QWidget* parent = nullptr);
    void setLister(SourceLister lister) { m_listings.setLister(std::move(lister)); } // for tests

    void setPair(KernelId left, KernelId right); // compiled now, unless it is what is shown
    void clear();
    DiffView& view() const { return *m_view; }
    bool isBusy() const;
    bool hasDifference() const; // not where a kernel has no code, nor while they are compiled

Q_SIGNALS:
    void settled(); // the difference, or why there is none, is shown

private:
    void showListing(const Result<ListedPair>& listed);
    void say(const QString& text);

    std::pair<KernelId, KernelId> m_pair = {0, 0};
    QLabel* m_about;
    DiffView* m_view;
    KernelListings m_listings;
};

} // namespace gks
