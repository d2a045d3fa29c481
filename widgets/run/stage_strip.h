// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QWidget>
#include <set>

namespace gks {

// select > design > write > build > verify > measure, with every stage marked that something is in right now.
class StageStrip final : public QWidget {
    Q_OBJECT

public:
    explicit StageStrip(QWidget* parent = nullptr);
    void setActive(const std::set<Activity>& active);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::set<Activity> m_active;
};

} // namespace gks
