// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run/lanes_dialog.h"

#include "core/campaign/lane_spec.h"
#include "widgets/common/message_label.h"
#include "widgets/common/named.h"
#include "widgets/common/palette.h"
#include "widgets/common/settings.h"
#include "widgets/common/terms.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gks {

LanesDialog::LanesDialog(const QString& file, QWidget* parent)
    : QDialog(parent)
    , m_file(file)
    , m_lanes(named(new QLineEdit, "laneField", tr("Devices")))
    , m_error(named(new MessageLabel, "laneError", tr("What is wrong with the devices"))) {
    setObjectName(QStringLiteral("lanesDialog"));
    setWindowTitle(tr("Devices of %1").arg(QFileInfo(file).fileName()));
    setAccessibleName(windowTitle());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(spacing4, spacing4, spacing4, spacing4);
    all->setSpacing(spacing3);
    auto* about =
        new MessageLabel(tr("Where kernels are evaluated: local:0 is device 0 of the campaign's target, folder:DIR "
                            "a folder whose jobs another machine works off. Empty: the campaign's own device. Used "
                            "when the campaign is opened the next time."));
    all->addWidget(about);
    m_lanes->setText(Settings::instance().lanes(file));
    m_lanes->setPlaceholderText(QStringLiteral("local:0 folder:/media/stick/h200"));
    auto* folder = named(new QPushButton(tr("Add &folder...")), "laneFolder", tr("Add folder"));
    folder->setAutoDefault(false);
    connect(folder, &QPushButton::clicked, this, &LanesDialog::addFolder);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing2);
    row->addWidget(m_lanes, 1);
    row->addWidget(folder);
    all->addLayout(row);
    m_error->setProperty("error", true);
    m_error->hide();
    all->addWidget(m_error);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    named(buttons->button(QDialogButtonBox::Ok), "laneAccept", tr("OK"));
    named(buttons->button(QDialogButtonBox::Cancel), "laneReject", tr("Cancel"));
    all->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &LanesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(520);
}

void LanesDialog::accept() {
    const QString text = m_lanes->text().trimmed();
    if (!text.isEmpty()) {
        if (const auto lanes = parseLanes(text.toStdString()); !lanes) {
            m_error->setText(toText(lanes.error().message()));
            m_error->show();
            m_lanes->setFocus();
            return;
        }
    }
    Settings::instance().setLanes(m_file, text);
    QDialog::accept();
}

void LanesDialog::addFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of jobs and results"));
    if (!folder.isEmpty()) {
        const QString before = m_lanes->text().trimmed();
        m_lanes->setText(QString(before % (before.isEmpty() ? QString() : QStringLiteral(" ")) %
                                 QStringLiteral("folder:\"%1\"").arg(folder)));
    }
}

} // namespace gks
