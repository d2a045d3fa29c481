// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QWidget>
#include <map>
#include <set>

class QToolButton;

namespace gks {

// select > design > write > build > verify > measure, with every stage marked that something is in right now. A stage
// that failed is a button that leads to what the person reads next.
class StageStrip final : public QWidget {
    Q_OBJECT

public:
    explicit StageStrip(QWidget* parent = nullptr);
    void setActive(const std::set<Activity>& active);
    void setErrors(const std::map<Activity, QString>& errors); // by stage, as tool tips
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override; // with less around the labels

Q_SIGNALS:
    void errorActivated(gks::Activity stage);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeErrors();

    std::set<Activity> m_active;
    std::map<Activity, QToolButton*> m_errors; // one for each stage, shown when it failed
};

} // namespace gks
