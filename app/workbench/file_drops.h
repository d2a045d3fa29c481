// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "widgets/common/latest_work.h"

#include <QObject>
#include <QStringList>
#include <vector>

class QMimeData;
class QWidget;

namespace gks {

// What lies in a file or folder that was dropped, as far as the window knows what to do with it.
struct DroppedFile {
    enum class Kind { campaign, kernel, pack, unknown };
    Kind kind = Kind::unknown;
    QString path;   // of a bundle: of the pack in it
    QString source; // of a kernel; empty when it cannot be one, and why
    QString mistake;
};
DroppedFile lookAtDrop(const QString& path);

// Files that are dropped anywhere on the window, text fields included, which would take them as text. They are looked
// at beside the window, and few of them: a person who drops a thousand has missed.
class FileDrops final : public QObject {
    Q_OBJECT

public:
    explicit FileDrops(QWidget* window);

Q_SIGNALS:
    void dropped(const std::vector<gks::DroppedFile>& files);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static QStringList pathsOf(const QMimeData* data);

    QWidget* m_window;
    LatestWork<std::vector<DroppedFile>> m_work;
};

} // namespace gks
