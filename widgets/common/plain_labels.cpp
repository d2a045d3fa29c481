// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/plain_labels.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>

namespace gks {

namespace {

// Labels are polished before they are first shown. Tooltips and the texts of message boxes are labels as well.
class Guard final : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Polish) {
            auto* label = qobject_cast<QLabel*>(watched);
            if (label != nullptr && label->textFormat() == Qt::AutoText) {
                label->setTextFormat(Qt::PlainText);
            }
        }
        return false;
    }
};

} // namespace

void makeLabelsPlain() {
    QCoreApplication* application = QCoreApplication::instance();
    const QString name = QStringLiteral("plainLabels");
    if (application->findChild<QObject*>(name) == nullptr) {
        auto* guard = new Guard(application);
        guard->setObjectName(name);
        application->installEventFilter(guard);
    }
}

} // namespace gks
