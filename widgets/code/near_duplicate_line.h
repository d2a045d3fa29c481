// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/scientist/novelty.h"
#include "widgets/common/latest_work.h"

#include <QLabel>
#include <optional>
#include <string>

namespace gks {

class EngineBridge;

// "differs from 00012 in 3 lines (similarity 98 %): compare", of a kernel that nearly repeats an earlier one; else not
// there. The lines are counted beside the window: both sources are read for it.
class NearDuplicateLine final : public QLabel {
    Q_OBJECT

public:
    NearDuplicateLine(EngineBridge* bridge, QWidget* parent);

    void setKernel(std::optional<KernelId> kernel);
    // The earlier one of the kernel that is set.
    std::optional<NearDuplicate> near() const;
    bool isFilled() const;

Q_SIGNALS:
    void filled(); // it says what there is to say

private:
    // Equal: the text would be the same.
    struct Question {
        KernelId kernel = 0;
        KernelId earlier = 0;
        double similarity = 0;
        std::string sources;
        bool operator==(const Question&) const = default;
    };
    void ask();
    void say(const QString& text);

    EngineBridge* m_bridge;
    std::optional<KernelId> m_kernel;
    Question m_asked;
    LatestWork<std::string> m_work;
};

} // namespace gks
