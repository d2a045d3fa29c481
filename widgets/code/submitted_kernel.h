// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <QLabel>
#include <optional>

namespace gks {

class EngineBridge;
class SelectionContext;

// Where a kernel went that the person has submitted: it is selected when they still look at what it was made from.
// Otherwise nothing is taken from under their eyes, and a link to it stands here.
class SubmittedKernel final : public QLabel {
    Q_OBJECT

public:
    SubmittedKernel(EngineBridge* bridge, SelectionContext* selection, QWidget* parent = nullptr);
    void await(); // before the command is sent

private:
    void look(); // whether the population has it
    void show(KernelId kernel);

    EngineBridge* m_bridge;
    SelectionContext* m_selection;
    std::optional<KernelId> m_newestBefore; // while one is awaited
    std::optional<KernelId> m_lookedAt;
    std::optional<KernelId> m_kernel; // that the link leads to
};

} // namespace gks
