// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace gks {

// On top of the sample campaign that came with the program: what it is, and the button that runs the same problem here.
class SampleBar final : public QWidget {
    Q_OBJECT

public:
    explicit SampleBar(QWidget* parent = nullptr);

Q_SIGNALS:
    void demoRequested();
    void newRequested();
};

} // namespace gks
